import { getPath, parseJson, textAt } from '../../platform/base/get-path.ts';
import { inOrganization } from '../../platform/database/in-organization.ts';
import type { HandleEvent } from '../provider-events/provider.ts';
import { followTransfer } from './follow-transfer.ts';
import { ownerOf } from './payer.ts';
import * as queries from './queries.ts';
import { requireStripe } from './require-stripe.ts';
import { type SettleDeps, settlePayment } from './settle-payment.ts';

/** The events that the webhook endpoint needs; the reconciliation lists the same. */
export const EVENT_TYPES = [
  'checkout.session.completed',
  'checkout.session.async_payment_succeeded',
  'checkout.session.async_payment_failed',
  'checkout.session.expired',
  'payment_intent.succeeded',
  'payment_intent.processing',
  'payment_intent.payment_failed',
  'payment_intent.canceled',
  'customer_cash_balance_transaction.created',
  'refund.created',
  'refund.updated',
  'refund.failed',
  'charge.dispute.created',
  'charge.dispute.funds_withdrawn',
  'charge.dispute.funds_reinstated',
  'charge.dispute.closed',
  'review.closed',
] as const;

const isText = (value: unknown): value is string => typeof value === 'string';

/**
 * An event says only which payment or transfer to look at: what it was, is read from Stripe. So order and repetition do not
 * matter.
 */
export const handleStripeEvent =
  (deps: SettleDeps): HandleEvent =>
  async ({ type, body }) => {
    if (deps.stripe === undefined || !EVENT_TYPES.some((known) => known === type)) return;
    const object = getPath(parseJson(body), 'data', 'object');
    const id = getPath(object, 'id');
    if (!isText(id)) return;
    if (type.startsWith('checkout.session.')) return followSession(deps, id);
    if (type.startsWith('customer_cash_balance_transaction.'))
      return followTransfer(deps, textAt(object, 'customer'), id);
    const paymentId = type.startsWith('payment_intent.') ? id : getPath(object, 'payment_intent');
    if (isText(paymentId)) await settlePayment(deps, paymentId);
  };

async function followSession(deps: SettleDeps, sessionId: string): Promise<void> {
  const { client } = requireStripe(deps);
  const session = await client.checkout.sessions.retrieve(sessionId, { expand: ['invoice'] });
  const { payment_intent, invoice } = session;
  const pdf = typeof invoice === 'object' ? (invoice?.invoice_pdf ?? undefined) : undefined;
  if (isText(payment_intent)) await settlePayment(deps, payment_intent, pdf);
  if (session.status === 'expired') await cancelUnpaid(deps, session.metadata, sessionId);
}

/** Nothing was paid in this session, and no other was opened. */
async function cancelUnpaid(
  deps: SettleDeps,
  metadata: Record<string, string> | null,
  sessionId: string,
): Promise<void> {
  const owner = ownerOf(metadata);
  if (owner === undefined) return;
  const { organizationId, topupId } = owner;
  await inOrganization(deps.database, organizationId, async (client) => {
    const [topup] = await queries.lockTopup(client, [organizationId, topupId]);
    if (topup?.kind === 'checkout' && topup.state === 'pending' && topup.session_id === sessionId)
      await queries.setState(client, [organizationId, topupId, 'canceled', null]);
  });
}
