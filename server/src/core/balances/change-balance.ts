import type { PoolClient } from 'pg';
import type { Environment } from '../../platform/base/environment.ts';
import { encodeId } from '../../platform/base/ids.ts';
import { OperatorError } from '../../platform/base/operator-error.ts';
import { LOCK_TIMEOUT_MS } from '../../platform/database/connections.ts';
import { inOrganization } from '../../platform/database/in-organization.ts';
import type { Deps } from '../deps.ts';
import { findOrganization } from '../organizations/find-organization.ts';
import { appendEntry, type NewEntry } from './append-entry.ts';
import { selectApprovalByReference } from './approval-queries.ts';
import { requirePeoplesReference } from './own-references.ts';

/** The result of an entry; the same for every retry with the same reference. */
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

type ChangeDeps = Pick<Deps, 'database' | 'clock' | 'ids'>;

/** Credits a balance, as `changeOrRepeat` does. */
export const addFunds = async (deps: ChangeDeps, input: Omit<NewEntry, 'kind'>): Promise<BalanceChange> =>
  (await changeOrRepeat(deps, { ...input, kind: 'funding' })).change;

/**
 * Credits a balance, or corrects it by a signed amount; the note of a correction gives the reason. Repeating a reference
 * changes nothing and returns the same result, so that scripts can retry.
 *
 * @param input `organizationId` is an `org_…` id; `amountCents` is 1 to 9,007,199,254,740,991, or for a correction its negative
 * @returns also whether an earlier entry with the reference made the change
 * @throws OperatorError if the organization does not exist, the reference belongs to a different entry or is kept for the
 *   service, or the balance would exceed the maximum or fall below zero
 */
export async function changeOrRepeat(
  deps: ChangeDeps,
  input: NewEntry,
): Promise<{ change: BalanceChange; isRepeated: boolean }> {
  requirePeoplesReference(input.reference);
  const { organization_id } = await findOrganization(deps, input.organizationId);
  const append = async (client: PoolClient) => {
    await requireNotWaiting(client, organization_id, input);
    return appendEntry(client, deps, { ...input, organizationId: organization_id });
  };
  // The operator's command has its own connections.
  const limits = input.actor.kind === 'operator' ? {} : { lockWaitMs: LOCK_TIMEOUT_MS };
  const entry = await inOrganization(deps.database, organization_id, append, limits);
  const change = {
    balance: entry.balance_after_cents,
    amount: entry.amount_cents,
    entry_id: encodeId('led', entry.entry_id),
    organization_id: encodeId('org', organization_id),
    environment: input.environment,
    reference: input.reference ?? null,
  };
  return { change, isRepeated: entry.isRepeated ?? false };
}

/** A request that waits has its reference: booked under it, the request could never be approved. @throws OperatorError */
async function requireNotWaiting(
  client: PoolClient,
  organizationId: string,
  { environment, reference }: NewEntry,
): Promise<void> {
  if (reference === undefined) return;
  const [request] = await selectApprovalByReference(client, [organizationId, environment, reference]);
  if (request?.state === 'waiting')
    throw new OperatorError(
      `The reference “${reference}” belongs to the request ${encodeId('apr', request.approval_id)}, which waits. Approve or decline it, or use a new reference.`,
    );
}
