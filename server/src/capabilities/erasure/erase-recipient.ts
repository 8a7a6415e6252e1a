import type { ErasedCounts, EraseOfAddress } from '../../core/address-owner.ts';
import { eraseSpendingOf } from '../../core/caps/erase-of-address.ts';
import type { Deps } from '../../core/deps.ts';
import type { RedirectBody } from '../../core/gifts/gift/schema.ts';
import { countKeysOf, erasePendingOf } from '../../core/orders/erase-of-address.ts';
import { findEveryMembership } from '../../core/organizations/find-memberships.ts';
import { findOrganization } from '../../core/organizations/find-organization.ts';
import { listOrganizations } from '../../core/organizations/list-organizations.ts';
import type { Actor } from '../../platform/base/actor.ts';
import { destination } from '../../platform/base/destination.ts';
import { decodeId } from '../../platform/base/ids.ts';
import { allowStatements } from '../../platform/database/allow-statements.ts';
import { inOrganization } from '../../platform/database/in-organization.ts';
import { UNTIL_IT_IS_DONE } from '../../platform/database/transaction.ts';
import { eraseContactsOf } from '../contacts/erase-of-address.ts';
import { eraseRowsOf } from '../gift-batches/erase-rows.ts';
import { eraseRequestsOf } from '../gift-requests/erase-requests.ts';
import { eraseViewsOf } from '../gift-views/erase-of-address.ts';
import { erasePreviewsOf } from '../previews/forget-previews.ts';
import { eraseYearlyGiftsOf } from '../yearly-gifts/erase-of-address.ts';
import { recordEvent } from './actions.ts';
import { eraseGiftsOf } from './erase-gifts.ts';

/** Addresses have no index, and an organization may have a million gifts. */
const STATEMENT_TIMEOUT_MS = 300_000;

/** What each owner of tables erases, in this order: gifts are locked last. */
export const addressOwners: readonly { tables: readonly string[]; eraseOf: EraseOfAddress }[] = [
  { tables: ['orders'], eraseOf: countKeysOf },
  { tables: ['batches', 'batch_rows'], eraseOf: eraseRowsOf },
  { tables: ['yearly_gifts'], eraseOf: eraseYearlyGiftsOf },
  { tables: ['gift_requests'], eraseOf: eraseRequestsOf },
  { tables: ['orders'], eraseOf: erasePendingOf },
  { tables: ['contacts', 'contact_words'], eraseOf: eraseContactsOf },
  { tables: ['previewed_orders'], eraseOf: erasePreviewsOf },
  { tables: ['gift_views'], eraseOf: eraseViewsOf },
  { tables: ['spending'], eraseOf: eraseSpendingOf },
  { tables: ['gifts', 'deliveries', 'cards', 'card_proofs', 'notices'], eraseOf: eraseGiftsOf },
];

const none: ErasedCounts = {
  gifts: 0,
  messages: 0,
  messages_cancelled: 0,
  gifts_elsewhere: 0,
  gifts_unclaimed: 0,
  orders_processing: 0,
  idempotency_keys_left: 0,
};

export interface Erasure extends ErasedCounts {
  organizations: number;
  /** Active memberships of this address. They stay: a member is not a recipient. */
  memberships_left: number;
}

type EraseDeps = Pick<Deps, 'clock' | 'database' | 'ids'>;

/**
 * Erases a recipient's name and address from gifts and messages, with the sender's words and the metadata of these gifts
 * and their orders, in live and sandbox. Orders, amounts, the ledger and sent
 * links stay as they are. Repeating it is safe and counts only new erasures.
 *
 * @param input.organizationId `org_…`; undefined for all organizations
 * @throws OperatorError if the organization does not exist, or while an admin approves a gift to the recipient
 */
export async function eraseRecipient(
  deps: EraseDeps,
  { organizationId, recipient, actor }: { organizationId?: string; recipient: RedirectBody; actor: Actor },
): Promise<Erasure> {
  const { method, address } = destination(recipient);
  const spelled = (address ?? '').toLowerCase();
  const ids =
    organizationId === undefined
      ? (await listOrganizations(deps)).map(({ organization_id }) => decodeId('org', organization_id) ?? '')
      : [(await findOrganization(deps, organizationId)).organization_id];
  const memberships = method === 'email' ? await findEveryMembership(deps, spelled) : [];
  const total: Erasure = {
    ...none,
    organizations: 0,
    memberships_left: memberships.filter(({ organization_id }) => ids.includes(decodeId('org', organization_id) ?? ''))
      .length,
  };
  for (const id of ids) {
    const erased = await eraseOf(deps, id, spelled, actor);
    for (const [name, count] of Object.entries(erased)) total[name as keyof Erasure] += count;
  }
  return total;
}

/** Erases in one transaction per organization, so that no organization delays the messages of another. */
async function eraseOf(
  deps: EraseDeps,
  organizationId: string,
  address: string,
  actor: Actor,
): Promise<Omit<Erasure, 'memberships_left'>> {
  return await inOrganization(
    deps.database,
    organizationId,
    async (client) => {
      await allowStatements(client, STATEMENT_TIMEOUT_MS);
      const total = { ...none };
      const announcements: (() => Promise<void>)[] = [];
      let isAnyFound = false;
      for (const owner of addressOwners) {
        const { isFound, announce, ...counts } = await owner.eraseOf(client, deps, { organizationId, address });
        isAnyFound ||= isFound === true;
        if (announce !== undefined) announcements.push(announce);
        Object.assign(total, counts);
      }
      if (isAnyFound)
        await recordEvent(client, deps, actor, {
          organizationId,
          action: 'recipient.erased',
          details: { gifts: total.gifts, orders_processing: total.orders_processing },
        });
      for (const announce of announcements) await announce();
      return { ...total, organizations: isAnyFound ? 1 : 0 };
    },
    { withinMs: UNTIL_IT_IS_DONE },
  );
}
