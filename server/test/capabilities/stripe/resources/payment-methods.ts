import { type Account, invalidRequest, type Json, type Resource } from '../account.ts';

/** How a card of Stripe's test numbers behaves, by its last four digits. */
export const cardBehaviour: Record<string, 'pays' | 'declines' | 'asks' | 'asks off session'> = {
  '4242': 'pays',
  '4444': 'pays',
  // 4000 0000 0000 0341: can be saved, every charge is declined.
  '0341': 'declines',
  '0002': 'declines',
  // 4000 0027 6000 3184: the bank asks on every payment.
  '3184': 'asks',
  // 4000 0025 0000 3155: the bank asks for each payment without the payer.
  '3155': 'asks off session',
};

/** Stripe's tokens of test cards. */
const tokens: Record<string, string> = {
  pm_card_visa: '4242',
  pm_card_mastercard: '4444',
  pm_card_chargeCustomerFail: '0341',
  pm_card_authenticationRequired: '3184',
};

export function addCard(account: Account, last4: string, customer: string | null): Json {
  if (cardBehaviour[last4] === undefined)
    throw invalidRequest('Your card number is incorrect.', { code: 'incorrect_number' });
  return account.add('pm', 'payment_method', {
    allow_redisplay: 'unspecified',
    billing_details: { address: null, email: null, name: null, phone: null, tax_id: null },
    card: {
      brand: last4 === '4444' ? 'mastercard' : 'visa',
      checks: null,
      country: 'US',
      display_brand: null,
      exp_month: 8,
      exp_year: 2031,
      fingerprint: `fp${last4}`,
      funding: 'credit',
      generated_from: null,
      last4,
      networks: null,
      regulated_status: 'unregulated',
      three_d_secure_usage: { supported: true },
      wallet: null,
    },
    customer,
    metadata: {},
    type: 'card',
  });
}

/** @throws StripeRefusal if there is no such payment method, or it belongs to another customer */
export function findPaymentMethod(account: Account, id: string, customer: string | null): Json {
  const token = tokens[id];
  if (token !== undefined) return addCard(account, token, null);
  const method = account.find(id, 'payment_method');
  if (method.customer !== customer)
    throw invalidRequest('The payment method does not belong to the Customer you supplied.', {
      param: 'payment_method',
    });
  return method;
}

export const paymentMethods: Resource = {
  'GET /v1/payment_methods/{payment_method}': (account, { ids: [id = ''] }) => account.find(id, 'payment_method'),
  'POST /v1/payment_methods/{payment_method}/detach': (account, { ids: [id = ''] }) => {
    const method = account.find(id, 'payment_method');
    const { customer } = method;
    if (customer === null) throw invalidRequest('The payment method you provided is not attached to a customer.');
    method.customer = null;
    account.emit('payment_method.detached', method, { customer });
    return method;
  },
};
