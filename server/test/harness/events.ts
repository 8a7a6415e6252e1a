import assert from 'node:assert/strict';
import type { Environment } from '../../src/base/environment.ts';
import type { TestOrganization, TestService } from './test-service.ts';

export interface StoredEvent {
  sequence: number;
  type: string;
  order_id: string | null;
  gift_id: string | null;
  data: unknown;
  created_at: Date;
}

/** Returns an organization's events in their order, and checks that no sequence is missing. */
export async function eventsOf(
  service: Pick<TestService, 'sql'>,
  { organizationUuid }: Pick<TestOrganization, 'organizationUuid'>,
  environment: Environment,
): Promise<StoredEvent[]> {
  const events = await service.sql<StoredEvent>(
    `select sequence, type, order_id, gift_id, data, created_at from events
     where organization_id = $1 and environment = $2 order by sequence`,
    [organizationUuid, environment],
  );
  const [counter] = await service.sql<{ last_sequence: number }>(
    'select last_sequence from event_counters where organization_id = $1 and environment = $2',
    [organizationUuid, environment],
  );
  const sequences = events.map(({ sequence }) => Number(sequence));
  const last = Number(counter?.last_sequence ?? 0);
  assert.deepEqual(
    sequences,
    sequences.map((_, index) => last - sequences.length + 1 + index),
  );
  return events.map((event) => ({ ...event, sequence: Number(event.sequence) }));
}

/** The types of the events that the act appends, in their order. */
export async function typesDuring(
  service: Pick<TestService, 'sql'>,
  organization: TestOrganization,
  environment: Environment,
  act: () => Promise<unknown>,
): Promise<string[]> {
  return (await eventsDuring(service, organization, environment, act)).map(({ type }) => type);
}

/** The events that the act appends. */
export async function eventsDuring(
  service: Pick<TestService, 'sql'>,
  organization: TestOrganization,
  environment: Environment,
  act: () => Promise<unknown>,
): Promise<StoredEvent[]> {
  const before = (await eventsOf(service, organization, environment)).length;
  await act();
  return (await eventsOf(service, organization, environment)).slice(before);
}
