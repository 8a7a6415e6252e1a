import { recordEvent } from '../audit/record-event.ts';
import type { Actor } from '../base/actor.ts';
import { decodeId } from '../base/ids.ts';
import { allowStatements } from '../database/allow-statements.ts';
import { inTransaction, UNTIL_IT_IS_DONE } from '../database/connections.ts';
import type { Deps } from '../deps.ts';
import { findMemberships } from '../organizations/find-memberships.ts';
import { findOrganization } from '../organizations/find-organization.ts';
import { listOrganizations } from '../organizations/list-organizations.ts';
import { destination, ERASED_ADDRESS } from './address.ts';
import * as queries from './erasure-queries.ts';
import type { RedirectBody } from './schema.ts';

/** Nothing but the operator's patience limits it: addresses have no index, and an organization may have a million gifts. */
const STATEMENT_TIMEOUT_MS = 300_000;
const REASON = 'The recipient’s name and address were erased.';

/** What was erased, in all organizations together. */
export interface Erasure extends queries.ErasedRow {
  /** In how many anything was found. */
  organizations: number;
  /** Processing orders whose gifts are still to be made. */
  orders_processing: number;
  /** Idempotency keys with the address in them: they stay, because a retry without its key would pay twice. */
  idempotency_keys_left: number;
  /** Organizations that this address is an active member of: a member is no recipient and stays. */
  memberships_left: number;
}

type EraseDeps = Pick<Deps, 'clock' | 'database' | 'ids'>;

/**
 * Removes a recipient's name and address from everything that is stored about their gifts, in live and sandbox. Orders,
 * amounts and the ledger stay as they are, and so do the links that were sent. What was erased before is not counted
 * again, so it is safe to repeat.
 *
 * @param input.organizationId `org_…`; undefined: all organizations
 * @throws OperatorError where there is no such organization
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
  const memberships = method === 'email' ? await findMemberships(deps, spelled) : [];
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

/** Each organization in a transaction of its own, so that none holds up another's messages. */
async function eraseOf(
  deps: EraseDeps,
  organizationId: string,
  address: string,
  actor: Actor,
): Promise<Omit<Erasure, 'memberships_left'>> {
  return await inTransaction(
    deps.database.pool,
    async (client) => {
      await allowStatements(client, STATEMENT_TIMEOUT_MS);
      const one = [organizationId, address, ERASED_ADDRESS] as const;
      // First, because it looks at every order, and what follows locks the gifts that others wait for.
      const [left] = await queries.countKeysWith(client, [organizationId, address]);
      const [pending] = await queries.erasePendingGifts(client, [...one]);
      const [erased] = await queries.eraseGifts(client, [...one, REASON, new Date(deps.clock.now())]);
      if (pending === undefined || erased === undefined) throw new Error('Counts always have a row.');
      const isFound = erased.gifts > 0 || pending.orders > 0;
      if (isFound)
        await recordEvent(client, deps, actor, {
          organizationId,
          action: 'recipient.erased',
          details: { gifts: erased.gifts, orders_processing: pending.orders },
        });
      return {
        ...erased,
        organizations: isFound ? 1 : 0,
        orders_processing: pending.orders,
        idempotency_keys_left: left?.keys ?? 0,
      };
    },
    UNTIL_IT_IS_DONE,
  );
}
