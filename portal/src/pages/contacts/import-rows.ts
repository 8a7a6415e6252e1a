import { api, SCOPE_PATH, unwrap } from '../../api/client.ts';
import { type Path, ROWS_PER_CALL } from './check-contacts.ts';
import type { Contact } from './contact.ts';
import type { MissingChoice } from './contact-missing.tsx';
import type { ContactRow } from './read-contacts.ts';

/** What an import did. */
export interface Imported {
  added: number;
  changed: number;
  unchanged: number;
  refused: ContactRow[];
  /** What was done with contacts that the file does not have. */
  missing: { act: MissingChoice['act']; done: number; stayed: number };
}

/** Imports 200 rows at a time; after an error the same rows can be sent again. */
export async function importRows(
  path: Path,
  rows: readonly ContactRow[],
  onProgress: (sent: number) => void,
): Promise<Omit<Imported, 'missing'>> {
  const total: Omit<Imported, 'missing'> = { added: 0, changed: 0, unchanged: 0, refused: [] };
  for (let first = 0; first < rows.length; first += ROWS_PER_CALL) {
    const some = rows.slice(first, first + ROWS_PER_CALL);
    const body = { rows: some.flatMap(({ contact }) => contact ?? []) };
    const answer = await unwrap(api.POST(`${SCOPE_PATH}/contacts/import`, { params: { path }, body }));
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
  { among, act }: MissingChoice,
): Promise<Imported['missing']> {
  if (act === 'keep' || shown.length === 0) return { act: 'keep', done: 0, stayed: 0 };
  const contacts = shown.map(({ contact_id, changed_at }) => ({ contact_id, changed_at }));
  const body = { act, contacts, ...(among.kind === 'tag' && { tag: among.tag }) };
  const { done, stayed } = await unwrap(api.POST(`${SCOPE_PATH}/contacts/missing/settle`, { params: { path }, body }));
  return { act, done, stayed: stayed.length };
}
