import type { Deps } from '../../core/deps.ts';
import type { Scope } from '../../platform/base/principal.ts';
import { presentEvent } from './present-event.ts';
import { selectLatestEvents } from './queries.ts';
import type { EventBody } from './schema.ts';

const SHOWN = 30;

/** Returns the latest 30 events, newest first, for the portal. */
export async function listLatestEvents(
  { database }: Pick<Deps, 'database'>,
  { organizationId, environment }: Scope,
): Promise<EventBody[]> {
  return (await selectLatestEvents(database.pool, [organizationId, environment, SHOWN])).map(presentEvent);
}
