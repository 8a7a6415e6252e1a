import type { Deps } from '../../core/deps.ts';
import type { Scope } from '../../platform/base/principal.ts';
import { otherForm } from './other-form.ts';
import type { ContactRow } from './queries.ts';
import { selectSuggested } from './suggestion-queries.ts';

/** They are one short list under a field. */
const MOST_SUGGESTED = 8;

/**
 * Finds contacts while a person types.
 *
 * @param text the beginning of a word of a name, an address or an external id, without regard to case and accents
 * @returns the first eight, by what it found
 */
export async function suggestContacts(
  { database }: Pick<Deps, 'database'>,
  { organizationId, environment }: Scope,
  text: string,
): Promise<ContactRow[]> {
  const sought = text.trim();
  if (sought === '') return [];
  return await selectSuggested(database.read, [organizationId, environment, sought, otherForm(sought), MOST_SUGGESTED]);
}
