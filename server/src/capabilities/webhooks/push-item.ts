import { dateOf } from 'bestow-readers/time.ts';
import type { Cipher } from '../../platform/encryption/cipher.ts';
import type * as queries from './push-queries.ts';
import type { EndpointSecrets } from './queries.ts';
import type { Answer } from './send-push.ts';

/** An event to push. */
export interface Item {
  event: queries.EventRow;
  previous: number | null;
  /** Failed attempts before. */
  attempts: number;
  createdAt: Date;
  isNew: boolean;
}

/** @param nextAt null: delivered, or given up */
export const resultOf = (
  { event, previous, attempts, createdAt }: Item,
  attemptedAt: Date,
  { isAccepted, durationMs, status, error, body }: Answer,
  nextAt: Date | null,
): queries.PushResult => ({
  sequence: event.sequence,
  event_id: event.event_id,
  type: event.type,
  previous_sequence: previous,
  state: isAccepted ? 'delivered' : nextAt === null ? 'failed' : 'pending',
  attempts: attempts + 1,
  next_attempt_at: nextAt,
  created_at: createdAt,
  attempted_at: attemptedAt,
  duration_ms: durationMs,
  status,
  error,
  body,
});

export const UNREADABLE_SECRET: Answer = {
  isAccepted: false,
  status: null,
  error: 'The secret cannot be read, because LINK_SECRET has changed. Rotate it.',
  body: null,
  durationMs: 0,
  retryAfterMs: undefined,
};

/** The secrets that are valid now, the newest first. */
export function secretsOf(cipher: Cipher, endpoint: EndpointSecrets, nowMs: number): string[] {
  const { secret, previous_secret, previous_secret_until, earlier_secrets, earlier_secrets_until } = endpoint;
  const untils = [previous_secret_until, ...earlier_secrets_until];
  const earlier = [previous_secret, ...earlier_secrets].filter((_, n) => (untils[n]?.getTime() ?? 0) > nowMs);
  return [secret, ...earlier]
    .map((sealed) => (sealed === null ? undefined : cipher.decrypt(sealed)))
    .filter((opened) => opened !== undefined);
}

export const itemOf = (
  { previous_sequence, attempts, created_at }: queries.PendingRow,
  event: NonNullable<queries.PendingRow['event']>,
): Item => ({
  event: { ...event, created_at: dateOf(event.created_at) },
  previous: previous_sequence,
  attempts,
  createdAt: created_at,
  isNew: false,
});

/** The end of a delivery whose event is no longer kept. */
export const forgotten = (row: queries.PendingRow, now: Date): queries.PushResult => ({
  sequence: row.sequence,
  event_id: row.event_id,
  type: row.type,
  previous_sequence: row.previous_sequence,
  state: 'failed',
  attempts: row.attempts,
  next_attempt_at: null,
  created_at: row.created_at,
  attempted_at: now,
  duration_ms: 0,
  status: null,
  error: 'The event is no longer kept.',
  body: null,
});
