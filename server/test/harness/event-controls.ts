import assert from 'node:assert/strict';
import type { ReceivedPush } from '../../../reliability/record/recorder.ts';
import type { Control } from './checker-controls.ts';

/** Its event has data. */
function anyPush(pushes: readonly ReceivedPush[]): ReceivedPush {
  const push = pushes.find(({ event }) => event.type === 'order.created');
  assert.ok(push);
  return push;
}

/** Faults in events and in what endpoints received. */
export const eventControls: readonly Control[] = [
  {
    name: 'an event that is missing',
    expected: ['I11'],
    breakIt: ({ sql }) =>
      sql(`delete from events where type = 'order.created' and sequence = (
        select min(sequence) from events e where e.type = 'order.created' and e.sequence > 3)`),
  },
  {
    name: 'a claim without its event',
    expected: ['I11'],
    breakIt: ({ sql }) =>
      sql(`with replaced as (delete from events where type = 'gift.claimed' returning *)
        insert into events (organization_id, environment, sequence, type, created_at)
        select organization_id, environment, sequence, 'key.created', created_at from replaced`),
  },
  {
    name: 'a cancellation without its event',
    expected: ['I11'],
    breakIt: ({ sql }) =>
      sql(`update gifts set canceled_at = now() where (organization_id, environment, gift_id) = (
        select organization_id, environment, gift_id from gifts
        where environment = 'live' and claimed_at is null and canceled_at is null order by gift_id limit 1)`),
  },
  {
    name: 'a revoked key without its event',
    expected: ['I11'],
    breakIt: ({ sql }) =>
      sql(`update api_keys set revoked_at = now() where key_id = (
        select key_id from api_keys where environment = 'live' order by key_id limit 1)`),
  },
  {
    name: 'an event that no endpoint accepted',
    expected: ['I11'],
    async breakIt({ pushes }) {
      const { event } = anyPush(pushes);
      for (const push of pushes) if (push.event.event_id === event.event_id) push.isAccepted = false;
    },
  },
  {
    name: 'an event that was pushed before its commit',
    expected: ['I11'],
    async breakIt({ pushes }) {
      const push = anyPush(pushes);
      pushes.push({ ...push, event: { ...push.event, sequence: 1_000_000 } });
    },
  },
  {
    name: 'an event that was pushed with other data',
    expected: ['I11'],
    async breakIt({ pushes }) {
      const push = anyPush(pushes);
      push.event = { ...push.event, data: {} };
    },
  },
  {
    name: 'an event that was accepted twice without a crash',
    expected: ['I11'],
    breakIt: async ({ pushes }) => void pushes.push(anyPush(pushes)),
  },
  {
    name: 'two events that an ordered endpoint got in the wrong order',
    expected: ['I11'],
    async breakIt({ pushes, endpoints }) {
      const ordered = endpoints.find(({ isOrdered }) => isOrdered)?.endpointId;
      const places = pushes.flatMap(({ endpointId }, place) => (endpointId === ordered ? [place] : []));
      const [one, other] = places.slice(3);
      assert.ok(one !== undefined && other !== undefined);
      [pushes[one], pushes[other]] = [pushes[other], pushes[one]] as [ReceivedPush, ReceivedPush];
    },
  },
];
