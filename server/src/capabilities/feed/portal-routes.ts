import { Type } from 'typebox';
import type { Deps } from '../../core/deps.ts';
import { seesPeople } from '../../faces/portal-access/access.ts';
import type { Register } from '../../faces/portal-access/register.ts';
import { Time } from '../../platform/api/schema.ts';
import { listLatestEvents } from './list-latest-events.ts';
import type { EventBody } from './schema.ts';

const LatestEvent = Type.Object(
  {
    event_id: Type.String(),
    type: Type.String(),
    created_at: Time,
    sequence: Type.Integer(),
    data: Type.Unsafe<EventBody['data']>({ type: 'object', additionalProperties: true }),
  },
  { $id: 'LatestEvent' },
);

/** Events (docs/events.md). */
export function eventRoutes(register: Register, deps: Deps): void {
  register(
    {
      method: 'GET',
      path: '/organizations/{organization_id}/{environment}/events',
      operationId: 'listLatestEvents',
      tag: 'Webhooks',
      summary: 'The latest 30 events of an environment, newest first.',
      access: 'member',
      needs: 'integrations',
      response: Type.Object({ data: Type.Array(LatestEvent) }),
    },
    async ({ scope, member }) => {
      const data = await listLatestEvents(deps, scope);
      return {
        data: seesPeople(member) ? data : data.map((event) => ({ ...event, data: withoutReasons(event.data) })),
      };
    },
  );
}

/** A person may be named in what people write. */
const withoutReasons = (data: EventBody['data']): EventBody['data'] =>
  JSON.parse(JSON.stringify(data, (name, value) => (name === 'reason' ? null : value)));
