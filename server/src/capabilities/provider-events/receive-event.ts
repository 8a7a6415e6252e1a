import type { Deps } from '../../core/deps.ts';
import { insertEvent } from './queries.ts';

interface ReceivedEvent {
  provider: string;
  eventId: string;
  type: string;
  /** As it came. */
  body: string;
}

/** Keeps a verified event, whose job follows. @returns false if the event is known */
export async function receiveEvent(
  { clock, database }: Pick<Deps, 'clock' | 'database'>,
  { provider, eventId, type, body }: ReceivedEvent,
): Promise<boolean> {
  const inserted = await insertEvent(database.home, [provider, eventId, type, body, new Date(clock.now())]);
  return inserted.length > 0;
}
