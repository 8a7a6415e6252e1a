import { readHttpDate } from 'bestow-readers/time.ts';
import type { Static } from 'typebox';
import type { Clock } from '../../platform/base/clock.ts';
import { explainConnection } from '../../platform/base/explain-connection.ts';
import { sign } from '../../platform/base/webhook-signature.ts';
import { createAddressRules } from './allowed-address.ts';
import { createAgents, PushFailure } from './checked-agents.ts';
import { SYSTEM_FILES } from './local-names.ts';
import { post } from './post.ts';
import type { PushHeaders } from './push-schema.ts';
import { createResolver, type ResolveName } from './resolve-name.ts';

/** The longest delay of the schedule. */
const MAX_RETRY_AFTER_MS = 86_400_000;

export interface Push {
  url: string;
  /** `evt_…`; the same in every attempt. */
  id: string;
  body: string;
  /** `whsec_…`, all that are valid. */
  secrets: readonly string[];
}

/** What an attempt found. */
export interface Answer {
  isAccepted: boolean;
  /** Null: no answer. */
  status: number | null;
  /** Null if accepted. */
  error: string | null;
  /** The first kilobyte of the answer. */
  body: string | null;
  durationMs: number;
  retryAfterMs: number | undefined;
}

export interface Sender {
  /** Never throws; undefined if the process stops before the answer. */
  send(push: Push): Promise<Answer | undefined>;
  /** Ends the attempts under way. */
  abort(): void;
  close(): void;
}

interface SenderOptions {
  /** Private networks; with them, names that only this machine and its network know are found too. */
  allowedNetworks: readonly string[];
  resolve?: ResolveName;
}

/** Pushes to public addresses by https, never follows a redirect, and reads at most 64 kB within ten seconds. */
export function createSender(
  { clock }: { clock: Clock },
  {
    allowedNetworks,
    resolve = createResolver(allowedNetworks.length > 0 ? { files: SYSTEM_FILES } : {}),
  }: SenderOptions,
): Sender {
  const agents = createAgents(createAddressRules(allowedNetworks), resolve);
  const stop = new AbortController();

  async function send({ url, id, body, secrets }: Push): Promise<Answer | undefined> {
    const startedAtMs = clock.now();
    const started = performance.now();
    const seconds = Math.floor(startedAtMs / 1_000);
    const signed: Static<typeof PushHeaders> = {
      'webhook-id': id,
      'webhook-timestamp': seconds,
      'webhook-signature': sign(secrets, id, seconds, body),
    };
    const headers = {
      'content-type': 'application/json',
      'content-length': Buffer.byteLength(body),
      'user-agent': 'Bestow-Webhooks/1',
      ...signed,
    };
    const durationMs = () => Math.round(performance.now() - started);
    try {
      const { status, text, retryAfter } = await post({ url, headers, body, agents, clock, stop: stop.signal });
      const isAccepted = status >= 200 && status < 300;
      return {
        isAccepted,
        status,
        error: isAccepted ? null : explain(status),
        body: text,
        durationMs: durationMs(),
        retryAfterMs: readRetryAfter(retryAfter, startedAtMs),
      };
    } catch (error) {
      if (stop.signal.aborted) return undefined;
      return {
        isAccepted: false,
        status: null,
        error: explainFailure(error),
        body: null,
        durationMs: durationMs(),
        retryAfterMs: undefined,
      };
    }
  }

  return {
    send,
    abort: () => stop.abort(),
    close() {
      agents.http.destroy();
      agents.https.destroy();
    },
  };
}

/** In words for the endpoint's owner, never those of a library. */
const explainFailure = (error: unknown): string =>
  error instanceof PushFailure ? error.message : `${explainConnection(error)?.text ?? 'The connection failed'}.`;

function explain(status: number): string {
  if (status >= 300 && status < 400) return `The answer was ${status}. Redirects are not followed.`;
  if (status === 410) return 'The answer was 410, so the endpoint was switched off.';
  return `The answer was ${status}.`;
}

/** Seconds or a date (RFC 9110, 10.2.3). */
function readRetryAfter(value: string | undefined, nowMs: number): number | undefined {
  if (value === undefined) return undefined;
  const untilMs = readHttpDate(value)?.getTime() ?? nowMs;
  const ms = /^\d{1,9}$/.test(value) ? Number(value) * 1_000 : untilMs - nowMs;
  return ms <= 0 ? undefined : Math.min(ms, MAX_RETRY_AFTER_MS);
}
