import type { FastifyRequest, preValidationHookHandler } from 'fastify';
import { Type } from 'typebox';
import type { AddRoute } from '../api/operation.ts';
import { idParameter, requireId } from '../api/require-id.ts';
import { refTo } from '../api/schema.ts';
import type { Deps } from '../deps.ts';
import { BestowError } from '../errors.ts';
import { giftExample, linkGiftExample } from '../gifts/examples.ts';
import { principalOf } from '../http/request-context.ts';
import { PageQuery, parsePageRequest } from '../paging/page-query.ts';
import { createAnswerSteering } from '../sandbox/steer-answer.ts';
import { listOrders, retrieveOrder } from './list-orders.ts';
import { placeOrder } from './place-order.ts';
import { NewOrder, type NewOrderBody, Order, type OrderBody, OrderList } from './schema.ts';

const orderExample: OrderBody = {
  order_id: 'ord_01k0fxw4mze6hv3tqx4d5s8r2n',
  status: 'processed',
  gifts: [giftExample, linkGiftExample],
};

const newOrderExample: NewOrderBody = {
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

const IdempotencyKeyHeader = Type.Object({
  'Idempotency-Key': Type.String({
    minLength: 1,
    maxLength: 255,
    pattern: '^[ -~]{1,255}$',
    description:
      'A key that you make for this order, such as a random UUID: at most 255 printable ASCII characters. Retrying with the same key and body never charges twice.',
    examples: ['8f14e45f-ceea-467f-ab3c-5a1e2f0d9b77'],
  }),
});

export function orderRoutes(addRoute: AddRoute, deps: Deps): void {
  addCreateRoute(addRoute, deps);

  addRoute(
    {
      method: 'GET',
      path: '/v1/orders',
      operationId: 'listOrders',
      tag: 'Orders',
      summary: 'List orders',
      description:
        'All paid orders of the organization in this environment, most recent first. A client that polls with `ending_before` never misses an order.',
      access: 'key',
      query: PageQuery,
      response: refTo(OrderList),
      answers: {
        200: { description: 'A page of orders.', example: { object: 'list', data: [orderExample], has_more: false } },
      },
      errors: ['parameter_invalid', 'cursor_invalid'],
    },
    async ({ request }) => {
      const { rows, hasMore } = await listOrders(deps, principalOf(request), parsePageRequest(request.query));
      return { object: 'list' as const, data: rows, has_more: hasMore };
    },
  );

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
      response: refTo(Order),
      answers: { 200: { description: 'The order.', example: orderExample } },
      errors: ['resource_missing'],
    },
    ({ params, request }) => retrieveOrder(deps, principalOf(request), requireId('ord', params.order_id)),
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
      provesKey: true,
      headers: IdempotencyKeyHeader,
      body: refTo(NewOrder),
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
              schema: { type: 'string', enum: ['true'] },
            },
          },
        },
      },
      errors: [
        'request_body_invalid',
        'request_body_too_large',
        'parameter_invalid',
        'idempotency_key_reused',
        'idempotency_in_progress',
        'resource_locked',
        'organization_not_configured',
        'insufficient_balance',
      ],
      isMockable: true,
    },
    async ({ body, request, reply }) => {
      const key = requireIdempotencyKey(request);
      const { order, isReplay, effects } = await request.withProvenKey(reply, (principal) =>
        placeOrder(deps, principal, key, body),
      );
      await steerAnswer(effects);
      if (isReplay) reply.header('Idempotent-Replayed', 'true');
      reply.code(isReplay ? 200 : 201);
      return order;
    },
    { preValidation: checkIdempotencyKey },
  );
}

/** @throws BestowError `parameter_invalid` if the header is missing, repeated, too long or not printable ASCII */
function requireIdempotencyKey({ headers, raw }: FastifyRequest): string {
  const key = headers['idempotency-key'];
  // Node joins a repeated header with a comma; the intended key would be ambiguous.
  const isRepeated = key?.includes(',') && (raw.headersDistinct['idempotency-key']?.length ?? 0) > 1;
  if (typeof key === 'string' && !isRepeated && /^[ -~]{1,255}$/.test(key)) return key;
  throw new BestowError('parameter_invalid', {
    param: 'Idempotency-Key',
    message: 'Send one Idempotency-Key header of 1 to 255 printable ASCII characters, such as a random UUID.',
  });
}

/** Checks the header before the body. */
const checkIdempotencyKey: preValidationHookHandler = (request, _reply, done) => {
  requireIdempotencyKey(request);
  done();
};
