import { api, SCOPE_PATH, unwrap } from '../../api/client.ts';
import type { components } from '../../api/schema.d.ts';
import { type Path, ROWS_PER_CALL } from './check-contacts.ts';
import type { Contact } from './contact.ts';
import type { MissingChoice } from './contact-missing.tsx';
import type { ContactRow } from './read-contacts.ts';

type UnsentOutcome = components['schemas']['UnsentOutcome'];

/** What happens to gifts that are not sent, of contacts that change and of those that the file does not have. */
export interface UnsentChoices {
  changed: 'follow' | 'cancel' | 'keep';
  missing: 'cancel' | 'keep';
}

/** What an import did. */
export interface Imported {
  added: number;
  changed: number;
  unchanged: number;
  refused: ContactRow[];
  /** What was done with contacts that the file does not have. */
  missing: { act: MissingChoice['act']; done: number; stayed: number };
  /** What happened to gifts that are not sent. */
  unsent: UnsentOutcome;
}

const NOTHING: UnsentOutcome = { canceled_gifts: 0, refunded: 0, withdrawn_requests: 0, moved: 0 };

export const sumOf = (one: UnsentOutcome, other: UnsentOutcome): UnsentOutcome => ({
  canceled_gifts: one.canceled_gifts + other.canceled_gifts,
  refunded: one.refunded + other.refunded,
  withdrawn_requests: one.withdrawn_requests + other.withdrawn_requests,
  moved: one.moved + other.moved,
});

/** Imports 200 rows at a time; after an error the same rows can be sent again. */
export async function importRows(
  path: Path,
  rows: readonly ContactRow[],
  { unsentGifts, onProgress }: { unsentGifts: UnsentChoices['changed']; onProgress: (sent: number) => void },
): Promise<Omit<Imported, 'missing'>> {
  const total: Omit<Imported, 'missing'> = { added: 0, changed: 0, unchanged: 0, refused: [], unsent: NOTHING };
  for (let first = 0; first < rows.length; first += ROWS_PER_CALL) {
    const some = rows.slice(first, first + ROWS_PER_CALL);
    const body = { rows: some.flatMap(({ contact }) => contact ?? []) };
    const params = { path, query: { unsent_gifts: unsentGifts } };
    const answer = await unwrap(api.POST(`${SCOPE_PATH}/contacts/import`, { params, body }));
    total.unsent = sumOf(total.unsent, answer.unsent);
    total.added += answer.added;
    total.changed += answer.changed;
    total.unchanged += answer.unchanged;
    for (const { row, ...fault } of answer.refused) total.refused.push({ line: some[row]?.line ?? 0, fault });
    onProgress(first + some.length);
  }
  return total;
}

/** Deletes the contacts that were shown, or takes a tag from them. */
export async function settleMissing(
  path: Path,
  shown: readonly Contact[],
  { among, act, missing }: MissingChoice & UnsentChoices,
): Promise<Pick<Imported, 'missing' | 'unsent'>> {
  if (act === 'keep' || shown.length === 0) return { missing: { act: 'keep', done: 0, stayed: 0 }, unsent: NOTHING };
  const contacts = shown.map(({ contact_id, changed_at }) => ({ contact_id, changed_at }));
  const body = { act, contacts, unsent_gifts: missing, ...(among.kind === 'tag' && { tag: among.tag }) };
  const { done, stayed, unsent } = await unwrap(
    api.POST(`${SCOPE_PATH}/contacts/missing/settle`, { params: { path }, body }),
  );
  return { missing: { act, done, stayed: stayed.length }, unsent };
}
