import type { StripeClient } from '../stripe/open-stripe.ts';
import { ownerOf } from './payer.ts';

const MOST_REVERSALS = 100;

export interface Reversal {
  id: string;
  kind: 'refund' | 'dispute';
  /** What the payer's bank took back, in cents. */
  amountCents: number;
  /** Whether the money is back: the refund failed, or the dispute was won. */
  isUndone: boolean;
}

/** What the provider kept of one of its transactions. */
interface Cost {
  transactionId: string;
  /** Below zero: returned. */
  feeCents: number;
}

/** A payment as the provider has it now, in every order of events. */
export interface Payment {
  id: string;
  /** UUIDs. */
  organizationId: string;
  topupId: string;
  status: string;
  /** A person decides in Stripe whether the payment is fraud. */
  isInReview: boolean;
  currency: string;
  receivedCents: number;
  /** By bank transfer, which costs no fee. */
  isTransfer: boolean;
  receiptUrl: string | null;
  /** Why the last attempt failed. */
  error: { code: string; message: string } | undefined;
  reversals: Reversal[];
  /** As far as the provider knows them: those of a payment may come later. */
  costs: Cost[];
}

/** Reads a payment with its refunds and disputes. @returns undefined for payments that the service did not create */
export async function readPayment(client: StripeClient, id: string): Promise<Payment | undefined> {
  const intent = await client.paymentIntents.retrieve(id, { expand: ['latest_charge.balance_transaction', 'review'] });
  const owner = ownerOf(intent.metadata);
  if (owner === undefined) return undefined;
  const { latest_charge: charge, last_payment_error: error, review } = intent;
  const { reversals, transactions } =
    intent.status === 'succeeded' ? await readReversals(client, id) : { reversals: [], transactions: [] };
  const ofCharge = typeof charge === 'object' ? charge?.balance_transaction : null;
  return {
    ...owner,
    id,
    status: intent.status,
    isInReview: typeof review === 'object' && review?.open === true,
    currency: intent.currency,
    receivedCents: intent.amount_received,
    isTransfer: typeof charge === 'object' && charge?.payment_method_details?.type === 'customer_balance',
    receiptUrl: typeof charge === 'object' ? (charge?.receipt_url ?? null) : null,
    error:
      error === null ? undefined : { code: error.code ?? 'failed', message: error.message ?? 'The payment failed.' },
    reversals,
    costs: [ofCharge, ...transactions].flatMap((one) => costOf(one, intent.currency)),
  };
}

/** An account that settles in another currency has costs in that currency, which are not in these books. */
const costOf = (transaction: Transaction, currency: string): Cost[] =>
  typeof transaction === 'object' && transaction?.currency === currency
    ? [{ transactionId: transaction.id, feeCents: transaction.fee }]
    : [];

/** Expanded, if the provider knows it. */
type Transaction = { id: string; currency: string; fee: number } | string | null | undefined;

async function readReversals(
  client: StripeClient,
  payment_intent: string,
): Promise<{ reversals: Reversal[]; transactions: Transaction[] }> {
  const limit = MOST_REVERSALS;
  const [refunds, disputes] = await Promise.all([
    client.refunds.list({ payment_intent, limit, expand: ['data.balance_transaction'] }),
    client.disputes.list({ payment_intent, limit }),
  ]);
  const reversals = [
    ...refunds.data
      // A refund that was never sent took nothing.
      .filter(({ status }) => status !== 'requires_action')
      .map(({ id, amount, status }) => ({
        id,
        kind: 'refund' as const,
        amountCents: amount,
        isUndone: status === 'failed' || status === 'canceled',
      })),
    ...disputes.data
      // An inquiry has no balance transaction: it takes nothing unless it becomes a dispute.
      .filter(({ balance_transactions }) => balance_transactions.length > 0)
      .map(({ id, amount, balance_transactions }) => ({
        id,
        kind: 'dispute' as const,
        amountCents: amount,
        isUndone: balance_transactions.reduce((sum, one) => sum + one.amount, 0) >= 0,
      })),
  ];
  const transactions = [
    ...refunds.data.map(({ balance_transaction }) => balance_transaction),
    ...disputes.data.flatMap(({ balance_transactions }) => balance_transactions),
  ];
  return { reversals, transactions };
}
