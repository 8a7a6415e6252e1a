import { requireAdmitted } from '../../platform/authentication/caller.ts';
import { notIncluded } from '../../platform/authentication/permissions.ts';
import { BestowError, type ErrorCode } from '../../platform/base/errors.ts';
import { fingerprintOf } from '../../platform/base/fingerprint.ts';
import { encodeId } from '../../platform/base/ids.ts';
import { capRefusal, type ExceededCap } from '../caps/cap-refusal.ts';
import { categoryHint } from '../catalog/category-hint.ts';
import type { Deps } from '../deps.ts';
import type { Buyer } from './buyer.ts';
import { type GroupDeps, groupCommitFor } from './group-commit.ts';
import type { GrantRefusal, PlacementRow } from './placement.ts';
import type { Beginning, InvalidGift } from './prepare-order.ts';
import { presentEarlierOrder, presentPlacedOrder } from './present-order.ts';
import { refusalWhileHeld } from './refusal-while-held.ts';
import type { OrderBody, OrderInputBody } from './schema.ts';

export type PlaceDeps = GroupDeps & Pick<Deps, 'links'>;

interface PlacedOrder {
  order: OrderBody;
  /** True if an earlier request with the same key and body placed the order. */
  isReplay: boolean;
}

/** The outcomes that are errors by themselves. */
const codes: Partial<Record<PlacementRow['outcome'], ErrorCode>> = {
  key_reused: 'idempotency_key_reused',
  in_progress: 'idempotency_in_progress',
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
 * @param beginning from the sandbox's steering; undefined for an order like every other
 * @throws BestowError those of `requireAdmitted`, `idempotency_key_reused`, `idempotency_in_progress`, `external_id_taken`,
 *   `organization_suspended` (its gifts are on hold), `parameter_invalid` (category, sending time, live order to the sandbox domain), `organization_not_configured` (no member
 *   or, in production, no issuer),
 *   `admin_required`, `not_granted` (an agent), `resource_locked`, `insufficient_balance` (also a spending cap); that of `beginning`
 * @throws QueueFull, OutcomeUnknown
 */
export async function placeOrder(
  deps: PlaceDeps,
  buyer: Buyer,
  idempotencyKey: string,
  body: OrderInputBody,
  beginning: Beginning | undefined,
): Promise<PlacedOrder> {
  const fingerprint = fingerprintOf(body);
  // The group may run in another request's trace.
  const traceparent = deps.tracer?.current();
  const request = { buyer, idempotencyKey, fingerprint, body, beginning, traceparent };
  const { row, record, invalidGift } = await groupCommitFor(deps, buyer.organizationId).submit(request);
  if (row.outcome === 'placed') {
    buyer.found = row;
    return { order: presentPlacedOrder(deps.links, buyer, record, row.organization_name), isReplay: false };
  }
  requireAdmitted(buyer, row);
  if (row.earlier !== null) return { order: presentEarlierOrder(deps.links, buyer, row.earlier), isReplay: true };
  if (row.outcome === 'held') throw await refusalWhileHeld(deps, buyer.organizationId);
  if (row.outcome === 'refused' && invalidGift === undefined && beginning !== undefined) {
    const code = await beginning.refusal?.();
    if (code !== undefined) throw new BestowError(code);
    return placeOrder(deps, buyer, idempotencyKey, body, { ...beginning, refusal: undefined });
  }
  // No longer in that role since the portal asked.
  if (row.outcome === 'not_configured' && 'member' in buyer) throw new BestowError('admin_required');
  const position = row.outcome === 'unknown_category' ? row.unknown_category_position : undefined;
  // The answer to a key is bound byte by byte.
  if (position != null && !('member' in buyer)) throw categoryRefusal(position, invalidGift);
  if (position != null) throw await explainCategory(deps, body, position, invalidGift);
  throw row.cap == null || row.outcome !== 'over_cap'
    ? errorOf(row, invalidGift, 'member' in buyer && buyer.keyHash === null)
    : capRefusal('order', row.cap, deps.config.currency, isBeyond(row.cap, record.amount_cents));
}

/** Whether the order alone exceeds the cap. A cap on recipients limits only a part of the order. */
const isBeyond = ({ of, cap_cents }: ExceededCap, amountCents: number) =>
  !of.endsWith('recipient') && amountCents > cap_cents;

function errorOf(row: PlacementRow, invalidGift: InvalidGift | undefined, isMember: boolean): BestowError {
  if (row.grant_refusal != null && row.outcome === 'not_granted')
    return isMember ? linkRefusalOf(row.grant_refusal) : grantRefusalOf(row.grant_refusal);
  if (row.outcome === 'needs_approval')
    return isMember
      ? new BestowError('approval_required')
      : new BestowError('not_granted', { message: NEEDS_APPROVAL });
  if (row.outcome === 'refused' && invalidGift !== undefined) return refusalOf(invalidGift);
  if (row.without_issuer != null && row.outcome === 'without_issuer') return issuerMissing(row.without_issuer);
  if (row.outcome === 'external_id_taken') return externalIdTaken(row.taken_by ?? null);
  const code = codes[row.outcome] ?? 'internal_error';
  // The portal sends no such header.
  return new BestowError(code, code === 'idempotency_key_reused' && !isMember ? { param: 'Idempotency-Key' } : {});
}

/** @param orderId UUID of the order that has the external id; null if the agent does not see it */
export const externalIdTaken = (orderId: string | null) =>
  new BestowError('external_id_taken', orderId === null ? { message: UNSEEN } : { orderId: encodeId('ord', orderId) });

/** Reports the first offending gift; in one gift, the category comes before the address and the time. */
function categoryRefusal(position: number, invalidGift: InvalidGift | undefined, hint = ''): BestowError {
  if (invalidGift !== undefined && invalidGift.position < position) return refusalOf(invalidGift);
  const param = `gifts[${position}].category`;
  return new BestowError('parameter_invalid', { param, message: `${param} is not a category of the catalog.${hint}` });
}

/** The same with the categories there are, for people and agents. */
export async function explainCategory(
  deps: Pick<Deps, 'database'>,
  { gifts }: OrderInputBody,
  position: number,
  invalidGift: InvalidGift | undefined,
): Promise<BestowError> {
  return categoryRefusal(position, invalidGift, await categoryHint(deps, gifts[position]?.category ?? ''));
}

/** A live gift of the category could not be claimed. */
export const issuerMissing = (categoryId: string) =>
  new BestowError('organization_not_configured', {
    message: `Live gifts of the category “${categoryId}” cannot be ordered yet, because this organization has no card issuer for them. Ask the operator of this service to add one.`,
  });

const UNSEEN =
  'An order that this agent’s grant does not reach has this external_id. It may be the order that you want.';

const NEEDS_APPROVAL = 'An admin must approve this agent’s order first. Call place_order to ask for it.';

const NOT_GRANTED = {
  category: 'this category',
  recipient: 'this recipient',
  link: 'link gifts, because it has a limit for each recipient',
} as const;

/** A member with a limit for each recipient. */
export const linkRefusalOf = ({ position }: GrantRefusal) =>
  new BestowError('refused', {
    param: `gifts[${position}]`,
    message: 'You have a limit for each recipient, so that you can send gifts by email or phone only.',
  });

/** What an agent's grant does not include. */
export const grantRefusalOf = ({ position, rule }: GrantRefusal) =>
  new BestowError('not_granted', { param: `gifts[${position}]`, message: notIncluded(NOT_GRANTED[rule]) });

export const refusalOf = ({ param, message }: InvalidGift) => new BestowError('parameter_invalid', { param, message });
