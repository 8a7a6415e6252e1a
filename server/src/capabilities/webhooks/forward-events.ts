import { setTimeout as pause } from 'node:timers/promises';
import type { Clock } from '../../platform/base/clock.ts';
import { OperatorError } from '../../platform/base/operator-error.ts';
import { sign } from '../../platform/base/webhook-signature.ts';
import type { EventBody } from '../feed/schema.ts';
import { noAnswerOf, Unavailable } from './no-answer.ts';

const WAIT_SECONDS = 30;
const READ_WITHIN_MS = 45_000;
const ANSWERED_WITHIN_MS = 10_000;
const PAUSE_MS = 2_000;

interface Forwarding {
  /** Address of the Bestow whose events are read. */
  from: string;
  to: string;
  key: string;
  /** `whsec_…` */
  secret: string;
  types: readonly string[] | undefined;
  /** Undefined: only new events. 0: from the first that is still held. */
  after: number | undefined;
  print(line: string): void;
  signal: AbortSignal;
}

interface Page {
  data: EventBody[];
  has_more: boolean;
  next_after: number;
}

/**
 * Posts the events of `/v1/events` to an address, signed as webhooks are, until the signal. Retries reading after a
 * pause; an event is posted once.
 *
 * @throws OperatorError if Bestow refuses the request
 */
export async function forwardEvents({ clock }: { clock: Clock }, forwarding: Forwarding): Promise<void> {
  const { signal, print } = forwarding;
  let { after } = forwarding;
  let previous: number | null = null;
  for (let isNew = after !== undefined; !signal.aborted; ) {
    const startMs = performance.now();
    try {
      const page = await readPage(forwarding, after, isNew ? WAIT_SECONDS : 0);
      for (const event of isNew ? page.data : []) {
        print(`${event.type} ${event.event_id} ${await push(clock, forwarding, event, previous)}`);
        if (signal.aborted) return;
        previous = event.sequence;
      }
      after = page.next_after;
      isNew ||= !page.has_more;
      // A busy service may answer without the wait.
      if (page.data.length === 0 && performance.now() - startMs < PAUSE_MS) await rest(signal);
    } catch (error) {
      if (signal.aborted) return;
      if (error instanceof OperatorError) throw error;
      print(
        `Cannot read events of ${forwarding.from}. ${noAnswerOf(error)}. Retrying; start it, or name another address with --url.`,
      );
      await rest(signal);
    }
  }
}

const rest = (signal: AbortSignal) => pause(PAUSE_MS, undefined, { signal }).catch(() => undefined);

async function readPage({ from, key, types, signal }: Forwarding, after: number | undefined, wait: number) {
  const query = new URLSearchParams({ limit: '1000', wait: `${wait}` });
  if (after !== undefined && after > 0) query.set('after', `${after}`);
  if (types !== undefined) query.set('types', types.join(','));
  const response = await fetch(`${from.replace(/\/+$/, '')}/v1/events?${query}`, {
    headers: { Authorization: `Bearer ${key}` },
    redirect: 'manual',
    signal: AbortSignal.any([signal, AbortSignal.timeout(READ_WITHIN_MS)]),
  });
  const text = await response.text();
  if (response.status === 200) return JSON.parse(text) as Page;
  if (response.status === 429 || response.status >= 500) throw new Unavailable(`It answered ${response.status}`);
  throw new OperatorError(`${from} refused to list events with ${response.status}; check the key and the options.`);
}

/** Returns the status of the answer, or the reason why no answer came. */
async function push(clock: Clock, { to, secret, signal }: Forwarding, event: EventBody, previous: number | null) {
  const { type, created_at: timestamp, data, event_id, sequence } = event;
  const body = JSON.stringify({ type, timestamp, data, event_id, sequence, previous_sequence: previous });
  const seconds = Math.floor(clock.now() / 1_000);
  try {
    const response = await fetch(to, {
      method: 'POST',
      headers: {
        'content-type': 'application/json',
        'user-agent': 'Bestow-Webhooks/1',
        'webhook-id': event_id,
        'webhook-timestamp': `${seconds}`,
        'webhook-signature': sign([secret], event_id, seconds, body),
      },
      body,
      redirect: 'manual',
      signal: AbortSignal.any([signal, AbortSignal.timeout(ANSWERED_WITHIN_MS)]),
    });
    await response.body?.cancel();
    return `${response.status}`;
  } catch (error) {
    await rest(signal);
    return `no answer: ${noAnswerOf(error)}. Check the address of --forward-to.`;
  }
}
