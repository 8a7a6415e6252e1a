import assert from 'node:assert/strict';
import { type Exchange, type HttpRequest, showRequest } from '../exchange.ts';
import { checkAnswer } from './check-answer.ts';
import type { DrawnRequest } from './drawn-request.ts';
import { expect } from './expectation.ts';
import type { Site } from './site.ts';

/** An answer that is not as it must be, and the request that it was given to. */
export class Finding extends Error {
  constructor(request: HttpRequest, reason: unknown) {
    super(`${reason instanceof Error ? reason.message : String(reason)}\n    ${showRequest(request)}`);
  }
}

/** What was answered: `createOrder 422 parameter_invalid`. */
export type Told = (outcome: string) => void;

/** Sends the request and throws a `Finding` where the answer is not as documented, or not as it must be. */
export async function checkRequest(site: Site, exchange: Exchange, drawn: DrawnRequest, tell: Told): Promise<void> {
  const { request, prepared } = site.prepare(drawn);
  const expectation = expect(prepared);
  const isReset = drawn.operation.operationId === 'resetSandbox' && expectation.success !== undefined;
  const doomed = isReset ? await placeDoomedOrder(site) : undefined;
  const answer = await exchange(request);
  try {
    checkAnswer(prepared, request.method, answer, expectation);
  } catch (error) {
    throw new Finding(request, error);
  }
  site.learn(prepared, answer);
  const { operationId } = prepared.operation;
  if (request.method === prepared.operation.method)
    tell([operationId, answer.status || 'no answer', answer.body?.error?.code].filter(Boolean).join(' '));
  if (doomed !== undefined) await checkDeleted(site, exchange, doomed);
}

interface DoomedOrder {
  gifts: Record<string, unknown>[];
  idempotencyKey: string;
  orderId: string;
  giftId: string;
}

async function placeDoomedOrder({ doomed }: Site): Promise<DoomedOrder> {
  const gifts = [{ amount: 1000, category: 'coffee', delivery: { method: 'link' } }];
  await doomed.fund('sandbox', 5_000);
  const idempotencyKey = 'doomed';
  const { body } = await doomed.sandbox.order(gifts, idempotencyKey);
  return { gifts, idempotencyKey, orderId: body.order_id, giftId: body.gifts[0].gift_id };
}

/** Nothing that a reset has deleted can be used: not its ids, its cursors, its idempotency key or its money. */
async function checkDeleted(site: Site, exchange: Exchange, deleted: DoomedOrder): Promise<void> {
  const { gifts, idempotencyKey, orderId, giftId } = deleted;
  const uses: [code: string, method: string, path: string, body?: unknown][] = [
    ['resource_missing', 'GET', `/v1/orders/${orderId}`],
    ['resource_missing', 'GET', `/v1/gifts/${giftId}`],
    ['resource_missing', 'PUT', `/v1/gifts/${giftId}/delivery`, { method: 'email', email: 'a@example.com' }],
    ['resource_missing', 'POST', `/v1/sandbox/gifts/${giftId}/claim`],
    ['cursor_invalid', 'GET', `/v1/orders?starting_after=${orderId}`],
    ['cursor_invalid', 'GET', `/v1/gifts?ending_before=${giftId}`],
    ['insufficient_balance', 'POST', '/v1/orders', { gifts }],
  ];
  for (const [code, method, path, body] of uses) {
    const request: HttpRequest = {
      operationId: 'useAfterReset',
      url: site.service.url,
      method,
      path,
      headers: { Authorization: `Bearer ${site.doomed.keys.sandbox}`, 'Idempotency-Key': idempotencyKey },
      body: body === undefined ? undefined : JSON.stringify(body),
    };
    const answer = await exchange(request);
    try {
      assert.equal(answer.body?.error?.code, code, 'what was deleted is used');
    } catch (error) {
      throw new Finding(request, error);
    }
  }
}
