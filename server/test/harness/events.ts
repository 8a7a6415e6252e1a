import assert from 'node:assert/strict';
import type { Environment } from '../../src/platform/base/environment.ts';
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
  // In one statement: an event may come between two.
  const rows = await service.sql<StoredEvent & { last_sequence: number }>(
    `select sequence, type, order_id, gift_id, data, created_at, last_sequence
     from events join event_counters using (organization_id, environment)
     where organization_id = $1 and environment = $2 order by sequence`,
    [organizationUuid, environment],
  );
  const last = Number(rows[0]?.last_sequence ?? 0);
  const events = rows.map(({ last_sequence: _, ...event }): StoredEvent => event);
  const sequences = events.map(({ sequence }) => Number(sequence));
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
