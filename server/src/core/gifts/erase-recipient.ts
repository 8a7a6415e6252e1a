import { forgetViewsOf } from '../../capabilities/gift-views/forget-views.ts';
import { recordEvent } from '../../platform/audit/record-event.ts';
import type { Actor } from '../../platform/base/actor.ts';
import { destination } from '../../platform/base/destination.ts';
import { decodeId } from '../../platform/base/ids.ts';
import { allowStatements } from '../../platform/database/allow-statements.ts';
import { UNTIL_IT_IS_DONE } from '../../platform/database/connections.ts';
import { inOrganization } from '../../platform/database/in-organization.ts';
import { forgetRecipient } from '../caps/forget-recipient.ts';
import type { Deps } from '../deps.ts';
import { findEveryMembership } from '../organizations/find-memberships.ts';
import { findOrganization } from '../organizations/find-organization.ts';
import { listOrganizations } from '../organizations/list-organizations.ts';
import { ERASED_ADDRESS } from './address.ts';
import { announceEnded } from './announce-ended.ts';
import { forgetRowsOf } from './erase-batch-rows.ts';
import { forgetRequestsTo } from './erase-requests.ts';
import * as queries from './erasure-queries.ts';
import type { RedirectBody } from './schema.ts';

/** Addresses have no index, and an organization may have a million gifts. */
const STATEMENT_TIMEOUT_MS = 300_000;
const REASON = 'The recipient’s name and address were erased.';

export interface Erasure extends queries.ErasedRow {
  organizations: number;
  orders_processing: number;
  /** Orders whose idempotency key or external id contains the address. They stay: a retry without its key would pay twice. */
  idempotency_keys_left: number;
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
    organizations: 0,
    gifts: 0,
    messages: 0,
    messages_cancelled: 0,
    orders_processing: 0,
    gifts_elsewhere: 0,
    gifts_unclaimed: 0,
    idempotency_keys_left: 0,
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
      const one = [organizationId, address, ERASED_ADDRESS] as const;
      // First, because it scans every order, and the next statements lock gifts.
      const [left] = await queries.countKeysWith(client, [organizationId, address]);
      const rows = await forgetRowsOf(client, organizationId, address);
      const requests = await forgetRequestsTo(client, deps, organizationId, address);
      const [pending] = await queries.erasePendingGifts(client, [...one]);
      await forgetViewsOf(client, organizationId, address);
      await forgetRecipient(client, organizationId, address);
      const [erased] = await queries.eraseGifts(client, [...one, REASON, new Date(deps.clock.now())]);
      if (pending === undefined || erased === undefined) throw new Error('Counts always have a row.');
      const isFound = erased.gifts > 0 || pending.orders > 0 || rows > 0 || requests.length > 0;
      if (isFound)
        await recordEvent(client, deps, actor, {
          organizationId,
          action: 'recipient.erased',
          details: { gifts: erased.gifts, orders_processing: pending.orders },
        });
      await announceEnded(client, organizationId, requests);
      return {
        ...erased,
        organizations: isFound ? 1 : 0,
        orders_processing: pending.orders,
        idempotency_keys_left: left?.keys ?? 0,
      };
    },
    { withinMs: UNTIL_IT_IS_DONE },
  );
}
