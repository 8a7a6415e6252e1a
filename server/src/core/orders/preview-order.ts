import { type KeyCaller, parametersOf, requireAdmitted } from '../../platform/authentication/caller.ts';
import { BestowError } from '../../platform/base/errors.ts';
import { capRefusal } from '../caps/cap-refusal.ts';
import type { Deps } from '../deps.ts';
import { explainCategory, externalIdTaken, grantRefusalOf, issuerMissing, refusalOf } from './place-order.ts';
import { needsIssuer, prepareOrder } from './prepare-order.ts';
import { type PreviewedCap, selectPreview } from './preview-queries.ts';
import { refusalWhileHeld } from './refusal-while-held.ts';
import type { OrderInputBody } from './schema.ts';

export interface OrderPreview {
  /** In cents. */
  amountCents: number;
  balanceCents: number;
  caps: PreviewedCap[];
  /** Of an agent: whether the order is above the amount of its grant. */
  needsApproval: boolean;
  /** What the order would be refused with now: `insufficient_balance`, also for a spending cap. */
  refusal: BestowError | undefined;
}

/**
 * Checks an order as placing it would, and prices it. Writes nothing, so a later order may still be refused. Ignores the
 * sandbox's steering.
 *
 * @throws BestowError those of `requireAdmitted`, `external_id_taken`, `organization_suspended` (its gifts are on hold),
 *   `parameter_invalid` (category, sending time,
 *   live order to the sandbox domain), `organization_not_configured`, `not_granted` (an agent)
 */
export async function previewOrder(
  deps: Pick<Deps, 'clock' | 'config' | 'database' | 'ids'>,
  caller: KeyCaller,
  body: OrderInputBody,
): Promise<OrderPreview> {
  const { currency } = deps.config;
  const now = new Date(deps.clock.now());
  const notPlaced = { idempotencyKey: '', fingerprint: '', beginning: undefined, traceparent: undefined };
  const { record, invalidGift } = prepareOrder(deps, { ...notPlaced, buyer: caller, body }, now);
  const { amount_cents: amountCents, categories, recipients, addresses } = record;
  const [row] = await selectPreview(deps.database.read, [
    ...parametersOf(caller),
    amountCents,
    categories,
    recipients && JSON.stringify(recipients),
    body.external_id ?? null,
    now,
    addresses,
    needsIssuer(deps, caller),
  ]);
  requireAdmitted(caller, row);
  if (row.external_id_taken_by !== null) throw externalIdTaken(row.external_id_taken_by.order_id);
  if (row.is_held) throw await refusalWhileHeld(deps, caller.organizationId);
  const { unknown_category_position: position, balance_cents: balanceCents, caps } = row;
  if (position !== null) throw await explainCategory(deps, body, position, invalidGift);
  if (row.grant_refusal !== null) throw grantRefusalOf(row.grant_refusal);
  if (invalidGift !== undefined) throw refusalOf(invalidGift);
  if (!row.is_configured) throw new BestowError('organization_not_configured');
  if (row.without_issuer !== null) throw issuerMissing(row.without_issuer);
  const exceeded = caps.find((cap) => cap.spent_cents + cap.amount_cents > cap.cap_cents);
  return {
    amountCents,
    balanceCents,
    caps,
    needsApproval: row.ask_above_cents !== null && amountCents > row.ask_above_cents,
    refusal:
      exceeded !== undefined
        ? capRefusal('order', exceeded, currency, exceeded.amount_cents > exceeded.cap_cents)
        : amountCents > balanceCents
          ? new BestowError('insufficient_balance')
          : undefined,
  };
}
