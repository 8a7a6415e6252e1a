/** What a provider does with a call instead of doing it once and answering truly. */
export interface Lie {
  name: string;
  /** How often the call has its effect. */
  effects: 0 | 1 | 2;
  delayMs?: number;
  /** `none` closes the connection, `another` is the latest answer about another gift. */
  reply: 'true' | 'none' | 'another' | readonly [status: number, body: string];
  /** The answer is kept under the call's idempotency key. */
  isKept?: true;
}

/** As Stripe and as Lithic write it. */
const error = (type: string, message: string) => JSON.stringify({ error: { type, message }, message });
const FAILED = error('api_error', 'Something went wrong.');
/** Longer than a recipient's request waits, shorter than a job. */
const TIME_OUT_MS = 12_000;
const SLOW_MS = 3_000;

export const lies: readonly Lie[] = [
  { name: 'down', effects: 0, reply: 'none' },
  { name: 'fails', effects: 0, reply: [500, FAILED] },
  { name: 'busy', effects: 0, reply: [429, error('invalid_request_error', 'Too many requests.')] },
  { name: 'slow', effects: 1, delayMs: SLOW_MS, reply: 'true' },
  { name: 'loses the answer', effects: 1, reply: 'none' },
  { name: 'times out after success', effects: 1, delayMs: TIME_OUT_MS, reply: 'none' },
  { name: 'fails after success', effects: 1, reply: [500, FAILED] },
  { name: 'fails after success, for ever', effects: 1, reply: [500, FAILED], isKept: true },
  { name: 'refuses after success', effects: 1, reply: [400, error('invalid_request_error', 'No.')] },
  { name: 'gets the call twice', effects: 2, reply: 'true' },
  { name: 'answers for another', effects: 1, reply: 'another' },
  { name: 'answers nothing', effects: 1, reply: [200, ''] },
  { name: 'answers {}', effects: 1, reply: [200, '{}'] },
  { name: 'answers null', effects: 1, reply: [200, 'null'] },
  { name: 'answers a page', effects: 1, reply: [200, '<html>Maintenance</html>'] },
  { name: 'answers half', effects: 1, reply: [200, '{"id":"ic_half","obj'] },
];

/** Those that take no time. */
export const quickLies = lies.filter(({ delayMs = 0 }) => delayMs < TIME_OUT_MS);
