import { type Account, invalidRequest, type Json, type Resource } from '../account.ts';
import { addBalanceTransaction } from './balance-transactions.ts';

export function addRefund(account: Account, charge: Json, amount: number, form: Json = {}): Json {
  if (amount > charge.amount - charge.amount_refunded)
    throw invalidRequest(
      `Refund amount (${amount}) is greater than unrefunded amount on charge (${charge.amount - charge.amount_refunded})`,
      { code: 'charge_already_refunded', param: 'amount' },
    );
  const { currency, payment_intent, id } = charge;
  const refund = account.add('re', 'refund', {
    amount,
    balance_transaction: null,
    charge: id,
    currency,
    metadata: form.metadata ?? {},
    payment_intent,
    reason: form.reason ?? null,
    receipt_number: null,
    source_transfer_reversal: null,
    status: 'succeeded',
    transfer_reversal: null,
  });
  const movement = { type: 'refund', reportingCategory: 'refund', amount: -amount, fee: 0, currency } as const;
  refund.balance_transaction = addBalanceTransaction(account, { ...movement, source: refund.id }).id;
  charge.amount_refunded += amount;
  charge.refunded = charge.amount_refunded === charge.amount;
  account.emit('refund.created', refund);
  account.emit('charge.refunded', charge, { amount_refunded: charge.amount_refunded - amount });
  return refund;
}

/** The bank could not give the money back, so that it is the account's again. */
export function failRefund(account: Account, refund: Json): void {
  const charge = account.find(refund.charge, 'charge');
  Object.assign(refund, { status: 'failed', failure_reason: 'lost_or_stolen_card' });
  charge.amount_refunded -= refund.amount;
  charge.refunded = false;
  account.emit('refund.failed', refund);
  account.emit('charge.refund.updated', refund);
}

export const refunds: Resource = {
  'POST /v1/refunds': (account, { form }) => {
    const chargeId = form.charge ?? account.find(form.payment_intent ?? '', 'payment_intent').latest_charge;
    const charge = account.find(chargeId ?? '', 'charge');
    return addRefund(account, charge, form.amount ?? charge.amount - charge.amount_refunded, form);
  },
  'GET /v1/refunds/{refund}': (account, { ids: [id = ''] }) => account.find(id, 'refund'),
  'GET /v1/refunds': (account, { form }) => {
    const isOf = ({ charge, payment_intent }: Json) =>
      (form.charge === undefined || charge === form.charge) &&
      (form.payment_intent === undefined || payment_intent === form.payment_intent);
    return account.page('/v1/refunds', account.all('refund', isOf), form);
  },
};
