import { setTimeout as sleep } from 'node:timers/promises';
import { pick } from '../faults/random.ts';
import type { CallStart, Outcome, Recorder } from '../record/recorder.ts';
import { createHttpClient, type HttpAnswer, type HttpRequest, outcomeOfApi, outcomeOfPage } from './send.ts';
import type { LoadOrganization } from './state.ts';

export interface ClientOptions {
  urls: readonly string[];
  recorder: Recorder;
  random: () => number;
  timeoutMs: number;
  /** How long a client retries. */
  knownWithinMs: number;
}

export interface Call extends Pick<CallStart, 'operation' | 'idempotencyKey' | 'subjectId' | 'request'> {
  organization: LoadOrganization;
  method: 'GET' | 'POST' | 'PUT';
  path: string;
}

export interface LoadClient {
  /** One attempt. */
  once(call: Call): Promise<Outcome>;
  /** Retries after `unknown` and after errors that allow a retry, while there is time. */
  untilKnown(call: Call): Promise<Outcome>;
  /** Opens a recipient's page, without a key. */
  page(call: Call): Promise<Outcome>;
  close(): void;
}

/** Errors after which a client retries the same request. */
export const RETRIED_CODES: ReadonlySet<string> = new Set([
  'rate_limit_exceeded',
  'resource_locked',
  'idempotency_in_progress',
  'internal_error',
]);
const FIRST_PAUSE_MS = 100;
const LONGEST_PAUSE_MS = 1_000;

export function createLoadClient({ urls, recorder, random, timeoutMs, knownWithinMs }: ClientOptions): LoadClient {
  const http = createHttpClient(timeoutMs);

  async function attempt(call: Call, request: HttpRequest, read: (answer: HttpAnswer) => Outcome): Promise<Outcome> {
    const { organization, method: _, path: __, ...rest } = call;
    const { organizationId, environment } = organization;
    return await recorder.call({ ...rest, organizationId, environment }, async () => {
      try {
        return read(await http.send(pick(random, urls), request));
      } catch (error) {
        const { code, message } = error as NodeJS.ErrnoException;
        return { kind: 'unknown', reason: code ?? message };
      }
    });
  }

  const once = (call: Call) =>
    attempt(
      call,
      {
        method: call.method,
        path: call.path,
        headers: {
          Authorization: `Bearer ${call.organization.key}`,
          ...(call.idempotencyKey === undefined ? {} : { 'Idempotency-Key': call.idempotencyKey }),
          ...(call.request === undefined ? {} : { 'Content-Type': 'application/json' }),
        },
        ...(call.request === undefined ? {} : { body: JSON.stringify(call.request) }),
      },
      outcomeOfApi,
    );

  return {
    once,
    async untilKnown(call) {
      const untilMs = performance.now() + knownWithinMs;
      for (let pauseMs = FIRST_PAUSE_MS; ; pauseMs = Math.min(2 * pauseMs, LONGEST_PAUSE_MS)) {
        const outcome = await once(call);
        const isFinal = outcome.kind === 'ok' || (outcome.kind === 'failed' && !RETRIED_CODES.has(outcome.code));
        if (isFinal || performance.now() > untilMs) return outcome;
        const askedMs = outcome.kind === 'failed' ? (outcome.retryAfterSeconds ?? 0) * 1_000 : 0;
        await sleep(Math.max(askedMs, pauseMs * (0.5 + random() / 2)));
      }
    },
    page: (call) => attempt(call, { method: call.method, path: call.path }, outcomeOfPage),
    close: () => http.close(),
  };
}
