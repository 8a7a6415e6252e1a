import { admitted } from '../../platform/authentication/caller.ts';
import type { Actor } from '../../platform/base/actor.ts';
import { BestowError } from '../../platform/base/errors.ts';
import type { Scope } from '../../platform/base/principal.ts';
import type { Changer } from '../yearly-gifts/changer.ts';
import { type EndedGifts, nothingEnded, together } from '../yearly-gifts/end-unsent.ts';
import { type ContactDeps, removeContact, saveContact } from './change-contact.ts';
import { type ContactRow, selectSame } from './queries.ts';

interface Settlement {
  /** Contacts as a person saw them. */
  contacts: readonly { contactId: string; changedAt: Date }[];
  /** Undefined: the contacts are deleted. */
  tag: string | undefined;
  actor: Actor;
  changer: Changer;
  keepsUnsent: boolean;
}

/**
 * Deletes contacts that a file does not have, or takes a tag from them. A contact that was saved since a person saw it stays
 * as it is, and so does one that this member may not change.
 *
 * @returns how many were changed, the UUIDs of those that stay, and what was canceled
 * @throws BestowError `sign_in_again`
 */
export async function settleMissing(
  deps: ContactDeps,
  scope: Scope,
  { contacts, tag, ...by }: Settlement,
): Promise<{ done: number; stayed: string[]; ended: EndedGifts }> {
  const { organizationId, environment } = scope;
  const stayed: string[] = [];
  const ended: EndedGifts[] = [];
  for (const { contactId, changedAt } of contacts) {
    const [row] = await selectSame(deps.database.read, [organizationId, environment, [contactId], [], []]);
    if (row === undefined) continue;
    const act = tag === undefined ? remove : withoutTag;
    const one = await unlessRefused(act(deps, { ...by, scope, row, seenAt: changedAt, tag: tag ?? '' }));
    if (one === undefined) stayed.push(contactId);
    else ended.push(one);
  }
  return { done: ended.length, stayed, ended: together(...ended) };
}

interface Act extends Pick<Settlement, 'actor' | 'changer' | 'keepsUnsent'> {
  scope: Scope;
  row: ContactRow;
  seenAt: Date;
  tag: string;
}

const remove = (deps: ContactDeps, { scope, row, ...by }: Act): Promise<EndedGifts> =>
  removeContact(deps, { ...by, caller: admitted(scope), contactId: row.contact_id });

async function withoutTag(deps: ContactDeps, { scope, row, tag, keepsUnsent, ...by }: Act): Promise<EndedGifts> {
  const { followed } = await saveContact(deps, {
    ...by,
    caller: admitted(scope),
    input: { tags: row.tags.filter((one) => one !== tag) },
    contactId: row.contact_id,
    unsentGifts: keepsUnsent ? 'keep' : 'follow',
  });
  return followed ?? nothingEnded();
}

const LEAVES_IT = ['resource_missing', 'resource_locked', 'admin_required', 'parameter_invalid'];

/** What another person did at the same time, or a rule that only others may change, leaves the contact as it is: undefined. */
async function unlessRefused(act: Promise<EndedGifts>): Promise<EndedGifts | undefined> {
  try {
    return await act;
  } catch (error) {
    if (error instanceof BestowError && LEAVES_IT.includes(error.code)) return undefined;
    throw error;
  }
}
