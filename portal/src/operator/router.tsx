import type { QueryClient } from '@tanstack/react-query';
import { createRootRouteWithContext, createRoute, createRouter, Outlet, redirect } from '@tanstack/react-router';
import { ApiError } from '../api/client.ts';
import { parseSearch, pickSearch, stringifySearch } from '../base/search.ts';
import { lazyPage } from '../layout/lazy-page.ts';
import { queryClient } from '../layout/query-client.ts';
import { readOrKnown } from '../layout/read-or-known.ts';
import { routeErrorPage } from '../layout/route-states.tsx';
import { operatorPath } from './api/client.ts';
import { sessionQuery } from './api/session.ts';
import { AskedSignIn } from './layout/asked-sign-in.tsx';
import { NotFoundAlone, NotFoundPage } from './layout/not-found.tsx';
import { OperatorShell } from './layout/operator-shell.tsx';

/** Every URL of the operator's page, and the parameters that it keeps. */
const rootRoute = createRootRouteWithContext<{ queryClient: QueryClient }>()({ component: Root });

function Root() {
  return (
    <>
      <Outlet />
      <AskedSignIn />
    </>
  );
}

const signInRoute = createRoute({
  getParentRoute: () => rootRoute,
  path: '/sign-in',
  validateSearch: pickSearch('return_to'),
  component: lazyPage(() => import('./pages/sign-in/operator-sign-in.tsx'), 'OperatorSignInPage'),
});

const signedInRoute = createRoute({
  getParentRoute: () => rootRoute,
  id: 'signed-in',
  beforeLoad: async ({ context, location }) => {
    const session = await readOrKnown(context.queryClient, sessionQuery).catch((error: unknown) => {
      if (error instanceof ApiError && error.status === 401)
        throw redirect({ to: '/sign-in', search: { return_to: location.publicHref } });
      throw error;
    });
    return { session };
  },
  component: OperatorShell,
  notFoundComponent: NotFoundPage,
});

const homeRoute = createRoute({
  getParentRoute: () => signedInRoute,
  path: '/',
  beforeLoad: () => {
    throw redirect({ to: '/organizations' });
  },
});

const organizationsRoute = createRoute({
  getParentRoute: () => signedInRoute,
  path: '/organizations',
  validateSearch: pickSearch('query', 'after'),
  component: lazyPage(() => import('./pages/organizations/organizations.tsx'), 'OrganizationsPage'),
});

const organizationRoute = createRoute({
  getParentRoute: () => signedInRoute,
  path: '/organizations/$organizationId',
  validateSearch: pickSearch(
    'environment',
    'gifts_query',
    'gifts_status',
    'gifts_after',
    'gifts_before',
    'entries_kind',
    'entries_after',
    'entries_before',
    'audit_after',
    'audit_before',
  ),
  component: lazyPage(() => import('./pages/organization/organization.tsx'), 'OrganizationPage'),
});

const giftRoute = createRoute({
  getParentRoute: () => signedInRoute,
  path: '/gifts/$giftId',
  component: lazyPage(() => import('./pages/gift/gift.tsx'), 'GiftPage'),
});

const searchRoute = createRoute({
  getParentRoute: () => signedInRoute,
  path: '/search',
  component: lazyPage(() => import('./pages/search/search.tsx'), 'SearchPage'),
});

const moneyRoute = createRoute({
  getParentRoute: () => signedInRoute,
  path: '/money',
  validateSearch: pickSearch('day'),
  component: lazyPage(() => import('./pages/money/money.tsx'), 'MoneyPage'),
});

const messagesRoute = createRoute({
  getParentRoute: () => signedInRoute,
  path: '/messages',
  component: lazyPage(() => import('./pages/messages/messages.tsx'), 'MessagesPage'),
});

const workRoute = createRoute({
  getParentRoute: () => signedInRoute,
  path: '/work',
  validateSearch: pickSearch('topups_after'),
  component: lazyPage(() => import('./pages/jobs/jobs.tsx'), 'JobsPage'),
});

const catalogRoute = createRoute({
  getParentRoute: () => signedInRoute,
  path: '/catalog',
  component: lazyPage(() => import('./pages/catalog/catalog.tsx'), 'CatalogPage'),
});

const healthRoute = createRoute({
  getParentRoute: () => signedInRoute,
  path: '/health',
  component: lazyPage(() => import('./pages/health/health.tsx'), 'HealthPage'),
});

const logRoute = createRoute({
  getParentRoute: () => signedInRoute,
  path: '/log',
  validateSearch: pickSearch('after'),
  component: lazyPage(() => import('./pages/log/log.tsx'), 'LogPage'),
});

export const router = createRouter({
  routeTree: rootRoute.addChildren([
    signInRoute,
    signedInRoute.addChildren([
      homeRoute,
      organizationsRoute,
      organizationRoute,
      giftRoute,
      searchRoute,
      moneyRoute,
      messagesRoute,
      workRoute,
      catalogRoute,
      healthRoute,
      logRoute,
    ]),
  ]),
  basepath: operatorPath,
  context: { queryClient },
  defaultPreload: 'intent',
  scrollRestoration: true,
  parseSearch,
  stringifySearch,
  defaultNotFoundComponent: NotFoundAlone,
  defaultErrorComponent: routeErrorPage(sessionQuery),
});

declare module '@tanstack/react-router' {
  interface Register {
    router: typeof router;
  }
}
