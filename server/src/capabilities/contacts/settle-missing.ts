import { admitted } from '../../platform/authentication/caller.ts';
import type { Actor } from '../../platform/base/actor.ts';
import { BestowError } from '../../platform/base/errors.ts';
import type { Scope } from '../../platform/base/principal.ts';
import type { Changer } from '../yearly-gifts/changer.ts';
import { type ContactDeps, removeContact, saveContact } from './change-contact.ts';
import { type ContactRow, selectSame } from './queries.ts';

interface Settlement {
  /** Contacts as a person saw them. */
  contacts: readonly { contactId: string; changedAt: Date }[];
  /** Undefined: the contacts are deleted. */
  tag: string | undefined;
  actor: Actor;
  changer: Changer;
}

/**
 * Deletes contacts that a file does not have, or takes a tag from them. A contact that was saved since a person saw it stays
 * as it is, and so does one that this member may not change.
 *
 * @returns how many were changed, and the UUIDs of those that stay
 * @throws BestowError `sign_in_again`
 */
export async function settleMissing(
  deps: ContactDeps,
  scope: Scope,
  { contacts, tag, actor, changer }: Settlement,
): Promise<{ done: number; stayed: string[] }> {
  const { organizationId, environment } = scope;
  const stayed: string[] = [];
  let done = 0;
  for (const { contactId, changedAt } of contacts) {
    const [row] = await selectSame(deps.database.read, [organizationId, environment, [contactId], [], []]);
    if (row === undefined) continue;
    const isSame = row.changed_at.getTime() === changedAt.getTime();
    const act = tag === undefined ? remove : withoutTag;
    if (isSame && (await act(deps, { scope, row, tag: tag ?? '', actor, changer }))) done += 1;
    else stayed.push(contactId);
  }
  return { done, stayed };
}

interface Act {
  scope: Scope;
  row: ContactRow;
  tag: string;
  actor: Actor;
  changer: Changer;
}

async function remove(deps: ContactDeps, { scope, row, actor, changer }: Act): Promise<boolean> {
  const { contact_id: contactId, changed_at: seenAt } = row;
  return await unlessRefused(removeContact(deps, { caller: admitted(scope), actor, contactId, changer, seenAt }));
}

async function withoutTag(deps: ContactDeps, { scope, row, tag, actor, changer }: Act): Promise<boolean> {
  const { method, address, contact_id } = row;
  const delivery = method === 'email' ? { method, email: address } : { method, phone: address };
  const input = { delivery, tags: row.tags.filter((one) => one !== tag) };
  const change = { caller: admitted(scope), actor, input, contactId: contact_id, changer };
  return await unlessRefused(saveContact(deps, change));
}

const LEAVES_IT = ['resource_missing', 'resource_locked', 'admin_required', 'parameter_invalid'];

/** What another person did at the same time, or a rule that only others may change, leaves the contact as it is. */
async function unlessRefused(act: Promise<unknown>): Promise<boolean> {
  try {
    await act;
    return true;
  } catch (error) {
    if (error instanceof BestowError && LEAVES_IT.includes(error.code)) return false;
    throw error;
  }
}
