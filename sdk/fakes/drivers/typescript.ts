import { ApiError, type Bestow, ConnectionError } from '../../src/index.ts';

/** A step of a case in `cases.json`. */
export interface Step {
  call?: string;
  key?: string | null;
  body?: unknown;
  save?: Record<string, string>;
  until?: Record<string, string>;
  advance_ms?: number;
  fund?: number;
}
/** What a step answered: the status, whether it is a replay, and the body; the code of an error is in its body. */
export interface Told {
  call: string;
  status: number | undefined;
  isReplay: boolean;
  body: unknown;
}
/** A Bestow and what a test can do to it. */
export interface Played {
  bestow: Bestow;
  nowMs(): number;
  fund(cents: number): unknown;
  advance(ms: number): unknown;
}

const POLL_MS = 20;
const MOST_TRIES = 250;

// biome-ignore lint/suspicious/noExplicitAny: answers of every shape
const partOf = (body: any, path: string) => path.split('.').reduce((part, name) => part?.[name], body);

async function callOnce(bestow: Bestow, call: string, body: unknown, key: string | null | undefined): Promise<Told> {
  const [method = '', path = ''] = call.split(' ');
  try {
    const options = { body, maxRetries: 0, ...(key != null && { idempotencyKey: key }) };
    const answer = await bestow.request(method, path, options);
    const { status, isReplay } = answer.lastResponse;
    return { call, status, isReplay, body: answer };
  } catch (error) {
    if (error instanceof ApiError) {
      const { status, type, code, param, reason, orderId } = error;
      return { call, status, isReplay: false, body: { type, code, param, reason, order_id: orderId } };
    }
    if (error instanceof ConnectionError || error instanceof TypeError)
      return { call, status: undefined, isReplay: false, body: error.constructor.name };
    throw error;
  }
}

/** Plays a case; returns what each call answered, and the last event before them. */
export async function play({ bestow, nowMs, fund, advance }: Played, steps: readonly Step[]) {
  const { next_after } = await bestow.request<{ next_after: number }>('GET', '/v1/events?limit=1000');
  const saved: Record<string, unknown> = { start: next_after };
  const beganMs = nowMs();
  const filled = (text: string) =>
    text
      .replaceAll(/\{time([+-]\d+)\}/g, (_, seconds) => new Date(beganMs + 1_000 * seconds).toISOString())
      .replaceAll(/\{(\w+)\}/g, (_, name) => `${saved[name]}`);
  const told: Told[] = [];
  for (const { call, key, body, save = {}, until = {}, advance_ms, fund: cents } of steps) {
    if (cents !== undefined) await fund(cents);
    if (advance_ms !== undefined) await advance(advance_ms);
    if (call === undefined) continue;
    const sent = body === undefined ? undefined : JSON.parse(filled(JSON.stringify(body)));
    const isReached = ({ body: seen }: Told) =>
      Object.entries(until).every(([name, value]) => partOf(seen, name) === value);
    let answer = await callOnce(bestow, filled(call), sent, key);
    for (let tries = 0; !isReached(answer) && tries < MOST_TRIES; tries += 1) {
      await new Promise((resolve) => setTimeout(resolve, POLL_MS));
      answer = await callOnce(bestow, filled(call), sent, key);
    }
    for (const [name, path] of Object.entries(save)) saved[name] = partOf(answer.body, path) ?? '';
    told.push({ ...answer, call });
  }
  return { start: next_after, told };
}
