import type { Deps } from '../../core/deps.ts';
import type { Scope } from '../../platform/base/principal.ts';
import type { ContactRow } from './queries.ts';
import { selectSuggested } from './suggestion-queries.ts';

/** They are one short list under a field. */
const MOST_SUGGESTED = 8;

/** Written as +1 (202) 555-0100 or 001 202 …, as contacts have it; an email address in lower case. */
const addressStart = (text: string): string =>
  /^(\+|00)[\d ()-]+$/.test(text) ? text.replace(/[ ()-]/g, '').replace(/^00/, '+') : text.toLowerCase();

/**
 * Finds contacts while a person types.
 *
 * @param text the start of a name or of an address, in any case, or a whole external id
 * @returns the first eight, by their names
 */
export async function suggestContacts(
  { database }: Pick<Deps, 'database'>,
  { organizationId, environment }: Scope,
  text: string,
): Promise<ContactRow[]> {
  const sought = text.trim();
  if (sought === '') return [];
  return await selectSuggested(database.read, [
    organizationId,
    environment,
    sought,
    addressStart(sought),
    MOST_SUGGESTED,
  ]);
}
