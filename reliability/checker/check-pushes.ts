import { isDeepStrictEqual } from 'node:util';
import { presentEvent } from '../../server/src/capabilities/feed/present-event.ts';
import { decodeId } from '../../server/src/platform/base/ids.ts';
import type { PushedEndpoint, PushedEvent, ReceivedPush, Recorder } from '../record/recorder.ts';
import { violationsOf } from './select-faulty.ts';
import type { Check } from './violation.ts';

type HeldEvent = Parameters<typeof presentEvent>[0];

/**
 * I11: each endpoint accepted every event, as the feed shows it, and was sent no other. An event that is missing in the table
 * was pushed before its commit. An ordered endpoint was sent no event before it accepted the one before.
 */
export const checkPushes: Check = async ({ sql, recorder, nowMs }) => {
  const texts: string[] = [];
  const byEndpoint = Map.groupBy(recorder.pushes, ({ endpointId }) => endpointId);
  for (const endpoint of recorder.endpoints) {
    const { rows: held } = await sql.query<HeldEvent>(EVENTS, [
      decodeId('org', endpoint.organizationId),
      endpoint.environment,
      endpoint.after,
    ]);
    const pushes = byEndpoint.get(endpoint.endpointId) ?? [];
    const found = [
      ...falsePushes(endpoint, pushes, held),
      ...lostPushes(pushes, held, nowMs),
      ...repeatedPushes(pushes, recorder),
      ...(endpoint.isOrdered ? earlyPushes(endpoint, pushes) : []),
    ];
    texts.push(...found.map((text) => `Endpoint ${endpoint.endpointId}: ${text}`));
  }
  return violationsOf('I11', texts);
};

const EVENTS = `
  select sequence::integer, event_id, type, order_id, gift_id, data, created_at from events
  where organization_id = $1 and environment = $2 and sequence > $3 order by sequence`;

/** Finds pushes that are not as the feed shows the event. */
function falsePushes({ after }: PushedEndpoint, pushes: readonly ReceivedPush[], held: readonly HeldEvent[]): string[] {
  const expected = new Map(held.map((row) => [row.sequence, pushOf(row, after)]));
  return pushes.flatMap(({ event }) => {
    const wanted = expected.get(event.sequence);
    if (wanted !== undefined && isDeepStrictEqual(event, wanted)) return [];
    return [`${JSON.stringify(event)} was pushed, and the feed has ${JSON.stringify(wanted ?? 'no such event')}.`];
  });
}

function pushOf(row: HeldEvent, after: number): PushedEvent {
  const { event_id, type, created_at, sequence, data } = presentEvent(row);
  const previous = sequence - 1;
  const shown = { event_id, type, timestamp: created_at, sequence, data };
  return { ...JSON.parse(JSON.stringify(shown)), previous_sequence: previous === after ? null : previous };
}

function lostPushes(pushes: readonly ReceivedPush[], held: readonly HeldEvent[], nowMs: number): string[] {
  const accepted = new Set(pushes.flatMap(({ event, isAccepted }) => (isAccepted ? [event.sequence] : [])));
  return held
    .filter(({ sequence, created_at }) => created_at.getTime() < nowMs && !accepted.has(sequence))
    .map(({ sequence, type }) => `event ${sequence}, ${type}, was never accepted.`);
}

/** After a crash an event may be accepted once more, because its answer may be lost. */
function repeatedPushes(pushes: readonly ReceivedPush[], { crashesAtMs }: Recorder): string[] {
  const accepted = Map.groupBy(
    pushes.filter(({ isAccepted }) => isAccepted),
    ({ event }) => event.sequence,
  );
  return [...accepted]
    .filter(([, copies]) => copies.length > crashesAtMs.length + 1)
    .map(([sequence, copies]) => `event ${sequence} was accepted ${copies.length} times.`);
}

function earlyPushes({ after }: PushedEndpoint, pushes: readonly ReceivedPush[]): string[] {
  let last = after;
  const texts: string[] = [];
  for (const { event, isAccepted } of pushes) {
    if (event.sequence > last + 1) texts.push(`event ${event.sequence} came before event ${last + 1} was accepted.`);
    if (isAccepted) last = Math.max(last, event.sequence);
  }
  return texts;
}
