import type { QueryClient } from '@tanstack/react-query';
import { createRootRouteWithContext, createRoute, Outlet, redirect } from '@tanstack/react-router';
import { ApiError } from './api/client.ts';
import { meQuery } from './api/me.ts';
import { pickSearch } from './base/search.ts';
import { ConfirmationGate } from './layout/confirmation-gate.tsx';
import { homeScope } from './layout/home-scope.ts';
import { lazyPage } from './layout/lazy-page.ts';
import { readOrKnown } from './layout/read-or-known.ts';
import { NotFoundPage } from './layout/route-states.tsx';
import { Shell } from './layout/shell.tsx';

/** What pages stand below: the signed-in person, and the organization in its environment. */
export const rootRoute = createRootRouteWithContext<{ queryClient: QueryClient }>()({ component: Root });

function Root() {
  return (
    <>
      <Outlet />
      <ConfirmationGate />
    </>
  );
}

export const signInRoute = createRoute({
  getParentRoute: () => rootRoute,
  path: '/sign-in',
  validateSearch: pickSearch('return_to'),
  component: lazyPage(() => import('./pages/sign-in/sign-in.tsx'), 'SignInPage'),
});

export const signedInRoute = createRoute({
  getParentRoute: () => rootRoute,
  id: 'signed-in',
  beforeLoad: async ({ context, location }) => {
    const me = await readOrKnown(context.queryClient, meQuery).catch((error: unknown) => {
      if (error instanceof ApiError && error.status === 401)
        throw redirect({ to: '/sign-in', search: { return_to: location.publicHref } });
      throw error;
    });
    return { me };
  },
});

export const homeRoute = createRoute({
  getParentRoute: () => signedInRoute,
  path: '/',
  beforeLoad: async ({ context: { me } }) => {
    const scope = await homeScope(me);
    if (scope === undefined) throw redirect({ to: '/account' });
    throw redirect({ to: '/$organizationId/$environment', params: scope });
  },
});

export const accountRoute = createRoute({
  getParentRoute: () => signedInRoute,
  path: '/account',
  component: lazyPage(() => import('./pages/account/account.tsx'), 'AccountPage'),
});

export const connectRoute = createRoute({
  getParentRoute: () => signedInRoute,
  path: '/connect/$connectionId',
  component: lazyPage(() => import('./pages/connect/connect.tsx'), 'ConnectPage'),
});

const isEnvironment = (text: string): text is 'live' | 'sandbox' => text === 'live' || text === 'sandbox';

export const organizationRoute = createRoute({
  getParentRoute: () => signedInRoute,
  path: '/$organizationId/$environment',
  beforeLoad: ({ context: { me }, params: { organizationId, environment } }) => {
    const membership = me.memberships.find(({ organization_id }) => organization_id === organizationId);
    if (membership === undefined || !isEnvironment(environment)) throw redirect({ to: '/' });
    return { membership, environment };
  },
  component: Shell,
  notFoundComponent: NotFoundPage,
});
