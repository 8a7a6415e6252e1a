import type { Queryable } from '../database/statement.ts';
import { type EventRow, selectLastActor } from './queries.ts';

/** Returns the kind of actor of the latest such event, or undefined. @param organizationId UUID */
export async function findLastActor(
  database: Queryable,
  organizationId: string,
  action: string,
): Promise<EventRow['actor_kind'] | undefined> {
  const [event] = await selectLastActor(database, [organizationId, action]);
  return event?.actor_kind;
}
