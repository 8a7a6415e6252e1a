import { Type } from 'typebox';
import type { Deps } from '../../core/deps.ts';
import { exportOrders, orderExportColumns } from '../../core/orders/export-orders.ts';
import { OrderSummary, ShownOrder } from '../../core/orders/portal-schema.ts';
import { type OrderSearch, searchOrders, totalOrders } from '../../core/orders/search-orders.ts';
import { showOrder } from '../../core/orders/show-order.ts';
import type { Member } from '../../faces/portal-access/access.ts';
import {
  ListTotal,
  pageAnswer,
  pageOf,
  pageQuery,
  periodQuery,
  readPage,
  readPeriod,
} from '../../faces/portal-access/list-schema.ts';
import type { Register } from '../../faces/portal-access/register.ts';
import { requireId } from '../../platform/api/require-id.ts';
import { csvReply } from '../../platform/http/csv-reply.ts';

const PATH = '/organizations/{organization_id}/{environment}/orders';
const filters = {
  query: Type.Optional(
    Type.String({ description: 'An order’s id, a whole idempotency key, or part of an external id or of metadata.' }),
  ),
  ...periodQuery,
};

/** What the member searches for, within what they may see. */
const searchOf = (
  { membership }: Member,
  query: Parameters<typeof readPeriod>[0] & { query?: string },
): OrderSearch => ({
  query: query.query,
  ...readPeriod(query),
  senders: membership.reach,
});

/** Orders. */
export function orderRoutes(register: Register, deps: Deps): void {
  addTotalRoute(register, deps);

  register(
    {
      method: 'GET',
      path: PATH,
      operationId: 'searchOrders',
      tag: 'Orders',
      summary: 'The matching orders, newest first.',
      access: 'member',
      needs: 'gifts',
      keepsToReach: true,
      query: Type.Object({ ...filters, ...pageQuery }),
      response: pageOf(OrderSummary),
    },
    async ({ scope, query, member }) =>
      pageAnswer(await searchOrders(deps, scope, { ...searchOf(member, query), ...readPage(query) })),
  );

  register(
    {
      method: 'GET',
      path: `${PATH}.csv`,
      operationId: 'exportOrders',
      tag: 'Orders',
      summary: 'All matching orders as a file.',
      access: 'member',
      needs: 'gifts',
      keepsToReach: true,
      query: Type.Object(filters),
      file: 'text/csv',
    },
    ({ scope, query, reply, member }) => {
      const orders = exportOrders(deps, scope, searchOf(member, query));
      return csvReply(reply, deps.log, `orders-${scope.environment}`, {
        columns: orderExportColumns,
        rows: orders,
        currency: deps.config.currency,
      });
    },
  );

  register(
    {
      method: 'GET',
      path: `${PATH}/{order_id}`,
      operationId: 'showOrder',
      tag: 'Orders',
      summary: 'One order with its gifts and its debit.',
      access: 'member',
      needs: 'gifts',
      response: ShownOrder,
    },
    ({ params, scope }) => showOrder(deps, scope, requireId('ord', params.order_id)),
  );
}

function addTotalRoute(register: Register, deps: Deps): void {
  register(
    {
      method: 'GET',
      path: `${PATH}/total`,
      operationId: 'totalOrders',
      tag: 'Orders',
      summary: 'How many orders match, and their sum, among the newest 2,000.',
      access: 'member',
      needs: 'gifts',
      keepsToReach: true,
      query: Type.Object(filters),
      response: ListTotal,
    },
    ({ scope, query, member }) => totalOrders(deps, scope, searchOf(member, query)),
  );
}
