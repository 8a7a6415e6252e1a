import type { PoolClient } from 'pg';
import type { Deps } from '../../core/deps.ts';
import { lockOrganization } from '../../core/organizations/lock-organization.ts';
import { namedKey } from '../../platform/authentication/named-key.ts';
import { lackOfRole } from '../../platform/authentication/permissions.ts';
import { findSendingRules, isSentTo } from '../yearly-gifts/changer.ts';
import { type By, lockRules } from '../yearly-gifts/end-unsent.ts';
import { type Followed, followPeople, type UnsentChoice } from '../yearly-gifts/follow-people.ts';
import { type ContactRow, type ContactValues, countContacts, selectSame, upsertContacts } from './queries.ts';
import { type GivenContact, requirePastBirthday } from './read-contact.ts';

/** Of an environment, so that a list of them is read without an index of tags. */
const MOST_CONTACTS = 50_000;

/** Why a contact is not saved. */
export const refusals = {
  address_taken: 'Another contact has this address.',
  external_id_taken: 'Another contact has this external_id.',
  other_external_id:
    'A contact with another external_id has this address. If it is the same person, remove that external_id first; otherwise correct the address.',
  is_sent_to: `A rule of yearly gifts sends to this contact by itself. ${lackOfRole(['order'])}`,
  too_many: `This environment has ${MOST_CONTACTS} contacts. Delete some first.`,
} as const;
type Refusal = keyof typeof refusals;

/** `before`: undefined of a new contact. */
type Saved =
  | { outcome: 'added' | 'changed' | 'unchanged'; contact: ContactRow; before?: ContactRow }
  | { outcome: Refusal };

type Wanted = GivenContact & {
  contactId?: string;
  /** Whether it may not be a contact that there is. */
  isNew?: boolean;
};

interface Change extends By {
  /** What happens to gifts that are ordered or asked for, and are not sent. */
  unsentGifts: UnsentChoice;
}

/**
 * Adds contacts, or changes those that have the id, the external id or else the address. Repeating it changes nothing. Runs in
 * the caller's transaction, one after another in an organization.
 *
 * @returns an outcome for each, in their order, and what happened to gifts that are not sent
 * @throws BestowError as `decideContacts`; `resource_locked` while a gift to one of them is being approved
 */
export async function saveContacts(
  client: PoolClient,
  deps: Pick<Deps, 'clock' | 'config' | 'ids' | 'tracer'>,
  { unsentGifts, ...by }: Change,
  wanted: readonly Wanted[],
): Promise<{ saved: Saved[]; followed: Followed | undefined }> {
  const { caller, actor, changer } = by;
  const { organizationId, environment } = caller;
  await lockOrganization(client, organizationId);
  const saved = await decideContacts(client, deps, by, wanted);
  const people = saved.flatMap((one) =>
    'contact' in one && one.outcome !== 'unchanged' ? [{ before: one.before, after: one.contact }] : [],
  );
  if (people.length === 0) return { saved, followed: undefined };
  const hasRules = await lockRules(client, caller);
  await upsertContacts(client, [organizationId, environment, JSON.stringify(people.map(({ after }) => after))]);
  const named = { caller, actor: namedKey(actor, caller), changer };
  const followed = await followPeople(client, deps, named, { people, hasRules, choice: unsentGifts });
  return { saved, followed };
}

/**
 * Decides what saving would do, and saves nothing.
 *
 * @returns an outcome for each, in their order
 * @throws BestowError `parameter_invalid` for a birthday in the future; `sign_in_again`
 */
export async function decideContacts(
  client: PoolClient,
  { clock, ids }: Pick<Deps, 'clock' | 'ids'>,
  { caller, changer }: Pick<By, 'caller' | 'changer'>,
  wanted: readonly Wanted[],
): Promise<Saved[]> {
  const { organizationId, environment } = caller;
  for (const given of wanted) requirePastBirthday(clock, given);
  const rows = await selectSame(client, [
    organizationId,
    environment,
    wanted.flatMap(({ contactId }) => contactId ?? []),
    wanted.flatMap(({ external_id }) => external_id ?? []),
    wanted.map(({ address }) => address.toLowerCase()),
  ]);
  const earlier = wanted.map(createMatcher(rows));
  // Counting 50,000 takes some milliseconds.
  const [held] = earlier.includes(undefined) ? await countContacts(client, [organizationId, environment]) : [];
  let room = MOST_CONTACTS - (held?.count ?? 0);
  const rules = changer === undefined ? [] : await findSendingRules(client, caller);
  const mayNot = (before: ContactRow | undefined, after: ContactValues) =>
    changer !== undefined && isSentTo(rules, changer, before, after) && !changer.maySend;
  const now = new Date(clock.now());
  return wanted.map((given, index): Saved => {
    const before = earlier[index];
    if (typeof before === 'string') return { outcome: before };
    const { contactId: _, isNew: __, ...values } = given;
    if (before === undefined) {
      if (room <= 0) return { outcome: 'too_many' };
      const added = { ...empty, ...values };
      if (mayNot(undefined, added)) return { outcome: 'is_sent_to' };
      room -= 1;
      return { outcome: 'added', contact: { ...added, contact_id: ids.next(), created_at: now, changed_at: now } };
    }
    const contact = { ...before, ...values };
    if (mayNot(before, contact)) return { outcome: 'is_sent_to' };
    return changesOf(before, contact).length === 0
      ? { outcome: 'unchanged', contact: before }
      : { outcome: 'changed', contact: { ...contact, changed_at: now }, before };
  });
}

const empty = { name: null, language: null, tags: [], external_id: null, birthday: null, work_anniversary: null };

const fields = ['method', 'address', ...(Object.keys(empty) as (keyof typeof empty)[])] as const;

/** The names of the fields that a change of a contact changes. */
export const changesOf = (before: ContactRow | undefined, after: ContactRow): string[] =>
  fields.filter((field) => before !== undefined && JSON.stringify(before[field]) !== JSON.stringify(after[field]));

/** Finds the contact that is meant, each at most once: two rows of a file may not be one person. */
function createMatcher(rows: readonly ContactRow[]) {
  const byId = new Map(rows.map((row) => [row.contact_id, row]));
  const byExternalId = new Map(rows.map((row) => [row.external_id, row]));
  const byAddress = new Map(rows.map((row) => [row.address.toLowerCase(), row]));
  const used = new Set<string>();
  const isUsed = (key: string) => used.size === used.add(key).size;
  return ({
    contactId,
    isNew = false,
    address,
    external_id: externalId = null,
  }: Wanted): ContactRow | Refusal | undefined => {
    const spelled = address.toLowerCase();
    const atAddress = byAddress.get(spelled);
    const named = externalId === null ? undefined : byExternalId.get(externalId);
    const isOther = atAddress?.external_id != null && externalId !== null && atAddress.external_id !== externalId;
    const meant = contactId === undefined ? (named ?? (isOther ? undefined : atAddress)) : byId.get(contactId);
    const isOfOther = (one: ContactRow | undefined) => one !== undefined && one !== meant;
    const isMeantAgain = meant !== undefined && isUsed(`contact ${meant.contact_id}`);
    if (contactId === undefined && named === undefined && isOther) return 'other_external_id';
    if (isNew && meant !== undefined) return meant === named ? 'external_id_taken' : 'address_taken';
    if (isOfOther(atAddress) || isUsed(`address ${spelled}`) || isMeantAgain) return 'address_taken';
    if (isOfOther(named) || (externalId !== null && isUsed(`external ${externalId}`))) return 'external_id_taken';
    return meant;
  };
}
