import type { PoolClient } from 'pg';
import type { Deps } from '../../core/deps.ts';
import { lockOrganization } from '../../core/organizations/lock-organization.ts';
import { requireSeen } from '../../faces/portal-access/require-seen.ts';
import { type Caller, parametersOf, requireAdmitted } from '../../platform/authentication/caller.ts';
import { namedKey } from '../../platform/authentication/named-key.ts';
import type { Actor } from '../../platform/base/actor.ts';
import { BestowError } from '../../platform/base/errors.ts';
import { encodeId } from '../../platform/base/ids.ts';
import { inOrganization } from '../../platform/database/in-organization.ts';
import type { Changer } from '../yearly-gifts/changer.ts';
import { type EndedGifts, endUnsentOfContact, lockRules } from '../yearly-gifts/end-unsent.ts';
import type { Followed, UnsentChoice } from '../yearly-gifts/follow-people.ts';
import { recordEvent } from './actions.ts';
import { type ContactRow, deleteContact, lockContact, selectChanger, selectSame } from './queries.ts';
import { type GivenContact, readContact } from './read-contact.ts';
import { refusals, saveContacts } from './save-contacts.ts';
import type { ContactChangeBody } from './schema.ts';

export type ContactDeps = Pick<Deps, 'clock' | 'config' | 'database' | 'ids' | 'tracer'>;

interface ContactChange {
  caller: Caller;
  actor: Actor;
  /** The address may be left out if the contact is named. */
  input: ContactChangeBody;
  /** UUID of the contact that is changed; undefined: the one with the external id or the address, or a new one. */
  contactId?: string;
  /** The member who changes it; undefined: an API key. */
  changer?: Changer;
  /** Undefined: `follow`. */
  unsentGifts?: UnsentChoice | undefined;
  /** Changes only what the member saw: the contact as it was changed then. */
  seenAt?: Date;
  /** Refuses to change a contact that has the address or the external id. */
  isNew?: boolean;
}

/**
 * Adds a contact, or changes the one that has the external id or else the address. Repeating it changes nothing.
 *
 * @throws BestowError `parameter_invalid`, also if another contact has the address or the external id; `resource_missing`;
 *   `resource_locked` while a gift to the contact is being approved; as `requireAdmitted`; `admin_required` or `sign_in_again` if
 *   a rule sends gifts by itself, or an ordered gift changes
 */
export async function saveContact(
  deps: ContactDeps,
  { caller, actor, input, contactId, changer, unsentGifts = 'follow', seenAt, isNew = false }: ContactChange,
): Promise<{ contact: ContactRow; isNew: boolean; followed: Followed | undefined }> {
  const given = readContact(deps.config, caller.environment, input);
  return await inOrganization(deps.database, caller.organizationId, async (client) => {
    const { organizationId, environment } = caller;
    const [row] = await selectChanger(client, parametersOf(caller));
    requireAdmitted(caller, row);
    const wanted = contactId === undefined ? given : await onContact(client, caller, { contactId, given, seenAt });
    const by = { caller, actor, changer, unsentGifts };
    const {
      saved: [saved],
      followed,
    } = await saveContacts(client, deps, by, [{ ...withAddress(wanted), isNew }]);
    if (saved === undefined) throw new Error('A contact has an outcome.');
    if (!('contact' in saved)) throw refusalOf(saved.outcome);
    const { contact, outcome } = saved;
    if (outcome !== 'unchanged')
      await recordEvent(client, deps, namedKey(actor, caller), {
        organizationId,
        environment,
        target: encodeId('con', contact.contact_id),
        action: outcome === 'added' ? 'contact.added' : 'contact.changed',
        details: {},
      });
    return { contact, isNew: outcome === 'added', followed };
  });
}

interface Named {
  contactId: string;
  given: Partial<GivenContact>;
  seenAt: Date | undefined;
}

/** What is wanted of a contact as it is now. @throws BestowError `resource_missing`; `resource_locked` if it was saved since */
async function onContact(
  client: PoolClient,
  { organizationId, environment }: Caller,
  { contactId, given, seenAt }: Named,
): Promise<Partial<GivenContact> & { contactId: string }> {
  // Contacts are saved under this lock.
  await lockOrganization(client, organizationId);
  const [row] = await selectSame(client, [organizationId, environment, [contactId], [], []]);
  if (row === undefined) throw new BestowError('resource_missing');
  requireSeen(seenAt, row.changed_at);
  const { method, address } = row;
  return { method, address, ...given, contactId };
}

/** @throws BestowError `parameter_invalid` */
function withAddress<Given extends Partial<GivenContact>>(given: Given): Given & GivenContact {
  const { method, address } = given;
  if (method === undefined || address === undefined) throw new BestowError('parameter_invalid', { param: 'delivery' });
  return { ...given, method, address };
}

const refusalOf = (outcome: keyof typeof refusals) =>
  outcome === 'is_sent_to'
    ? new BestowError('admin_required', { message: refusals[outcome] })
    : new BestowError('parameter_invalid', {
        param: outcome === 'external_id_taken' ? 'external_id' : 'delivery',
        message: refusals[outcome],
      });

interface Removal {
  caller: Caller;
  actor: Actor;
  contactId: string;
  /** The member who deletes it; undefined: an API key. */
  changer?: Changer;
  /** Leaves what was ordered or asked for and is not sent. */
  keepsUnsent?: boolean | undefined;
  /** Deletes only what the member saw: the contact as it was changed then. */
  seenAt?: Date;
}

/**
 * Deletes a contact. What is not sent to them is canceled, and requests for it are withdrawn, in the same commit.
 *
 * @returns what was canceled
 * @throws BestowError `resource_missing`; `resource_locked` while a gift to the contact is being approved; `sign_in_again` if a
 *   gift is canceled; as `requireAdmitted`
 */
export async function removeContact(
  deps: ContactDeps,
  { caller, actor, contactId, changer, keepsUnsent = false, seenAt }: Removal,
): Promise<EndedGifts> {
  const { organizationId, environment } = caller;
  return await inOrganization(deps.database, organizationId, async (client) => {
    const [row] = await selectChanger(client, parametersOf(caller));
    requireAdmitted(caller, row);
    await lockRules(client, caller);
    const [contact] = await lockContact(client, [organizationId, environment, contactId]);
    if (contact === undefined) throw new BestowError('resource_missing');
    requireSeen(seenAt, contact.changed_at);
    const by = { caller, actor: namedKey(actor, caller), changer };
    const removed = { contactId, address: contact.address, isKept: keepsUnsent };
    const ended = await endUnsentOfContact(client, deps, by, removed);
    await deleteContact(client, [organizationId, environment, contactId]);
    const gifts = ended.giftIds.length;
    await recordEvent(client, deps, namedKey(actor, caller), {
      organizationId,
      environment,
      target: encodeId('con', contactId),
      action: 'contact.removed',
      details: gifts === 0 ? {} : { gifts_canceled: gifts, refunded_cents: ended.refundedCents },
    });
    return ended;
  });
}
