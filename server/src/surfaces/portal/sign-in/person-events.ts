import type { Deps } from '../../../core/deps.ts';
import { encodeId } from '../../../platform/base/ids.ts';
import { type PersonEvent, sentences } from './person-event.ts';
import { insertPersonEvent, selectPersonEvents } from './queries.ts';

/** In the portal; the operator sees as many. */
const MOST_SHOWN = 50;

interface PresentedPersonEvent {
  event_id: string;
  sentence: string;
  /** The client's IP address. */
  address: string;
  created_at: Date;
}

/** Records an event in a person's own log. It belongs to the person, not to an organization. Does nothing for strangers. */
export async function recordPersonEvent(
  { database, ids, clock }: Pick<Deps, 'database' | 'ids' | 'clock'>,
  { email, event, address }: { email: string; event: PersonEvent; address: string },
): Promise<void> {
  await insertPersonEvent(database.home, [ids.next(), email, event, address, new Date(clock.now())]);
}

/** Lists a person's latest sign-ins, failures and changes of the sign-in, newest first. */
export async function listPersonEvents(
  { database }: Pick<Deps, 'database'>,
  email: string,
): Promise<PresentedPersonEvent[]> {
  const rows = await selectPersonEvents(database.home, [email, MOST_SHOWN]);
  return rows.map(({ event_id, event, address, created_at }) => ({
    event_id: encodeId('evt', event_id),
    // During an upgrade, an old process may read an event of a newer version.
    sentence: Object.hasOwn(sentences, event) ? sentences[event as PersonEvent] : event,
    address,
    created_at,
  }));
}
