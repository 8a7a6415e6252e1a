import type { QueryClient } from '@tanstack/react-query';
import {
  createRootRouteWithContext,
  createRoute,
  createRouter,
  lazyRouteComponent,
  Outlet,
  redirect,
} from '@tanstack/react-router';
import { portalPath } from './address.ts';
import { ApiError } from './api/client.ts';
import { meQuery } from './api/me.ts';
import { queryClient } from './api/query-client.ts';
import { rememberedScope } from './layout/remembered-scope.ts';
import { NotFoundPage, RouteErrorPage } from './layout/route-states.tsx';
import { Shell } from './layout/shell.tsx';
import { parseSearch, pickSearch, stringifySearch } from './search.ts';

/** Every URL of the portal, its page, and the parameters that it keeps. */

const rootRoute = createRootRouteWithContext<{ queryClient: QueryClient }>()({ component: Outlet });

const signInRoute = createRoute({
  getParentRoute: () => rootRoute,
  path: '/sign-in',
  validateSearch: pickSearch('return_to'),
  component: lazyRouteComponent(() => import('./pages/sign-in.tsx'), 'SignInPage'),
});

const signedInRoute = createRoute({
  getParentRoute: () => rootRoute,
  id: 'signed-in',
  beforeLoad: async ({ context, location }) => {
    const me = await context.queryClient.query(meQuery).catch((error: unknown) => {
      if (error instanceof ApiError && error.status === 401)
        throw redirect({ to: '/sign-in', search: { return_to: location.publicHref } });
      throw error;
    });
    return { me };
  },
});

const homeRoute = createRoute({
  getParentRoute: () => signedInRoute,
  path: '/',
  beforeLoad: ({ context: { me } }) => {
    const scope = rememberedScope(me.memberships);
    if (scope === undefined) throw redirect({ to: '/account' });
    throw redirect({ to: '/$organizationId/$environment', params: scope });
  },
});

const accountRoute = createRoute({
  getParentRoute: () => signedInRoute,
  path: '/account',
  component: lazyRouteComponent(() => import('./pages/account.tsx'), 'AccountPage'),
});

const isEnvironment = (text: string): text is 'live' | 'sandbox' => text === 'live' || text === 'sandbox';

const organizationRoute = createRoute({
  getParentRoute: () => signedInRoute,
  path: '/$organizationId/$environment',
  beforeLoad: ({ context: { me }, params: { organizationId, environment } }) => {
    const membership = me.memberships.find(({ organization_id }) => organization_id === organizationId);
    if (membership === undefined || !isEnvironment(environment)) throw redirect({ to: '/' });
    return { membership, environment };
  },
  component: Shell,
});

const overviewRoute = createRoute({
  getParentRoute: () => organizationRoute,
  path: '/',
  component: lazyRouteComponent(() => import('./pages/overview.tsx'), 'OverviewPage'),
});

const giftsRoute = createRoute({
  getParentRoute: () => organizationRoute,
  path: '/gifts',
  validateSearch: pickSearch('query', 'status', 'method', 'category', 'from', 'to', 'after', 'before'),
  component: lazyRouteComponent(() => import('./pages/gifts.tsx'), 'GiftsPage'),
});

const giftRoute = createRoute({
  getParentRoute: () => organizationRoute,
  path: '/gifts/$giftId',
  component: lazyRouteComponent(() => import('./pages/gift.tsx'), 'GiftPage'),
});

const ordersRoute = createRoute({
  getParentRoute: () => organizationRoute,
  path: '/orders',
  validateSearch: pickSearch('query', 'from', 'to', 'after', 'before'),
  component: lazyRouteComponent(() => import('./pages/orders.tsx'), 'OrdersPage'),
});

const orderRoute = createRoute({
  getParentRoute: () => organizationRoute,
  path: '/orders/$orderId',
  component: lazyRouteComponent(() => import('./pages/order.tsx'), 'OrderPage'),
});

const balanceRoute = createRoute({
  getParentRoute: () => organizationRoute,
  path: '/balance',
  validateSearch: pickSearch('kind', 'from', 'to', 'after', 'before'),
  component: lazyRouteComponent(() => import('./pages/balance.tsx'), 'BalancePage'),
});

const statementRoute = createRoute({
  getParentRoute: () => organizationRoute,
  path: '/balance/statements/$month',
  component: lazyRouteComponent(() => import('./pages/statement.tsx'), 'StatementPage'),
});

const keysRoute = createRoute({
  getParentRoute: () => organizationRoute,
  path: '/keys',
  component: lazyRouteComponent(() => import('./pages/keys.tsx'), 'KeysPage'),
});

const requestsRoute = createRoute({
  getParentRoute: () => organizationRoute,
  path: '/requests',
  validateSearch: pickSearch('query', 'status', 'method', 'key', 'after', 'before'),
  component: lazyRouteComponent(() => import('./pages/requests.tsx'), 'RequestsPage'),
});

const requestRoute = createRoute({
  getParentRoute: () => organizationRoute,
  path: '/requests/$requestId',
  component: lazyRouteComponent(() => import('./pages/request.tsx'), 'RequestPage'),
});

const testingRoute = createRoute({
  getParentRoute: () => organizationRoute,
  path: '/testing',
  component: lazyRouteComponent(() => import('./pages/testing.tsx'), 'TestingPage'),
});

const membersRoute = createRoute({
  getParentRoute: () => organizationRoute,
  path: '/members',
  component: lazyRouteComponent(() => import('./pages/members.tsx'), 'MembersPage'),
});

const auditRoute = createRoute({
  getParentRoute: () => organizationRoute,
  path: '/audit',
  validateSearch: pickSearch('action', 'actor', 'from', 'to', 'after', 'before'),
  component: lazyRouteComponent(() => import('./pages/audit.tsx'), 'AuditPage'),
});

const settingsRoute = createRoute({
  getParentRoute: () => organizationRoute,
  path: '/settings',
  component: lazyRouteComponent(() => import('./pages/settings.tsx'), 'SettingsPage'),
});

export const router = createRouter({
  routeTree: rootRoute.addChildren([
    signInRoute,
    signedInRoute.addChildren([
      homeRoute,
      accountRoute,
      organizationRoute.addChildren([
        overviewRoute,
        giftsRoute,
        giftRoute,
        ordersRoute,
        orderRoute,
        balanceRoute,
        statementRoute,
        keysRoute,
        requestsRoute,
        requestRoute,
        testingRoute,
        membersRoute,
        auditRoute,
        settingsRoute,
      ]),
    ]),
  ]),
  basepath: portalPath,
  context: { queryClient },
  defaultPreload: 'intent',
  scrollRestoration: true,
  parseSearch,
  stringifySearch,
  defaultNotFoundComponent: NotFoundPage,
  defaultErrorComponent: RouteErrorPage,
});

declare module '@tanstack/react-router' {
  interface Register {
    router: typeof router;
  }
}
