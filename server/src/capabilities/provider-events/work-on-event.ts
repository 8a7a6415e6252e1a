import type { Deps } from '../../core/deps.ts';
import type { ProviderEventJob } from '../../platform/jobs/tasks.ts';
import type { HandleEvent } from './provider.ts';
import * as queries from './queries.ts';

const KEPT_MS = 90 * 86_400_000;

/** Does what an event says, once its job succeeds. @throws what the handler throws, so that the job is retried */
export async function workOnEvent(
  { clock, database }: Pick<Deps, 'clock' | 'database'>,
  handlers: Partial<Record<string, HandleEvent>>,
  { provider, eventId }: ProviderEventJob,
): Promise<void> {
  const [event] = await queries.selectEvent(database.home, [provider, eventId]);
  const handle = handlers[provider];
  if (event === undefined || event.processed_at !== null || handle === undefined) return;
  await handle(event);
  await queries.finishEvent(database.home, [provider, eventId, new Date(clock.now())]);
}

/** Returns the ids of events whose work has not succeeded yet. */
export async function listWaitingEvents({ database }: Pick<Deps, 'database'>, provider: string): Promise<string[]> {
  return (await queries.selectWaiting(database.home, [provider])).map(({ event_id }) => event_id);
}

/** Deletes events 90 days after their work; safe to repeat. */
export async function forgetOldProviderEvents({ clock, database }: Pick<Deps, 'clock' | 'database'>): Promise<void> {
  await queries.deleteOldEvents(database.home, [new Date(clock.now() - KEPT_MS)]);
}
