import type { LeasedEndpoint } from './push-queries.ts';
import { probeDelay } from './retry-schedule.ts';
import type { RunEvent } from './run-states.ts';
import type { Answer } from './send-push.ts';

const GONE = 410;

/** How an endpoint has answered lately, as its row has it. */
export interface Health {
  readonly failing_since: Date | null;
  /** Since the last success. */
  readonly failures: number;
  /** Null: the endpoint gets new events; otherwise one, from then on. */
  readonly probe_at: Date | null;
  readonly paused_until: Date | null;
  readonly is_gone: boolean;
}

export const healthOf = ({ failing_since, failures, probe_at }: LeasedEndpoint): Health => ({
  failing_since,
  failures,
  probe_at,
  paused_until: null,
  is_gone: false,
});

export function afterAnswer(health: Health, { isAccepted, status, retryAfterMs }: Answer, now: Date): Health {
  if (isAccepted) return { ...health, failing_since: null, failures: 0, probe_at: null };
  const failing_since = health.failing_since ?? now;
  const failures = health.failures + 1;
  const probeMs = probeDelay(failures, now.getTime() - failing_since.getTime());
  return {
    failing_since,
    failures,
    probe_at: probeMs === undefined ? health.probe_at : later(now, probeMs),
    paused_until:
      retryAfterMs === undefined ? health.paused_until : latest(health.paused_until, later(now, retryAfterMs)),
    is_gone: health.is_gone || status === GONE,
  };
}

const later = (time: Date, ms: number) => new Date(time.getTime() + ms);
const latest = (one: Date | null, other: Date) => (one !== null && one > other ? one : other);

/** What the change means for the run; undefined: nothing. */
export function eventOf(before: Health, after: Health, mustRetryFirst: boolean): RunEvent | undefined {
  if (after.failures === 0) return before.probe_at === null ? undefined : 'recovered';
  if (after.is_gone || after.paused_until !== null || mustRetryFirst) return 'ended';
  return after.probe_at === null ? undefined : 'failing';
}
