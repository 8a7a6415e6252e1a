import type { PoolClient } from 'pg';
import { takeBack } from '../../core/balances/take-back.ts';
import { storable } from '../../platform/base/storable.ts';
import { inOrganization } from '../../platform/database/in-organization.ts';
import type { StripeClient } from '../stripe/open-stripe.ts';
import { notifyOfTopup } from './notify-of-topup.ts';
import { organizationOf, PROVIDER_ACTOR } from './payer.ts';
import * as queries from './queries.ts';
import { requireStripe } from './require-stripe.ts';
import type { SettleDeps } from './settle-payment.ts';
import { workOnTopup } from './work-on-topup.ts';

const MOST_LOOKED_AT = 100;

/** What moved an organization's money at the provider. */
interface Transfer {
  organizationId: string;
  id: string;
  cents: number;
}

/**
 * A bank transfer that arrived becomes a top-up, whose job takes the money from the cash balance. One that its bank took back
 * is taken from the balance, if it was credited.
 *
 * @throws if Stripe or the database do not answer, so that the job is retried
 */
export async function followTransfer(deps: SettleDeps, customerId: string, transactionId: string): Promise<void> {
  const { client, currency } = requireStripe(deps);
  const [transaction, customer] = await Promise.all([
    client.customers.retrieveCashBalanceTransaction(customerId, transactionId),
    client.customers.retrieve(customerId),
  ]);
  const organizationId = customer.deleted === true ? undefined : organizationOf(customer.metadata);
  if (organizationId === undefined || transaction.currency !== currency) return;
  if (transaction.type === 'funded') await addTransfer(deps, organizationId, transaction);
  if (transaction.type !== 'funding_reversed') return;
  const cents = -transaction.net_amount;
  // The event of the transfer itself may come later.
  const { data } = await client.customers.listCashBalanceTransactions(customerId, { limit: MOST_LOOKED_AT });
  for (const one of data)
    if (one.type === 'funded' && one.net_amount === cents && one.currency === currency)
      await addTransfer(deps, organizationId, one);
  await returnTransfer(deps, { organizationId, id: transactionId, cents });
}

type Funded = Pick<
  Awaited<ReturnType<StripeClient['customers']['retrieveCashBalanceTransaction']>>,
  'id' | 'net_amount' | 'funded'
>;

/** Does nothing if it is known. */
async function addTransfer(
  deps: SettleDeps,
  organizationId: string,
  { id, net_amount, funded }: Funded,
): Promise<void> {
  const sender = funded?.bank_transfer.reference ?? 'bank transfer';
  await queries.insertTopup(deps.database.pool, [
    organizationId,
    deps.ids.next(),
    'bank_transfer',
    net_amount,
    0,
    id,
    storable(sender.slice(0, 200)),
    new Date(deps.clock.now()),
  ]);
}

/**
 * Stripe does not say which transfer it was: it is one of the same amount, rather one that is not credited yet. The balance
 * is the same whichever it was.
 */
async function returnTransfer(deps: SettleDeps, transfer: Transfer): Promise<void> {
  const { organizationId, id, cents } = transfer;
  const { pool } = deps.database;
  const [found] = await queries.selectReturned(pool, [organizationId, id, cents]);
  if (found === undefined) {
    deps.log.error({ transfer }, 'A bank transfer was taken back, and no top-up has its amount.');
    return;
  }
  if (found.is_known) return;
  if (found.state === 'pending') {
    await workOnTopup(deps, organizationId, found.topup_id);
    await cancelUnpaid(deps, found);
  }
  await inOrganization(deps.database, organizationId, async (client) => {
    // One return at a time, so that two never take the same top-up.
    await queries.lockCustomer(client, [organizationId]);
    const [now] = await queries.selectReturned(client, [organizationId, id, cents]);
    if (now?.is_known === true) return;
    if (now?.topup_id !== found.topup_id) throw new Error('Another return took this top-up; the retry finds the next.');
    const [topup] = await queries.lockTopup(client, [organizationId, found.topup_id]);
    if (topup !== undefined) await book(client, deps, topup, transfer);
  });
}

/** The cash balance no longer holds the money; the payment must not take that of the next transfer. */
async function cancelUnpaid(deps: SettleDeps, { organization_id, topup_id }: queries.TopupRow): Promise<void> {
  const [topup] = await queries.selectTopup(deps.database.pool, [organization_id, topup_id]);
  if (topup === undefined || topup.state === 'succeeded' || topup.payment_id === null) return;
  const { client } = requireStripe(deps);
  const { status } = await client.paymentIntents.retrieve(topup.payment_id);
  if (status === 'succeeded') throw new Error('The payment of a returned transfer succeeded; its event goes first.');
  if (status !== 'canceled') await client.paymentIntents.cancel(topup.payment_id);
}

async function book(
  client: PoolClient,
  deps: SettleDeps,
  { topup_id, state }: queries.TopupRow,
  { organizationId, id, cents }: Transfer,
): Promise<void> {
  const at = new Date(deps.clock.now());
  const isCredited = state === 'succeeded';
  await queries.insertReversal(client, [organizationId, id, topup_id, 'return', isCredited ? cents : 0, at]);
  if (!isCredited) {
    await queries.setState(client, [organizationId, topup_id, 'failed', 'The bank took the transfer back.']);
    return;
  }
  await takeBack(client, deps, {
    organizationId,
    amountCents: cents,
    feeCents: 0,
    reference: id,
    note: 'A bank transfer was returned',
    actor: PROVIDER_ACTOR,
  });
  await notifyOfTopup(client, deps, organizationId, { event: 'return', amount_cents: cents });
}
