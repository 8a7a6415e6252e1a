import type { Actor } from '../../platform/base/actor.ts';
import { actorName } from '../../platform/base/actor.ts';
import { BestowError } from '../../platform/base/errors.ts';
import { decodeId, encodeId } from '../../platform/base/ids.ts';
import { OperatorError } from '../../platform/base/operator-error.ts';
import { inOrganization } from '../../platform/database/in-organization.ts';
import type { StripeDeps } from '../stripe/open-stripe.ts';
import { requireCustomer } from './customer.ts';
import { cardFee } from './fee.ts';
import { metadataOf } from './payer.ts';
import * as queries from './queries.ts';
import { requireStripe } from './require-stripe.ts';

type CheckoutDeps = Pick<StripeDeps, 'clock' | 'config' | 'database' | 'ids' | 'publicUrl' | 'stripe'>;

interface NewCheckout {
  /** UUID. */
  organizationId: string;
  /** Within the bounds of `fee.ts`. */
  amountCents: number;
  actor: Actor;
}

/**
 * Opens a page at Stripe, then adds its top-up. Without an answer of Stripe nothing is added, and a page whose address no
 * one gets is never paid.
 *
 * @returns the page's address
 */
export async function startCheckout(
  deps: CheckoutDeps,
  { organizationId, amountCents, actor }: NewCheckout,
): Promise<string> {
  const { config } = requireStripe(deps);
  const topupId = deps.ids.next();
  const feeCents = cardFee(config.cardFee, amountCents);
  const session = await createSession(deps, {
    organization_id: organizationId,
    topup_id: topupId,
    session_id: null,
    amount_cents: amountCents,
    fee_cents: feeCents,
  });
  await inOrganization(deps.database, organizationId, async (client) => {
    const [topup] = await queries.insertTopup(client, [
      organizationId,
      topupId,
      'checkout',
      amountCents,
      feeCents,
      null,
      actorName(actor),
      new Date(deps.clock.now()),
    ]);
    if (topup === undefined) throw new Error('The top-up was not added, so its page must not be paid.');
    await queries.setSession(client, [organizationId, topupId, session.id]);
  });
  return session.url as string;
}

/**
 * Opens the page of a top-up that waits for its payer: its open session, or a new one.
 *
 * @param topupId `top_…`
 * @throws BestowError `not_found`; OperatorError if it no longer waits
 */
export async function payTopup(deps: CheckoutDeps, organizationId: string, topupId: string): Promise<string> {
  const { client } = requireStripe(deps);
  const uuid = decodeId('top', topupId);
  const [topup] = uuid === undefined ? [] : await queries.selectTopup(deps.database.pool, [organizationId, uuid]);
  if (topup === undefined) throw new BestowError('not_found');
  const { state, kind, session_id, payment_id } = topup;
  if (state !== 'action_required' && !(state === 'pending' && kind === 'checkout'))
    throw new OperatorError('This top-up no longer waits for a payment.');
  const session = session_id === null ? undefined : await client.checkout.sessions.retrieve(session_id);
  if (session?.status === 'open' && session.url !== null) return session.url;
  if (session?.status === 'complete') throw new OperatorError('This top-up was paid; it is credited in a moment.');
  // The card's own attempt must not succeed as well.
  if (payment_id !== null) await cancelPayment(deps, payment_id);
  const opened = await createSession(deps, topup);
  await queries.setSession(deps.database.pool, [organizationId, topup.topup_id, opened.id]);
  return opened.url as string;
}

async function cancelPayment(deps: CheckoutDeps, paymentId: string): Promise<void> {
  const { client } = requireStripe(deps);
  const { status } = await client.paymentIntents.retrieve(paymentId);
  if (status === 'succeeded' || status === 'processing')
    throw new OperatorError('This top-up was paid; it is credited in a moment.');
  if (status !== 'canceled') await client.paymentIntents.cancel(paymentId);
}

type Payable = Pick<queries.TopupRow, 'organization_id' | 'topup_id' | 'session_id' | 'amount_cents' | 'fee_cents'>;

async function createSession(deps: CheckoutDeps, topup: Payable) {
  const { client, currency } = requireStripe(deps);
  const { organization_id: organizationId, topup_id: topupId, amount_cents, fee_cents } = topup;
  const metadata = metadataOf({ organizationId, topupId });
  const line = (name: string, unit_amount: number) => ({
    quantity: 1,
    price_data: { currency, unit_amount, product_data: { name } },
  });
  return await client.checkout.sessions.create(
    {
      mode: 'payment',
      customer: await requireCustomer(deps, organizationId),
      client_reference_id: encodeId('org', organizationId),
      line_items: [line('Funds for gifts', amount_cents), ...(fee_cents > 0 ? [line('Card fee', fee_cents)] : [])],
      invoice_creation: { enabled: true },
      payment_intent_data: { setup_future_usage: 'off_session', metadata },
      metadata,
      ...returnUrls(deps, organizationId),
    },
    { idempotencyKey: `bestow-session-${topupId}-${topup.session_id ?? 'first'}` },
  );
}

/** The balance in the portal; a redirect credits nothing. */
export function returnUrls({ publicUrl }: Pick<StripeDeps, 'publicUrl'>, organizationId: string) {
  const page = `${publicUrl()}/portal/${encodeId('org', organizationId)}/live/balance`;
  return { success_url: `${page}?topup=paid`, cancel_url: page };
}
