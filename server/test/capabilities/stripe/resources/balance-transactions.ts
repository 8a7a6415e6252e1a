import type { Account, Json, Resource } from '../account.ts';

interface Movement {
  type: 'charge' | 'payment' | 'refund' | 'adjustment';
  reportingCategory: 'charge' | 'refund' | 'dispute' | 'dispute_reversal';
  amount: number;
  fee: number;
  currency: string;
  source: string;
}

/** Moves the account's balance at Stripe. */
export const addBalanceTransaction = (
  account: Account,
  { type, reportingCategory, amount, fee, currency, source }: Movement,
): Json =>
  account.add('txn', 'balance_transaction', {
    amount,
    available_on: account.now(),
    balance_type: 'payments',
    currency,
    description: null,
    exchange_rate: null,
    fee,
    fee_details:
      fee === 0
        ? []
        : [{ amount: fee, application: null, currency, description: 'Stripe processing fees', type: 'stripe_fee' }],
    net: amount - fee,
    reporting_category: reportingCategory,
    source,
    status: 'available',
    type,
  });

export const balanceTransactions: Resource = {
  'GET /v1/balance_transactions': (account, { form }) => {
    const matching = account.all(
      'balance_transaction',
      ({ type, source }) =>
        (form.type === undefined || type === form.type) && (form.source === undefined || source === form.source),
    );
    return account.page('/v1/balance_transactions', matching, form);
  },
  'GET /v1/balance_transactions/{id}': (account, { ids: [id = ''] }) => account.find(id, 'balance_transaction'),
};
