import { randomUUID } from 'node:crypto';
import { OperatorError } from '../../platform/base/operator-error.ts';
import type { EventType } from '../../platform/events/event-types.ts';
import type { EventBody } from '../feed/schema.ts';
import { noAnswerOf } from './no-answer.ts';
import { type Trigger, triggers } from './triggers.ts';

/** The least that a gift may be worth. */
const AMOUNT_CENTS = 1_000;
const WAIT_SECONDS = 30;
const ANSWERED_WITHIN_MS = 45_000;
/** An order that is `processing` is finished within a minute. */
const EVENT_WITHIN_MS = 90_000;
const CHECK_ADDRESS = 'Start it with bestow serve, or name another address with --url.';
const NO_GIFT = `gift_${'0'.repeat(26)}`;

interface Asked {
  /** Address of the Bestow whose sandbox is used. */
  from: string;
  /** Of the sandbox. */
  key: string;
  type: EventType;
}

interface Page {
  data: EventBody[];
  has_more: boolean;
  next_after: number;
}

interface Answer {
  status: number;
  body: { error?: { code: string; message: string; reason?: string } };
}

/**
 * Makes an event happen in the sandbox, by an order and other calls of `/v1`, and returns it as the feed shows it.
 *
 * @throws OperatorError if the type needs something else, the key is not of the sandbox, or a call is refused
 */
export async function triggerEvent({ from, key, type }: Asked): Promise<EventBody> {
  const trigger = requireTrigger(type);
  const call = callerOf(from, key);
  // Only sandbox endpoints know whether a key is of the sandbox: older keys do not show it.
  const { status } = await call('POST', `/v1/sandbox/gifts/${NO_GIFT}/open`);
  if (status === 403) throw new OperatorError('The key must be of the sandbox, because this places an order.');
  const after = await endOfFeed(call, type);
  const orderId = await makeHappen(call, trigger);
  return await findEvent(call, { type, after, orderId });
}

/** @throws OperatorError if an API key cannot make this event happen */
export function requireTrigger(type: EventType): Trigger {
  const trigger = triggers[type];
  if (!('instead' in trigger)) return trigger;
  throw new OperatorError(`An API key cannot make ${type} happen. It comes from: ${trigger.instead}.`);
}

type Call = (method: string, path: string, body?: object) => Promise<Answer>;

function callerOf(from: string, key: string): Call {
  return async (method, path, body) => {
    try {
      const response = await fetch(`${from.replace(/\/+$/, '')}${path}`, {
        method,
        headers: { Authorization: `Bearer ${key}`, 'Idempotency-Key': randomUUID() },
        ...(body && { body: JSON.stringify(body) }),
        redirect: 'manual',
        signal: AbortSignal.timeout(ANSWERED_WITHIN_MS),
      });
      return { status: response.status, body: (await response.json()) as Answer['body'] };
    } catch (error) {
      throw new OperatorError(`${from} did not answer as Bestow does. ${noAnswerOf(error)}. ${CHECK_ADDRESS}`);
    }
  };
}

/** Returns the body of a successful answer. @throws OperatorError with the reason of another */
async function need<Body>(answer: Promise<Answer>): Promise<Body> {
  const { status, body } = await answer;
  if (status === 200 || status === 201) return body as Body;
  const { code, message, reason } = body.error ?? {
    code: 'unknown',
    message: 'No reason was given.',
    reason: undefined,
  };
  const hint =
    code === 'insufficient_balance' && reason === undefined ? ' Use bestow balance add --environment sandbox.' : '';
  throw new OperatorError(`Bestow refused this with ${status} ${code}: ${message}${hint}`);
}

const readFeed = (call: Call, query: Record<string, string>) =>
  need<Page>(call('GET', `/v1/events?${new URLSearchParams(query)}`));

async function endOfFeed(call: Call, types: EventType): Promise<number> {
  let page = await readFeed(call, { types, limit: '1000' });
  while (page.has_more) page = await readFeed(call, { types, limit: '1000', after: `${page.next_after}` });
  return page.next_after;
}

/** Returns the id of the order. */
async function makeHappen(call: Call, { delivery, followUp }: Trigger): Promise<string> {
  const catalog = await need<{ data: { id: string }[] }>(call('GET', '/v1/categories'));
  const gift = { amount: AMOUNT_CENTS, category: catalog.data[0]?.id, delivery };
  const order = await need<{ order_id: string; gifts: { gift_id: string }[] }>(
    call('POST', '/v1/orders', { gifts: [gift] }),
  );
  if (followUp !== undefined) {
    const { method, path, body } = followUp({ order_id: order.order_id, gift_id: order.gifts[0]?.gift_id });
    await need(call(method, path, body));
  }
  return order.order_id;
}

async function findEvent(
  call: Call,
  { type: types, after: end, orderId }: { type: EventType; after: number; orderId: string },
): Promise<EventBody> {
  const startMs = performance.now();
  for (let after = end; performance.now() - startMs < EVENT_WITHIN_MS; ) {
    const page = await readFeed(call, { types, after: `${after}`, wait: `${WAIT_SECONDS}` });
    const event = page.data.find(({ data }) => data.order_id === orderId);
    if (event !== undefined) return event;
    after = page.next_after;
  }
  throw new OperatorError(`The order ${orderId} was placed, but its event ${types} did not come. Is a worker running?`);
}
