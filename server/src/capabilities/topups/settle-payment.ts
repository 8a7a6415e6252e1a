import type { PoolClient } from 'pg';
import { legsOf } from '../../core/balances/accounts.ts';
import { appendEntry } from '../../core/balances/append-entry.ts';
import { bookCost } from '../../core/balances/book-cost.ts';
import { collectOwed, giveBack, takeBack } from '../../core/balances/take-back.ts';
import { actorName } from '../../platform/base/actor.ts';
import { inOrganization } from '../../platform/database/in-organization.ts';
import type { StripeDeps } from '../stripe/open-stripe.ts';
import { amountWithFee } from './fee.ts';
import { notifyOfTopup } from './notify-of-topup.ts';
import { PROVIDER_ACTOR } from './payer.ts';
import * as queries from './queries.ts';
import { type Payment, type Reversal, readPayment } from './read-payment.ts';
import { recordFailure } from './record-failure.ts';
import { requireStripe } from './require-stripe.ts';
import { forgetFailures, switchRuleOff } from './rule-queries.ts';

export type SettleDeps = Pick<StripeDeps, 'clock' | 'config' | 'database' | 'ids' | 'log' | 'stripe' | 'tracer'>;

/**
 * Makes the ledger follow a payment: credits it once, takes back each refund and dispute once, and gives back each that was
 * undone. Reads the payment from Stripe, so that events may come twice, late, in any order, or not at all.
 *
 * @throws if Stripe or the database do not answer, so that the job is retried
 */
export async function settlePayment(deps: SettleDeps, paymentId: string, invoiceUrl?: string): Promise<void> {
  const { client, currency } = requireStripe(deps);
  const payment = await readPayment(client, paymentId);
  if (payment === undefined) return;
  if (payment.currency !== currency) {
    deps.log.error(
      { payment: paymentId, currency: payment.currency },
      'A payment in another currency was not credited.',
    );
    return;
  }
  await inOrganization(deps.database, payment.organizationId, async (database) => {
    const topup = await lockFor(database, deps, payment);
    if (topup === undefined) {
      deps.log.warn({ payment: paymentId }, 'A payment that did not succeed names a top-up that does not exist.');
      return;
    }
    if (payment.isInReview && topup.state !== 'succeeded')
      await queries.setState(database, [payment.organizationId, topup.topup_id, 'processing', null]);
    else if (payment.status === 'succeeded') await book(database, deps, topup, payment, invoiceUrl);
    else await follow(database, deps, topup, payment);
  });
}

/** A second payment of one top-up, such as of two checkouts, becomes a top-up too: no money is lost. */
async function lockFor(client: PoolClient, deps: SettleDeps, payment: Payment): Promise<queries.TopupRow | undefined> {
  const { organizationId, topupId, id, status } = payment;
  const [topup] = await queries.lockTopup(client, [organizationId, topupId]);
  if (topup === undefined && status === 'succeeded') return addLost(client, deps, payment);
  if (topup === undefined || topup.payment_id === id || topup.state !== 'succeeded' || status !== 'succeeded')
    return topup;
  const at = new Date(deps.clock.now());
  await queries.insertTopup(client, [
    organizationId,
    deps.ids.next(),
    'checkout',
    topup.amount_cents,
    topup.fee_cents,
    id,
    topup.created_by,
    at,
  ]);
  const [second] = await queries.selectTopupBySource(client, [organizationId, id]);
  if (second === undefined) return undefined;
  return (await queries.lockTopup(client, [organizationId, second.topup_id]))[0];
}

/** Adds the top-up of a payment again. A restore of the database undid it, but the money was paid. */
async function addLost(
  client: PoolClient,
  deps: SettleDeps,
  { organizationId, topupId, receivedCents, isTransfer }: Payment,
): Promise<queries.TopupRow | undefined> {
  const { cardFee } = requireStripe(deps).config;
  const amountCents = isTransfer ? receivedCents : amountWithFee(cardFee, receivedCents);
  await queries.insertTopup(client, [
    organizationId,
    topupId,
    'checkout',
    amountCents,
    receivedCents - amountCents,
    null,
    actorName(PROVIDER_ACTOR),
    new Date(deps.clock.now()),
  ]);
  return (await queries.lockTopup(client, [organizationId, topupId]))[0];
}

async function book(
  client: PoolClient,
  deps: SettleDeps,
  topup: queries.TopupRow,
  payment: Payment,
  invoiceUrl: string | undefined,
): Promise<void> {
  const { organizationId, id, receivedCents, receiptUrl } = payment;
  const { topup_id, amount_cents, fee_cents } = topup;
  const at = new Date(deps.clock.now());
  if (topup.state !== 'succeeded') {
    if (receivedCents !== amount_cents + fee_cents) {
      deps.log.error({ payment: id, receivedCents, topup }, 'A payment has another amount than its top-up.');
      return;
    }
    await queries.markCredited(client, [organizationId, topup_id, id, at, receiptUrl]);
    await appendEntry(client, deps, {
      organizationId,
      environment: 'live',
      kind: 'funding',
      amountCents: amount_cents,
      reference: id,
      note: notes[topup.kind],
      actor: PROVIDER_ACTOR,
      legs: legsOf({ payment_clearing: -receivedCents, fees: fee_cents }),
    });
    await collectOwed(client, deps, { organizationId, actor: PROVIDER_ACTOR });
    if (topup.kind === 'automatic') await forgetFailures(client, [organizationId]);
  }
  // The checkout's event may come after the payment's.
  if (invoiceUrl !== undefined) await queries.setInvoice(client, [organizationId, topup_id, invoiceUrl]);
  for (const { transactionId, feeCents } of payment.costs)
    await bookCost(client, { organizationId, transactionId, topupId: topup_id, feeCents, at });
  await followReversals(client, deps, topup, payment.reversals);
}

const notes: Record<queries.TopupKind, string> = {
  checkout: 'Top-up by card',
  bank_transfer: 'Top-up by bank transfer',
  automatic: 'Automatic top-up',
};

/** A refund takes the credit first, and the fee only when the credit is gone. */
async function followReversals(
  client: PoolClient,
  deps: SettleDeps,
  { organization_id: organizationId, topup_id, amount_cents }: queries.TopupRow,
  reversals: readonly Reversal[],
): Promise<void> {
  const known = new Map(
    (await queries.selectReversals(client, [organizationId, topup_id])).map((row) => [row.reversal_id, row]),
  );
  const at = new Date(deps.clock.now());
  for (const { id, kind, amountCents, isUndone } of reversals) {
    const row = known.get(id);
    if (row === undefined && !isUndone) {
      const taken = [...known.values()].reduce(
        (sum, one) => sum + (one.restored_at === null ? one.amount_cents : 0),
        0,
      );
      const takenCents = Math.min(amountCents, amount_cents - taken);
      await queries.insertReversal(client, [organizationId, id, topup_id, kind, takenCents, at]);
      known.set(id, { reversal_id: id, amount_cents: takenCents, restored_at: null });
      const note = kind === 'refund' ? 'Refund of a top-up' : 'Chargeback of a top-up';
      await takeBack(client, deps, {
        organizationId,
        amountCents: takenCents,
        feeCents: amountCents - takenCents,
        reference: id,
        note,
        actor: PROVIDER_ACTOR,
      });
      if (kind === 'dispute') await switchRuleOff(client, [organizationId, 'dispute']);
      await notifyOfTopup(client, deps, organizationId, { event: kind, amount_cents: takenCents });
    }
    if (row !== undefined && row.restored_at === null && isUndone) {
      await queries.restoreReversal(client, [organizationId, id, at]);
      const note = kind === 'refund' ? 'A refund failed' : 'A chargeback was won';
      await giveBack(client, deps, {
        organizationId,
        amountCents: row.amount_cents,
        feeCents: amountCents - row.amount_cents,
        reference: `${id}:undone`,
        note,
        actor: PROVIDER_ACTOR,
      });
    }
  }
}

/** What happens to a top-up whose payment has not succeeded. */
async function follow(client: PoolClient, deps: SettleDeps, topup: queries.TopupRow, payment: Payment): Promise<void> {
  const { organization_id, topup_id, state, kind } = topup;
  const isOfThis = topup.payment_id === null || topup.payment_id === payment.id;
  if (!isOfThis || state === 'succeeded' || state === 'action_required') return;
  if (payment.status === 'canceled' && state === 'failed') return;
  if (payment.status === 'processing') await queries.setState(client, [organization_id, topup_id, 'processing', null]);
  else if (payment.status === 'canceled') await queries.setState(client, [organization_id, topup_id, 'canceled', null]);
  // The payer of a checkout may try another card; a transfer may be completed.
  else if (kind === 'automatic' && payment.error !== undefined) await recordFailure(client, deps, topup, payment.error);
  else if (kind === 'checkout' && state === 'processing')
    await queries.setState(client, [
      organization_id,
      topup_id,
      'failed',
      payment.error?.message ?? 'The payment failed.',
    ]);
}
