import type { Account, Json, Resource } from '../account.ts';
import { addBalanceTransaction } from './balance-transactions.ts';

/** Stripe's list prices: 2.9 % + 30 for cards, 0.5 % and at most 500 for bank transfers. */
const feeOf = (type: string, amount: number) =>
  type === 'card' ? Math.round(amount * 0.029) + 30 : Math.min(500, Math.round(amount * 0.005));

/** Adds the charge of a payment that succeeded, or failed with a code. */
export function addCharge(
  account: Account,
  intent: Json,
  method: Json,
  failure?: { code: string; message: string },
): Json {
  const { amount, currency, customer, metadata, id } = intent;
  const isPaid = failure === undefined;
  const { type } = method;
  const details = type === 'card' ? { type, card: chargedCard(method.card) } : { type, [type]: {} };
  const charge = account.add('ch', 'charge', {
    amount,
    amount_captured: isPaid ? amount : 0,
    amount_refunded: 0,
    balance_transaction: null,
    billing_details: { address: null, email: null, name: null, phone: null, tax_id: null },
    captured: isPaid,
    currency,
    customer,
    description: intent.description,
    disputed: false,
    failure_code: failure?.code ?? null,
    failure_message: failure?.message ?? null,
    metadata: { ...metadata },
    paid: isPaid,
    payment_intent: id,
    payment_method: method.id,
    payment_method_details: details,
    receipt_email: intent.receipt_email,
    refunded: false,
    status: isPaid ? 'succeeded' : 'failed',
  });
  charge.receipt_url = isPaid ? `https://pay.stripe.com/receipts/${charge.id}` : null;
  if (isPaid)
    charge.balance_transaction = addBalanceTransaction(account, {
      type: type === 'card' ? 'charge' : 'payment',
      reportingCategory: 'charge',
      amount,
      fee: feeOf(type, amount),
      currency,
      source: charge.id,
    }).id;
  account.emit(isPaid ? 'charge.succeeded' : 'charge.failed', charge);
  return charge;
}

const chargedCard = ({ brand, last4, exp_month, exp_year, funding }: Json) => ({
  brand,
  country: 'US',
  exp_month,
  exp_year,
  funding,
  last4,
  network: brand,
});

export const charges: Resource = {
  'GET /v1/charges/{charge}': (account, { ids: [id = ''] }) => account.find(id, 'charge'),
};
