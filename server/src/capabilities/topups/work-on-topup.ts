import { inOrganization } from '../../platform/database/in-organization.ts';
import type { StripeClient } from '../stripe/open-stripe.ts';
import { requireCustomer } from './customer.ts';
import { metadataOf } from './payer.ts';
import * as queries from './queries.ts';
import { recordFailure } from './record-failure.ts';
import { requireStripe } from './require-stripe.ts';
import { selectRule } from './rule-queries.ts';
import { type SettleDeps, settlePayment } from './settle-payment.ts';

const DAY_MS = 86_400_000;
const MOST_LOOKED_AT = 100;

/**
 * Charges the saved card of an automatic top-up, or takes a transfer's money from the cash balance; then settles it. Safe to
 * repeat: the payment has an idempotency key, and after a day, when Stripe forgets keys, it is looked up first.
 *
 * @param organizationId UUID
 * @param topupId UUID
 * @throws if Stripe does not answer
 */
export async function workOnTopup(deps: SettleDeps, organizationId: string, topupId: string): Promise<void> {
  if (deps.stripe === undefined) return;
  const [topup] = await queries.selectTopup(deps.database.pool, [organizationId, topupId]);
  if (topup === undefined || topup.kind === 'checkout' || topup.state !== 'pending') return;
  const paymentId = topup.payment_id ?? (await pay(deps, topup));
  if (paymentId === undefined) return;
  await queries.setPayment(deps.database.pool, [organizationId, topupId, paymentId]);
  await settlePayment(deps, paymentId);
}

async function pay(deps: SettleDeps, topup: queries.TopupRow): Promise<string | undefined> {
  const { client, currency } = requireStripe(deps);
  const { organization_id: organizationId, topup_id: topupId, amount_cents, fee_cents, created_at } = topup;
  const customer = await requireCustomer(deps, organizationId);
  const daysOld = Math.floor((deps.clock.now() - created_at.getTime()) / DAY_MS);
  const metadata = metadataOf({ organizationId, topupId });
  const earlier = daysOld > 0 ? await findPayment(client, customer, topup, metadata) : undefined;
  if (earlier !== undefined) return earlier;
  const method = await methodOf(deps, topup);
  if (method === undefined) {
    await refuse(deps, topup, 'No card is saved for automatic top-ups.');
    return undefined;
  }
  try {
    const { id } = await client.paymentIntents.create(
      { amount: amount_cents + fee_cents, currency, customer, confirm: true, metadata, ...method },
      { idempotencyKey: `bestow-topup-${topupId}-${daysOld}` },
    );
    return id;
  } catch (error) {
    const { type, message, payment_intent } = error as {
      type?: string;
      message: string;
      payment_intent?: { id: string };
    };
    // The card was declined: the payment exists and says why.
    if (type === 'StripeCardError' && payment_intent !== undefined) return payment_intent.id;
    if (type !== 'StripeInvalidRequestError' && type !== 'StripeCardError') throw error;
    await refuse(deps, topup, message);
    return undefined;
  }
}

async function methodOf(deps: SettleDeps, { kind, organization_id }: queries.TopupRow) {
  if (kind === 'bank_transfer')
    return {
      allowed_payment_method_types: ['customer_balance' as const],
      payment_method_data: { type: 'customer_balance' as const },
      payment_method_options: { customer_balance: { funding_type: 'bank_transfer' as const } },
    };
  const [rule] = await selectRule(deps.database.pool, [organization_id]);
  return rule && { payment_method: rule.payment_method_id, off_session: true };
}

async function findPayment(
  client: StripeClient,
  customer: string,
  { created_at }: queries.TopupRow,
  metadata: Record<string, string>,
): Promise<string | undefined> {
  const created = { gte: Math.floor(created_at.getTime() / 1_000) - 60 };
  const { data } = await client.paymentIntents.list({ customer, created, limit: MOST_LOOKED_AT });
  const isSame = (one: (typeof data)[number]) =>
    Object.entries(metadata).every(([name, value]) => one.metadata[name] === value);
  return data.find(isSame)?.id;
}

/** Stripe will not take this payment at any time. */
async function refuse(deps: SettleDeps, topup: queries.TopupRow, message: string): Promise<void> {
  await inOrganization(deps.database, topup.organization_id, async (client) => {
    const [locked] = await queries.lockTopup(client, [topup.organization_id, topup.topup_id]);
    if (locked === undefined) return;
    if (locked.kind === 'automatic') await recordFailure(client, deps, locked, { code: 'refused', message });
    else deps.log.error({ topup: topup.topup_id, message }, 'Stripe refused to apply a bank transfer.');
  });
}
