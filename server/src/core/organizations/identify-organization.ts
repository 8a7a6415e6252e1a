import { encodeId } from '../../platform/base/ids.ts';
import { OperatorError, UsageError } from '../../platform/base/operator-error.ts';
import type { Deps } from '../deps.ts';
import { selectOrganizationNames } from './queries.ts';

interface Named {
  /** `org_…` */
  id: string;
  name: string;
}

/** A part of an id has at least so many characters, without `org_`. */
const LEAST_PART = 4;
const MOST_LISTED = 5;
const WHOLE_ID = /^[a-z]+_[0-9a-z]{26}$/i;

/**
 * Finds the organization that a person means by its id, its name without regard to case, or a part of its id that no other
 * has. Returns a whole id as it is, even if no organization has it.
 *
 * @param text undefined: the only organization
 * @returns `org_…`
 * @throws OperatorError if none or several fit; UsageError if the text is missing and there are several
 */
export async function identifyOrganization(
  { database }: { database: Pick<Deps['database'], 'shards'> },
  text: string | undefined,
): Promise<string> {
  if (text !== undefined && WHOLE_ID.test(text)) return text;
  const all = (await readNames(database.shards)).map(({ organization_id, name }) => ({
    id: encodeId('org', organization_id),
    name,
  }));
  if (text === undefined) return onlyOf(all);
  const fitting = all.filter(fits(text));
  const [found, ...others] = fitting;
  if (found === undefined)
    throw new OperatorError(`There is no organization “${text}”. The command bestow org list shows ids and names.`);
  if (others.length > 0) throw new OperatorError(`“${text}” may mean ${listOf(fitting)}. Name one by its whole id.`);
  return found.id;
}

/** @throws OperatorError if one of several servers does not answer: an organization there may have the same name */
const readNames = (shards: Deps['database']['shards']) =>
  selectOrganizationNames(shards, []).catch((error: unknown) => {
    if (shards.length === 1) throw error;
    const reason = error instanceof Error ? error.message : String(error);
    throw new OperatorError(`Name the organization by its whole id: not every server answers (${reason}).`);
  });

function onlyOf(all: readonly Named[]): string {
  const [only, ...others] = all;
  if (only === undefined) throw new OperatorError('There is no organization. Create one with bestow org create.');
  if (others.length > 0) throw new UsageError(`Name the organization: ${listOf(all)}.`);
  return only.id;
}

function fits(text: string): (organization: Named) => boolean {
  const name = folded(text);
  const part = name.replace(/^org_/, '');
  return (organization) =>
    folded(organization.name) === name || (part.length >= LEAST_PART && organization.id.slice(4).includes(part));
}

const folded = (text: string) => text.trim().normalize('NFC').toLowerCase();

function listOf(organizations: readonly Named[]): string {
  const listed = organizations.slice(0, MOST_LISTED).map(({ id, name }) => `${id} (${name})`);
  const more = organizations.length - listed.length;
  if (more > 0) listed.push(`${more} more`);
  return `${listed.slice(0, -1).join(', ')} or ${listed.at(-1)}`;
}
