import { type Static, Type } from 'typebox';
import type { AddRoute } from '../../platform/api/operation.ts';
import { idParameter, requireId } from '../../platform/api/require-id.ts';
import { refTo } from '../../platform/api/schema.ts';
import { callerOf } from '../../platform/authentication/caller.ts';
import {
  checkIdempotencyKey,
  checkOptionalIdempotencyKey,
  IdempotencyKeyHeader,
  idempotencyKeyOf,
  OptionalIdempotencyKeyHeader,
  onceRequestOf,
  replayedHeader,
} from '../../platform/idempotency/key-header.ts';
import { exportList, wantsCsv } from '../../platform/paging/export-list.ts';
import { choice } from '../../platform/paging/list-filters.ts';
import { PageQuery, parsePageRequest } from '../../platform/paging/page-query.ts';
import { endOfPage } from '../../platform/paging/read-filtered-page.ts';
import type { Deps } from '../deps.ts';
import { afterChange } from '../gifts/expand/answer-gift.ts';
import { expandQuery, readExpand } from '../gifts/expand/expand-query.ts';
import { giftFilterQuery } from '../gifts/find/read-filters.ts';
import { CancelInput } from '../gifts/gift/schema.ts';
import { canceledGiftExample, giftExample, linkGiftExample } from '../gifts/routes/examples.ts';
import { steerOrder } from '../sandbox/steer-order.ts';
import { createAnswerSteering } from '../sandbox/steering.ts';
import { cancelOrder } from './cancel-order.ts';
import { answerOrder, expandOrders } from './expand-orders.ts';
import { filterOrders } from './filter-orders.ts';
import { listOrders, retrieveOrder } from './list-orders.ts';
import { orderStatuses, ordersAsCsv, readFiltersOfOrders } from './orders-as-csv.ts';
import { placeOrder } from './place-order.ts';
import { Order, type OrderBody, OrderInput, type OrderInputBody, OrderList } from './schema.ts';

const orderExample: OrderBody = {
  order_id: 'ord_01k0fxw4mze6hv3tqx4d5s8r2n',
  status: 'processed',
  gifts: [giftExample, linkGiftExample],
};

const newOrderExample: OrderInputBody = {
  gifts: [
    {
      amount: 2500,
      category: 'coffee',
      delivery: { method: 'email', email: 'delivered@sandbox.gift.test' },
      personalization: { recipient_name: 'Ada', sender_name: 'The Analytical Engine team' },
    },
    { amount: 5000, category: 'books', delivery: { method: 'link' } },
  ],
};

export function orderRoutes(addRoute: AddRoute, deps: Deps): void {
  addCreateRoute(addRoute, deps);
  addCancelRoute(addRoute, deps);

  addListRoute(addRoute, deps);

  addRoute(
    {
      method: 'GET',
      path: '/v1/orders/{order_id}',
      operationId: 'retrieveOrder',
      tag: 'Orders',
      summary: 'Retrieve an order',
      description: 'One order with its gifts, in submission order.',
      access: 'key',
      params: idParameter('order_id', 'The order’s id.', orderExample.order_id),
      query: Type.Object(expandQuery),
      response: refTo(Order),
      answers: { 200: { description: 'The order.', example: orderExample } },
      errors: ['resource_missing', 'parameter_invalid'],
    },
    async ({ params, request }) => {
      const caller = callerOf(request);
      const expand = readExpand(request.query);
      return answerOrder(deps, caller, expand, await retrieveOrder(deps, caller, requireId('ord', params.order_id)));
    },
  );
}

function addListRoute(addRoute: AddRoute, deps: Deps): void {
  addRoute(
    {
      method: 'GET',
      path: '/v1/orders',
      operationId: 'listOrders',
      tag: 'Orders',
      summary: 'List orders',
      description:
        'All paid orders of the organization in this environment, most recent first. A client that polls with `ending_before` never misses an order. With `Accept: text/csv` the answer is every matching order as CSV.',
      hasCsv: true,
      access: 'key',
      isCompressed: true,
      query: Type.Object({
        ...PageQuery.properties,
        ...giftFilterQuery,
        status: choice(orderStatuses, 'Only these orders.'),
        ...expandQuery,
      }),
      response: refTo(OrderList),
      answers: {
        200: { description: 'A page of orders.', example: { object: 'list', data: [orderExample], has_more: false } },
      },
      errors: ['parameter_invalid', 'cursor_invalid'],
    },
    async ({ request, reply }) => {
      const caller = callerOf(request);
      const page = parsePageRequest(request.query);
      const query = request.query as Record<string, unknown>;
      const filters = readFiltersOfOrders(query);
      const expand = readExpand(query);
      const addParts = (orders: OrderBody[]) => expandOrders(deps, caller, expand, orders);
      if (wantsCsv(request)) return exportList(deps, reply, ordersAsCsv(deps, caller, query, addParts));
      const { rows, ...more } =
        filters === undefined
          ? await listOrders(deps, caller, page)
          : await filterOrders(deps, caller, { ...page, ...filters });
      return { object: 'list' as const, data: await addParts(rows), ...endOfPage(more) };
    },
  );
}

function addCreateRoute(addRoute: AddRoute, deps: Deps): void {
  const steerAnswer = createAnswerSteering(deps);
  addRoute(
    {
      method: 'POST',
      path: '/v1/orders',
      operationId: 'createOrder',
      tag: 'Orders',
      summary: 'Place an order',
      description:
        'Buys 1 to 10 gifts, paid from the organization’s balance in one debit, and sends the email and phone gifts. Either everything happens or nothing. After a time-out or a dropped connection, retry with the same `Idempotency-Key` and body: you get the placed order and are never charged twice. An error does not consume the key, so you can fix the body and retry with the same key. In the sandbox the recipient’s address steers a gift or the whole order.',
      access: 'key',
      query: Type.Object(expandQuery),
      headers: IdempotencyKeyHeader,
      body: refTo(OrderInput),
      bodyExamples: { order: { summary: 'Two gifts', value: newOrderExample } },
      response: refTo(Order),
      answers: {
        201: { description: 'The order was placed and paid for.', example: orderExample },
        200: {
          description: 'The order placed by an earlier request with this key and body, as it is now.',
          example: orderExample,
          headers: {
            'Idempotent-Replayed': {
              description: 'Always `true`: this is an earlier order, and nothing was charged.',
              schema: { type: 'string', const: 'true' },
              required: true,
            },
          },
        },
      },
      errors: [
        'parameter_invalid',
        'idempotency_key_reused',
        'idempotency_in_progress',
        'external_id_taken',
        'resource_locked',
        'organization_not_configured',
        'insufficient_balance',
      ],
      isMockable: true,
    },
    async ({ body, request, reply }) => {
      const caller = callerOf(request);
      const key = idempotencyKeyOf(request);
      const expand = readExpand(request.query);
      const steering = steerOrder(deps, caller, key, body.gifts);
      const { order, isReplay } = await placeOrder(deps, caller, key, body, steering);
      if (steering !== undefined && !isReplay) await steerAnswer(steering.effects);
      if (isReplay) reply.header('Idempotent-Replayed', 'true');
      reply.code(isReplay ? 200 : 201);
      return afterChange(answerOrder(deps, caller, expand, order));
    },
    { preValidation: checkIdempotencyKey },
  );
}

function addCancelRoute(addRoute: AddRoute, deps: Deps): void {
  addRoute(
    {
      method: 'POST',
      path: '/v1/orders/{order_id}/cancel',
      operationId: 'cancelOrder',
      tag: 'Orders',
      summary: 'Cancel an order',
      description:
        'Takes every unclaimed gift of the order back in one step, as when each is canceled. Gifts that a `processing` order has not created yet are canceled too, and the order is `processed`. Claimed gifts stay as they are. Canceling it again changes nothing.',
      access: 'key',
      params: idParameter('order_id', 'The order’s id.', orderExample.order_id),
      query: Type.Object(expandQuery),
      headers: OptionalIdempotencyKeyHeader,
      body: refTo(CancelInput),
      isBodyOptional: true,
      bodyExamples: { reason: { summary: 'With a reason', value: { reason: 'Ordered twice' } } },
      response: refTo(Order),
      answers: {
        200: {
          name: 'CanceledOrder',
          description: 'The order with its canceled gifts.',
          example: { ...orderExample, gifts: [canceledGiftExample] },
          headers: replayedHeader,
        },
      },
      errors: [
        'resource_missing',
        'parameter_invalid',
        'idempotency_key_reused',
        'idempotency_in_progress',
        'gift_already_redeemed',
        'resource_locked',
      ],
    },
    async ({ params, body, request, reply }) => {
      const orderId = requireId('ord', params.order_id);
      const expand = readExpand(request.query);
      const { reason } = (body ?? {}) as Static<typeof CancelInput>;
      const canceled = {
        orderId,
        reason,
        actor: { kind: 'key', address: request.ip },
        once: onceRequestOf(request),
      } as const;
      const caller = callerOf(request);
      const { order, isReplay } = await cancelOrder(deps, caller, canceled);
      if (isReplay) reply.header('Idempotent-Replayed', 'true');
      return afterChange(answerOrder(deps, caller, expand, order));
    },
    { preValidation: checkOptionalIdempotencyKey },
  );
}
