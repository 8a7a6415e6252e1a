import { Type } from 'typebox';
import { requireId } from '../api/require-id.ts';
import { Cents, nullable, Time } from '../api/schema.ts';
import type { Deps } from '../deps.ts';
import { exportOrders, orderExportColumns } from '../orders/export-orders.ts';
import { searchOrders } from '../orders/search-orders.ts';
import { showOrder } from '../orders/show-order.ts';
import { LedgerEntry } from './balance-schema.ts';
import { csvReply } from './csv-reply.ts';
import { GiftSummary } from './gift-schema.ts';
import { pageAnswer, pageOf, pageQuery, periodQuery, readPage, readPeriod } from './list-schema.ts';
import type { Register } from './register.ts';

const summary = {
  order_id: Type.String(),
  status: Type.Union([Type.Literal('processing'), Type.Literal('processed')]),
  amount: Cents,
  gift_count: Type.Integer({ description: 'Those not created yet are counted too.' }),
  created_at: Time,
  idempotency_key: Type.String(),
  key: Type.Object({ key_id: Type.String(), name: Type.String(), hint: Type.String() }),
  member: Type.Object({ member_id: Type.String(), email: Type.String() }, { description: 'Whom it is attributed to.' }),
};

const OrderSummary = Type.Object(summary, { $id: 'OrderSummary' });

const Order = Type.Object(
  {
    ...summary,
    completes_at: nullable(Time),
    pending_gift_count: Type.Integer({ description: 'Gifts that are not created yet.' }),
    gifts: Type.Array(GiftSummary),
    entry: LedgerEntry,
  },
  { $id: 'Order' },
);

const PATH = '/organizations/{organization_id}/{environment}/orders';
const filters = {
  query: Type.Optional(Type.String({ description: 'The id of an order, or a whole idempotency key.' })),
  ...periodQuery,
};

/** Orders; their gifts have pages of their own. */
export function orderRoutes(register: Register, deps: Deps): void {
  register(
    {
      method: 'GET',
      path: PATH,
      operationId: 'searchOrders',
      tag: 'Orders',
      summary: 'The orders that are looked for, the newest first.',
      access: 'member',
      query: Type.Object({ ...filters, ...pageQuery }),
      response: pageOf(OrderSummary),
    },
    async ({ scope, query }) =>
      pageAnswer(await searchOrders(deps, scope, { query: query.query, ...readPeriod(query), ...readPage(query) })),
  );

  register(
    {
      method: 'GET',
      path: `${PATH}.csv`,
      operationId: 'exportOrders',
      tag: 'Orders',
      summary: 'The same orders, all of them, as a file.',
      access: 'member',
      query: Type.Object(filters),
      file: 'text/csv',
    },
    ({ scope, query, reply }) => {
      const orders = exportOrders(deps, scope, { query: query.query, ...readPeriod(query) });
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
      response: Order,
    },
    ({ params, scope }) => showOrder(deps, scope, requireId('ord', params.order_id)),
  );
}
