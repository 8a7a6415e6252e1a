import { createRoute, createRouter } from '@tanstack/react-router';
import { meQuery } from './api/me.ts';
import { portalPath } from './base/address.ts';
import { giftSearch, parseSearch, pickSearch, stringifySearch } from './base/search.ts';
import { lazyPage } from './layout/lazy-page.ts';
import { queryClient } from './layout/query-client.ts';
import { NotFoundAlone, routeErrorPage } from './layout/route-states.tsx';
import {
  accountRoute,
  connectRoute,
  homeRoute,
  organizationRoute,
  rootRoute,
  signedInRoute,
  signInRoute,
} from './parent-routes.tsx';

/** Every URL of an organization, its page, and the parameters that it keeps. */
const overviewRoute = createRoute({
  getParentRoute: () => organizationRoute,
  path: '/',
  validateSearch: pickSearch('days'),
  component: lazyPage(() => import('./pages/overview/overview.tsx'), 'OverviewPage'),
});

const giftsRoute = createRoute({
  getParentRoute: () => organizationRoute,
  path: '/gifts',
  validateSearch: pickSearch(...giftSearch, 'within', 'after', 'before'),
  component: lazyPage(() => import('./pages/gifts/gifts.tsx'), 'GiftsPage'),
});

const sendRoute = createRoute({
  getParentRoute: () => organizationRoute,
  path: '/gifts/send',
  validateSearch: pickSearch('step', 'contact'),
  component: lazyPage(() => import('./pages/gifts/gifts.tsx'), 'SendPage'),
});

const sendManyRoute = createRoute({
  getParentRoute: () => organizationRoute,
  path: '/gifts/send-many',
  validateSearch: pickSearch('step'),
  component: lazyPage(() => import('./pages/many/send-many.tsx'), 'SendManyPage'),
});

const templatesRoute = createRoute({
  getParentRoute: () => organizationRoute,
  path: '/gifts/templates',
  component: lazyPage(() => import('./pages/gifts/gifts.tsx'), 'TemplatesPage'),
});

const sentFilesRoute = createRoute({
  getParentRoute: () => organizationRoute,
  path: '/gifts/files',
  component: lazyPage(() => import('./pages/many/send-many.tsx'), 'SentFilesPage'),
});

const spendingRoute = createRoute({
  getParentRoute: () => organizationRoute,
  path: '/spending',
  component: lazyPage(() => import('./pages/settings/settings.tsx'), 'SpendingPage'),
});

const batchRoute = createRoute({
  getParentRoute: () => organizationRoute,
  path: '/gifts/files/$batchId',
  component: lazyPage(() => import('./pages/many/send-many.tsx'), 'BatchPage'),
});

const giftRequestsRoute = createRoute({
  getParentRoute: () => organizationRoute,
  path: '/gifts/requests',
  validateSearch: pickSearch('state', 'after', 'before'),
  component: lazyPage(() => import('./pages/approvals/request-list.tsx'), 'GiftRequestsPage'),
});

const giftRequestRoute = createRoute({
  getParentRoute: () => organizationRoute,
  path: '/gifts/requests/$requestId',
  component: lazyPage(() => import('./pages/approvals/request-list.tsx'), 'GiftRequestPage'),
});

const giftRoute = createRoute({
  getParentRoute: () => organizationRoute,
  path: '/gifts/$giftId',
  component: lazyPage(() => import('./pages/gifts/gift.tsx'), 'GiftPage'),
});

const contactsRoute = createRoute({
  getParentRoute: () => organizationRoute,
  path: '/contacts',
  validateSearch: pickSearch('query', 'tag', 'add', 'after', 'before'),
  component: lazyPage(() => import('./pages/calendar/calendar.tsx'), 'ContactsPage'),
});

const importContactsRoute = createRoute({
  getParentRoute: () => organizationRoute,
  path: '/contacts/import',
  validateSearch: pickSearch('step'),
  component: lazyPage(() => import('./pages/calendar/calendar.tsx'), 'ImportContactsPage'),
});

const contactRoute = createRoute({
  getParentRoute: () => organizationRoute,
  path: '/contacts/$contactId',
  component: lazyPage(() => import('./pages/contact/contact-page.tsx'), 'ContactPage'),
});

const calendarRoute = createRoute({
  getParentRoute: () => organizationRoute,
  path: '/calendar',
  validateSearch: pickSearch('month', 'add'),
  component: lazyPage(() => import('./pages/calendar/calendar.tsx'), 'CalendarPage'),
});

const ordersRoute = createRoute({
  getParentRoute: () => organizationRoute,
  path: '/orders',
  validateSearch: pickSearch('query', 'from', 'to', 'order', 'after', 'before'),
  component: lazyPage(() => import('./pages/orders/orders.tsx'), 'OrdersPage'),
});

const orderRoute = createRoute({
  getParentRoute: () => organizationRoute,
  path: '/orders/$orderId',
  component: lazyPage(() => import('./pages/orders/orders.tsx'), 'OrderPage'),
});

const balanceRoute = createRoute({
  getParentRoute: () => organizationRoute,
  path: '/balance',
  validateSearch: pickSearch('kind', 'from', 'to', 'after', 'before', 'topups_after', 'topups_before'),
  component: lazyPage(() => import('./pages/balance/balance.tsx'), 'BalancePage'),
});

const statementRoute = createRoute({
  getParentRoute: () => organizationRoute,
  path: '/balance/statements/$month',
  component: lazyPage(() => import('./pages/balance/statement.tsx'), 'StatementPage'),
});

const reconcileRoute = createRoute({
  getParentRoute: () => organizationRoute,
  path: '/balance/reconcile',
  component: lazyPage(() => import('./pages/balance/statement.tsx'), 'ReconcilePage'),
});

const keysRoute = createRoute({
  getParentRoute: () => organizationRoute,
  path: '/keys',
  validateSearch: pickSearch('add'),
  component: lazyPage(() => import('./pages/agents/agents.tsx'), 'KeysPage'),
});

const agentsRoute = createRoute({
  getParentRoute: () => organizationRoute,
  path: '/agents',
  component: lazyPage(() => import('./pages/agents/agents.tsx'), 'AgentsPage'),
});

const connectAgreeRoute = createRoute({
  getParentRoute: () => organizationRoute,
  path: '/connect/$connectionId',
  component: lazyPage(() => import('./pages/connect/connect.tsx'), 'ConnectAgreePage'),
});

const webhooksRoute = createRoute({
  getParentRoute: () => organizationRoute,
  path: '/webhooks',
  component: lazyPage(() => import('./pages/webhooks/webhooks.tsx'), 'WebhooksPage'),
});

const webhookRoute = createRoute({
  getParentRoute: () => organizationRoute,
  path: '/webhooks/$endpointId',
  validateSearch: pickSearch('after', 'before'),
  component: lazyPage(() => import('./pages/webhooks/webhooks.tsx'), 'WebhookPage'),
});

const requestsRoute = createRoute({
  getParentRoute: () => organizationRoute,
  path: '/requests',
  validateSearch: pickSearch('query', 'status', 'method', 'key', 'after', 'before'),
  component: lazyPage(() => import('./pages/api-log/requests.tsx'), 'RequestsPage'),
});

const requestRoute = createRoute({
  getParentRoute: () => organizationRoute,
  path: '/requests/$requestId',
  component: lazyPage(() => import('./pages/api-log/requests.tsx'), 'RequestPage'),
});

const testingRoute = createRoute({
  getParentRoute: () => organizationRoute,
  path: '/testing',
  component: lazyPage(() => import('./pages/api-log/requests.tsx'), 'TestingPage'),
});

const membersRoute = createRoute({
  getParentRoute: () => organizationRoute,
  path: '/members',
  validateSearch: pickSearch('add'),
  component: lazyPage(() => import('./pages/settings/settings.tsx'), 'MembersPage'),
});
const rolesRoute = createRoute({
  getParentRoute: () => organizationRoute,
  path: '/members/roles',
  component: lazyPage(() => import('./pages/members/members.tsx'), 'RolesPage'),
});
const teamsRoute = createRoute({
  getParentRoute: () => organizationRoute,
  path: '/members/teams',
  component: lazyPage(() => import('./pages/members/members.tsx'), 'TeamsPage'),
});
const auditRoute = createRoute({
  getParentRoute: () => organizationRoute,
  path: '/audit',
  validateSearch: pickSearch('action', 'actor', 'from', 'to', 'after', 'before'),
  component: lazyPage(() => import('./pages/api-log/requests.tsx'), 'AuditPage'),
});

const brandRoute = createRoute({
  getParentRoute: () => organizationRoute,
  path: '/brand',
  component: lazyPage(() => import('./pages/brand/brand.tsx'), 'BrandPage'),
});

const settingsRoute = createRoute({
  getParentRoute: () => organizationRoute,
  path: '/settings',
  component: lazyPage(() => import('./pages/settings/settings.tsx'), 'SettingsPage'),
});

export const router = createRouter({
  routeTree: rootRoute.addChildren([
    signInRoute,
    signedInRoute.addChildren([
      homeRoute,
      accountRoute,
      connectRoute,
      organizationRoute.addChildren([
        overviewRoute,
        giftsRoute,
        sendRoute,
        sendManyRoute,
        templatesRoute,
        sentFilesRoute,
        batchRoute,
        spendingRoute,
        giftRequestsRoute,
        giftRequestRoute,
        giftRoute,
        contactsRoute,
        importContactsRoute,
        contactRoute,
        calendarRoute,
        ordersRoute,
        orderRoute,
        balanceRoute,
        statementRoute,
        reconcileRoute,
        keysRoute,
        agentsRoute,
        connectAgreeRoute,
        webhooksRoute,
        webhookRoute,
        requestsRoute,
        requestRoute,
        testingRoute,
        membersRoute,
        rolesRoute,
        teamsRoute,
        auditRoute,
        brandRoute,
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
  defaultNotFoundComponent: NotFoundAlone,
  defaultErrorComponent: routeErrorPage(meQuery),
});

declare module '@tanstack/react-router' {
  interface Register {
    router: typeof router;
  }
}
