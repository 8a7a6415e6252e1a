import type { Queryable } from '../database/statement.ts';
import { selectAndDeleteNew } from './queries.ts';
import { type QueueName, queues } from './tasks.ts';

export type TakenJob = { queue: QueueName; data: unknown };

/**
 * Takes the jobs of an organization out of these queues that the caller's transaction added, so that no worker ever has
 * them.
 *
 * @param organizationId UUID
 */
export async function takeJobs(
  client: Queryable,
  organizationId: string,
  names: readonly QueueName[],
): Promise<TakenJob[]> {
  const queueOf = new Map<string, QueueName>(names.map((name) => [queues[name].name, name]));
  const rows = await selectAndDeleteNew(client, [organizationId, [...queueOf.keys()]]);
  return rows.flatMap(({ name, data }) => {
    const queue = queueOf.get(name);
    return queue === undefined ? [] : [{ queue, data }];
  });
}
