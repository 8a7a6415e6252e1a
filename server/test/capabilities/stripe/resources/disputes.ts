import type { Account, Json, Resource } from '../account.ts';
import { addBalanceTransaction } from './balance-transactions.ts';

const FEE_CENTS = 1_500;
const DAYS_TO_ANSWER = 7;
const TEXTS = [
  'access_activity_log',
  'billing_address',
  'cancellation_policy_disclosure',
  'customer_email_address',
  'customer_name',
  'product_description',
  'uncategorized_text',
];

/** A payer's bank takes money back. */
export function addDispute(account: Account, charge: Json, amount: number): Json {
  const { currency, payment_intent, id } = charge;
  const dispute = account.add('dp', 'dispute', {
    amount,
    balance_transactions: [],
    charge: id,
    currency,
    enhanced_eligibility_types: [],
    evidence: { ...Object.fromEntries(TEXTS.map((name) => [name, null])), enhanced_evidence: {} },
    evidence_details: {
      due_by: account.now() + DAYS_TO_ANSWER * 86_400,
      enhanced_eligibility: {},
      has_evidence: false,
      past_due: false,
      submission_count: 0,
    },
    is_charge_refundable: false,
    metadata: {},
    payment_intent,
    reason: 'fraudulent',
    status: 'needs_response',
  });
  charge.disputed = true;
  account.emit('charge.dispute.created', dispute);
  dispute.balance_transactions.push(move(account, dispute, -amount, FEE_CENTS, 'dispute'));
  account.emit('charge.dispute.funds_withdrawn', dispute);
  return dispute;
}

const move = (
  account: Account,
  { id, currency }: Json,
  amount: number,
  fee: number,
  reportingCategory: 'dispute' | 'dispute_reversal',
) =>
  structuredClone(
    addBalanceTransaction(account, { type: 'adjustment', reportingCategory, amount, fee, currency, source: id }),
  );

/** The end of a dispute; won gives the money back. */
export function closeDispute(account: Account, dispute: Json, status: 'won' | 'lost'): void {
  dispute.status = status;
  if (status === 'won') {
    dispute.balance_transactions.push(move(account, dispute, dispute.amount, 0, 'dispute_reversal'));
    account.emit('charge.dispute.funds_reinstated', dispute);
  }
  account.emit('charge.dispute.closed', dispute);
}

export const disputes: Resource = {
  'GET /v1/disputes/{dispute}': (account, { ids: [id = ''] }) => account.find(id, 'dispute'),
  'GET /v1/disputes': (account, { form }) => {
    const isOf = ({ charge, payment_intent }: Json) =>
      (form.charge === undefined || charge === form.charge) &&
      (form.payment_intent === undefined || payment_intent === form.payment_intent);
    return account.page('/v1/disputes', account.all('dispute', isOf), form);
  },
};
