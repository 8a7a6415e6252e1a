import type { Database } from '../database/connections.ts';
import { retryNow } from './queries.ts';
import { queues } from './tasks.ts';

const OF_MESSAGES = [queues.email, queues.phone, queues.notice, queues.code].map(({ name }) => name);

/** Tries all messages again at once whose last try failed, also those that may have arrived. Returns how many. */
export async function retryMessages({ shards, home }: Pick<Database, 'shards' | 'home'>): Promise<number> {
  const retried = await Promise.all([...new Set([...shards, home])].map((each) => retryNow(each, [OF_MESSAGES])));
  return retried.flat().reduce((sum, { jobs }) => sum + jobs, 0);
}
