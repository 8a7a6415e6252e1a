import type { Deps } from '../../../core/deps.ts';
import type { Session } from '../../../faces/portal-access/session.ts';
import { BestowError } from '../../../platform/base/errors.ts';
import { hasHidden } from '../../../platform/base/visible-text.ts';
import { selectNames, updateName } from './queries.ts';

type NameDeps = { database: Pick<Deps['database'], 'home'> };

const MAX_NAME_CHARACTERS = 80;

/**
 * Sets the name that members of the person's organizations see beside the address; an empty one removes it.
 *
 * @throws BestowError `parameter_invalid`
 */
export async function setPersonName({ database }: NameDeps, session: Session, text: string): Promise<void> {
  const name = text.normalize('NFC').trim().replace(/ {2,}/g, ' ');
  // What is hidden could make one person look like another.
  if (hasHidden(name) || [...name].length > MAX_NAME_CHARACTERS)
    throw new BestowError('parameter_invalid', {
      param: 'name',
      message: `name must be one line of at most ${MAX_NAME_CHARACTERS} visible characters.`,
    });
  await updateName(database.home, [session.userId, name]);
}

/** The names of these addresses, in lower case; people without a name are left out. */
export async function findPersonNames(
  { database }: NameDeps,
  emails: readonly string[],
): Promise<ReadonlyMap<string, string>> {
  if (emails.length === 0) return new Map();
  const rows = await selectNames(database.home, [emails.map((email) => email.toLowerCase())]);
  return new Map(rows.map(({ email, name }) => [email, name]));
}
