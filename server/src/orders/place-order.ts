import { setTimeout as wait } from 'node:timers/promises';
import { KeyChanged } from '../base/key-changed.ts';
import type { Principal } from '../base/principal.ts';
import type { Deps } from '../deps.ts';
import { BestowError } from '../errors.ts';
import { recordFirstTry } from '../sandbox/record-first-try.ts';
import { fingerprint } from './fingerprint.ts';
import { type PreparedOrder, prepareOrder } from './prepare-order.ts';
import { presentOrder, presentPlacedOrder } from './present-order.ts';
import { selectOrder, selectReplay } from './queries.ts';
import type { NewOrderBody, OrderBody } from './schema.ts';

type PlaceDeps = Pick<Deps, 'clock' | 'config' | 'database' | 'ids' | 'links' | 'placementQueue' | 'tracer'>;

interface PlacedOrder {
  order: OrderBody;
  /** True if an earlier request with the same key and body placed the order. */
  isReplay: boolean;
  /** Steering of the answer; empty for a replay. */
  effects: PreparedOrder['effects'];
}

const LOCK_POLL_MS = 10;
/** Another attempt is needed only if another process commits between two statements. */
const MAX_ATTEMPTS = 20;

/**
 * Places an order in one commit: debits the balance once and creates the order, its gifts and its ledger entry. If the same
 * key and body placed an order before, returns that order as it is now.
 *
 * Nothing is created or charged after any of these errors except OutcomeUnknown.
 *
 * @throws BestowError `idempotency_key_reused`, `idempotency_in_progress`, `parameter_invalid` (category, live order to
 *   the sandbox domain), `organization_not_configured`, `resource_locked`, `insufficient_balance`, `internal_error`,
 *   `rate_limit_exceeded` (steered)
 * @throws KeyChanged if the principal's key is no longer valid
 * @throws QueueFull, OutcomeUnknown
 */
export async function placeOrder(
  deps: PlaceDeps,
  principal: Principal,
  idempotencyKey: string,
  body: NewOrderBody,
): Promise<PlacedOrder> {
  const replay = deps.placementQueue.hasPlaced(principal, idempotencyKey)
    ? await findReplay(deps, principal, idempotencyKey, body)
    : undefined;
  if (replay !== undefined) return { order: replay, isReplay: true, effects: [] };
  const lockedUntilMs = performance.now() + deps.config.orderLockWaitMs;
  let hasTriedBefore = false;
  for (let attempt = 1; attempt <= MAX_ATTEMPTS || performance.now() < lockedUntilMs; attempt += 1) {
    const { record, refusal, effects } = prepareOrder(deps, principal, idempotencyKey, body, hasTriedBefore);
    const placement = await deps.placementQueue.submit(record);
    switch (placement.outcome) {
      case 'placed':
        return { order: presentPlacedOrder(deps.links, principal, record), isReplay: false, effects };
      case 'replayed': {
        const orderId = placement.earlier_order_id ?? record.order_id;
        // This request placed it, and the connection was lost after the commit: no read may fail now.
        if (orderId === record.order_id)
          return { order: presentPlacedOrder(deps.links, principal, record), isReplay: false, effects };
        const rows = await selectOrder(deps.database.read, [principal.organizationId, principal.environment, orderId]);
        const [order] = presentOrder(deps.links, principal, rows);
        // If a reset has deleted the order, the key is free again.
        if (order !== undefined) return { order, isReplay: true, effects: [] };
        break;
      }
      case 'key_changed':
        throw new KeyChanged();
      case 'stale_ids':
        deps.ids.raiseAbove(placement.last_id ?? record.order_id);
        break;
      case 'run_again':
        break;
      case 'locked':
        if (performance.now() >= lockedUntilMs) throw new BestowError('resource_locked');
        await wait(LOCK_POLL_MS);
        break;
      case 'refused':
        // Recorded only now, so that a try refused for another reason does not count.
        if (refusal.steeredFailure === 'rate_limit_exceeded' && !hasTriedBefore) {
          hasTriedBefore = !(await recordFirstTry(deps, principal.organizationId, idempotencyKey));
          if (hasTriedBefore) break;
        }
        throw refusalOf(refusal, deps.config.sandboxMailDomain);
      case 'unknown_category':
        throw categoryRefusal(placement.unknown_category_position ?? 0, refusal, deps.config.sandboxMailDomain);
      case 'failed':
        throw placement.error;
      default:
        throw new BestowError(codes[placement.outcome]);
    }
  }
  throw new BestowError('resource_locked');
}

/**
 * Reads the order that this key and body placed before, without the placing statement. If it finds no order, the placing
 * statement decides.
 */
async function findReplay(
  { database, links }: Pick<PlaceDeps, 'database' | 'links'>,
  principal: Principal,
  idempotencyKey: string,
  { gifts }: NewOrderBody,
): Promise<OrderBody | undefined> {
  const { organizationId, environment, keyId } = principal;
  const bodyFingerprint = Buffer.from(fingerprint({ gifts }), 'hex');
  const rows = await selectReplay(database.read, [organizationId, environment, idempotencyKey, bodyFingerprint, keyId]);
  return presentOrder(links, principal, rows)[0];
}

const codes = {
  key_reused: 'idempotency_key_reused',
  in_progress: 'idempotency_in_progress',
  same_key_under_way: 'idempotency_in_progress',
  not_configured: 'organization_not_configured',
  insufficient_balance: 'insufficient_balance',
} as const;

type EarlyRefusal = PreparedOrder['refusal'];

/** Reports the first offending gift; in one gift, the category comes before the address. */
function categoryRefusal(position: number, refusal: EarlyRefusal, mailDomain: string): BestowError {
  const { impossibleAddressPosition } = refusal;
  if (impossibleAddressPosition !== undefined && impossibleAddressPosition < position)
    return refusalOf(refusal, mailDomain);
  const param = `gifts[${position}].category`;
  return new BestowError('parameter_invalid', { param, message: `${param} is not a category of the catalog.` });
}

function refusalOf({ impossibleAddressPosition, steeredFailure }: EarlyRefusal, mailDomain: string): BestowError {
  if (impossibleAddressPosition === undefined) return new BestowError(steeredFailure ?? 'internal_error');
  const param = `gifts[${impossibleAddressPosition}].delivery.email`;
  const message = `${param} must not be in ${mailDomain}: a live gift cannot reach an address that does not exist.`;
  return new BestowError('parameter_invalid', { param, message });
}
