import { requireAdmitted } from '../authentication/caller.ts';
import { fingerprintOf } from '../base/fingerprint.ts';
import { capRefusal } from '../caps/cap-refusal.ts';
import type { Deps } from '../deps.ts';
import { BestowError, type ErrorCode } from '../errors.ts';
import { recordFirstTry } from '../sandbox/record-first-try.ts';
import type { Buyer } from './buyer.ts';
import type { PlacementRow } from './placement.ts';
import { type PreparedOrder, prepareOrder } from './prepare-order.ts';
import { presentEarlierOrder, presentPlacedOrder } from './present-order.ts';
import type { OrderBody, OrderInputBody } from './schema.ts';

type PlaceDeps = Pick<Deps, 'clock' | 'config' | 'database' | 'ids' | 'links' | 'orderBatches' | 'tracer'>;

interface PlacedOrder {
  order: OrderBody;
  /** True if an earlier request with the same key and body placed the order. */
  isReplay: boolean;
  /** Steering of the answer; empty for a replay. */
  effects: PreparedOrder['effects'];
}

/** The outcomes that are errors by themselves. */
const codes: Partial<Record<PlacementRow['outcome'], ErrorCode>> = {
  key_reused: 'idempotency_key_reused',
  in_progress: 'idempotency_in_progress',
  external_id_taken: 'external_id_taken',
  not_configured: 'organization_not_configured',
  locked: 'resource_locked',
  insufficient_balance: 'insufficient_balance',
};

/**
 * Places an order in one commit: debits the balance once and creates the order, its gifts and its ledger entry. If the same
 * key and body placed an order before, returns that order as it is now.
 *
 * Nothing is created or charged after any of these errors except OutcomeUnknown.
 *
 * @throws BestowError those of `requireAdmitted`, `idempotency_key_reused`, `idempotency_in_progress`, `external_id_taken`,
 *   `parameter_invalid` (category, sending time, live order to the sandbox domain), `organization_not_configured`,
 *   `admin_required`, `resource_locked`,
 *   `insufficient_balance`, `internal_error`, `rate_limit_exceeded` (steered, or a spending cap)
 * @throws QueueFull, OutcomeUnknown
 */
export async function placeOrder(
  deps: PlaceDeps,
  buyer: Buyer,
  idempotencyKey: string,
  body: OrderInputBody,
): Promise<PlacedOrder> {
  const fingerprint = fingerprintOf(body);
  // The batch may run in another request's trace.
  const traceparent = deps.tracer?.current();
  const place = (hasTriedBefore: boolean) =>
    deps.orderBatches.submit({
      scope: buyer,
      idempotencyKey,
      prepare: (now) =>
        prepareOrder(deps, buyer, { idempotencyKey, fingerprint, body, hasTriedBefore, traceparent, now }),
    });
  let { row, prepared } = await place(false);
  // Recorded only now, so that a try refused for another reason does not count.
  if (row.outcome === 'refused' && prepared.refusal.steeredFailure === 'rate_limit_exceeded')
    if (!(await recordFirstTry(deps, buyer.organizationId, idempotencyKey))) ({ row, prepared } = await place(true));
  if (row.outcome === 'placed') {
    buyer.found = row;
    const order = presentPlacedOrder(deps.links, buyer, prepared.record, row.organization_name);
    return { order, isReplay: false, effects: prepared.effects };
  }
  requireAdmitted(buyer, row);
  if (row.earlier !== null)
    return { order: presentEarlierOrder(deps.links, buyer, row.earlier), isReplay: true, effects: [] };
  // No longer an admin since the portal asked.
  if (row.outcome === 'not_configured' && buyer.keyHash === null) throw new BestowError('admin_required');
  throw row.cap === null || row.outcome !== 'over_cap'
    ? errorOf(row, prepared.refusal)
    : capRefusal('order', row.cap, prepared.record.created_at, deps.config.currency);
}

function errorOf(row: PlacementRow, refusal: EarlyRefusal): BestowError {
  if (row.outcome === 'refused') return refusalOf(refusal);
  if (row.unknown_category_position !== null && row.outcome === 'unknown_category')
    return categoryRefusal(row.unknown_category_position, refusal);
  return new BestowError(codes[row.outcome] ?? 'internal_error');
}

type EarlyRefusal = PreparedOrder['refusal'];

/** Reports the first offending gift; in one gift, the category comes before the address and the time. */
export function categoryRefusal(position: number, refusal: EarlyRefusal): BestowError {
  if (refusal.invalidGift !== undefined && refusal.invalidGift.position < position) return refusalOf(refusal);
  const param = `gifts[${position}].category`;
  return new BestowError('parameter_invalid', { param, message: `${param} is not a category of the catalog.` });
}

export function refusalOf({ invalidGift, steeredFailure }: EarlyRefusal): BestowError {
  if (invalidGift === undefined) return new BestowError(steeredFailure ?? 'internal_error');
  const { param, message } = invalidGift;
  return new BestowError('parameter_invalid', { param, message });
}
