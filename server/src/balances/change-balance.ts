import type { Environment } from '../base/environment.ts';
import { encodeId } from '../base/ids.ts';
import { inTransaction, waitBrieflyForLocks } from '../database/connections.ts';
import type { Deps } from '../deps.ts';
import { findOrganization } from '../organizations/find-organization.ts';
import { appendEntry, type NewEntry } from './append-entry.ts';

/** What an entry did. The same for every repetition of it with its reference. */
export interface BalanceChange {
  /** Cents, right after the entry. */
  balance: number;
  /** Cents, signed. */
  amount: number;
  entry_id: string;
  organization_id: string;
  environment: Environment;
  reference: string | null;
}

/** @param input with the organization's `org_…` id */
export async function changeBalance(
  deps: Pick<Deps, 'database' | 'clock' | 'ids'>,
  input: NewEntry,
): Promise<BalanceChange> {
  const { organization_id } = await findOrganization(deps, input.organizationId);
  const entry = await inTransaction(deps.database.pool, async (client) => {
    // The operator's command has connections of its own.
    if (input.actor.kind !== 'operator') await waitBrieflyForLocks(client);
    return await appendEntry(client, deps, { ...input, organizationId: organization_id });
  });
  return {
    balance: entry.balance_after_cents,
    amount: entry.amount_cents,
    entry_id: encodeId('led', entry.entry_id),
    organization_id: encodeId('org', organization_id),
    environment: input.environment,
    reference: input.reference ?? null,
  };
}
