// Runs the calls of the table of faults with the TypeScript client: a line of JSON in for each, a line out.
import { createInterface } from 'node:readline';
import { type Attempt, Bestow, BestowError, type LastResponse, type OrderInput } from '../../src/index.ts';

interface Call {
  id: string;
  base_url: string;
  key: string;
  call: 'order' | 'order_abort' | 'read' | 'gift' | 'claim' | 'orders' | 'stream';
  options?: { timeout_ms?: number; try_timeout_ms?: number; max_retries?: number };
  idempotency_key: string;
  abort_after_ms?: number;
  /** How many orders to place one after another, or events to read. */
  count: number;
  body: OrderInput;
  gift_id: string;
}

function answerOf(
  bestow: Bestow,
  { call, body, idempotency_key, abort_after_ms = 0, gift_id }: Call,
): PromiseLike<object> {
  switch (call) {
    case 'order':
      return bestow.orders.create(body, { idempotencyKey: idempotency_key });
    case 'order_abort':
      return bestow.orders.create(body, {
        idempotencyKey: idempotency_key,
        signal: AbortSignal.timeout(abort_after_ms),
      });
    case 'read':
      return bestow.categories.list();
    case 'gift':
      return bestow.gifts.retrieve(gift_id);
    case 'claim':
      return bestow.sandbox.claim(gift_id);
    default:
      throw new Error(`The driver has no call ${call}.`);
  }
}

/** Places orders one after another, each with its own key. */
async function placeOrders(bestow: Bestow, { body, count, idempotency_key }: Call): Promise<string[]> {
  const ids: string[] = [];
  for (let number = 0; number < count; number += 1)
    ids.push((await bestow.orders.create(body, { idempotencyKey: `${idempotency_key}-${number}` })).order_id);
  return ids;
}

/** Reads the feed from its beginning. */
async function readEvents(bestow: Bestow, { count }: Call): Promise<number[]> {
  const sequences: number[] = [];
  for await (const { sequence } of bestow.events.stream({ after: 0, types: ['order.created'] }))
    if (sequences.push(sequence) === count) break;
  return sequences;
}

/** What is told of an error. */
function factsOf(error: unknown): object {
  if (!(error instanceof BestowError)) return { error: 'Other', message: String(error) };
  const { name, message, attempts, outcomeUnknown, idempotencyKey, status } = error;
  const { code } = error as { code?: string };
  const facts = { attempts, outcome_unknown: outcomeUnknown, idempotency_key: idempotencyKey, status, code };
  return { error: name, message, ...facts };
}

async function run(call: Call): Promise<object> {
  const seen: Attempt[] = [];
  const { timeout_ms: timeoutMs, try_timeout_ms: tryTimeoutMs, max_retries: maxRetries } = call.options ?? {};
  const onAttempt = (attempt: Attempt) => void seen.push(attempt);
  const options = { timeoutMs, tryTimeoutMs, maxRetries, onAttempt };
  const bestow = new Bestow(call.key, { baseUrl: call.base_url, ...options });
  if (call.call === 'orders') return { id: call.id, result: 'ok', order_ids: await placeOrders(bestow, call) };
  if (call.call === 'stream') return { id: call.id, result: 'ok', sequences: await readEvents(bestow, call) };
  const told = await answerOf(bestow, call).then(
    (answer) => {
      const { lastResponse, order_id } = answer as { lastResponse: LastResponse; order_id?: string };
      return { result: 'ok', order_id, attempts: lastResponse.attempts, is_replay: lastResponse.isReplay };
    },
    (error: unknown) => ({ result: 'error', ...factsOf(error) }),
  );
  const pauses_ms = seen.flatMap(({ pauseMs }) => (pauseMs === undefined ? [] : [pauseMs]));
  return { id: call.id, ...told, pauses_ms };
}

for await (const line of createInterface({ input: process.stdin }))
  void run(JSON.parse(line)).then((told) => process.stdout.write(`${JSON.stringify(told)}\n`));
