import type { Account, Json, Resource } from '../account.ts';

export interface Merchant {
  category: string;
  name: string;
}

const merchantData = ({ category, name }: Merchant) => ({
  category,
  category_code: '5812',
  city: 'San Francisco',
  country: 'US',
  name,
  network_id: '1234567890',
  postal_code: '94107',
  state: 'CA',
  tax_id: null,
  terminal_id: null,
  url: null,
});

/** An authorization that waits for an answer. It is recorded only with `recordAuthorization`. */
export function newAuthorization(account: Account, card: Json, merchant: Merchant): Json {
  return {
    id: account.newId('iauth'),
    object: 'issuing.authorization',
    created: account.now(),
    livemode: account.livemode,
    amount: 0,
    amount_details: { atm_fee: null, cashback_amount: null },
    approved: false,
    authorization_method: 'online',
    balance_transactions: [],
    card,
    cardholder: card.cardholder.id,
    currency: card.currency,
    fleet: null,
    fuel: null,
    merchant_amount: 0,
    merchant_currency: card.currency,
    merchant_data: merchantData(merchant),
    metadata: {},
    network_data: null,
    pending_request: null,
    request_history: [],
    status: 'pending',
    token: null,
    transactions: [],
    verification_data: {
      address_line1_check: 'not_provided',
      address_postal_code_check: 'not_provided',
      authentication_exemption: null,
      cvc_check: 'match',
      expiry_check: 'match',
      postal_code: null,
      three_d_secure: null,
    },
    wallet: null,
  };
}

export function addTransaction(
  account: Account,
  card: Json,
  {
    type,
    amount,
    merchant,
    authorization,
  }: { type: 'capture' | 'refund'; amount: number; merchant: Json; authorization?: Json },
): Json {
  const signed = type === 'capture' ? -amount : amount;
  const transaction = account.add('ipi', 'issuing.transaction', {
    amount: signed,
    amount_details: { atm_fee: null, cashback_amount: null },
    authorization: authorization?.id ?? null,
    balance_transaction: null,
    card: card.id,
    cardholder: card.cardholder.id,
    currency: card.currency,
    dispute: null,
    merchant_amount: signed,
    merchant_currency: card.currency,
    merchant_data: merchant,
    metadata: {},
    network_data: null,
    token: null,
    type,
    wallet: null,
  });
  authorization?.transactions.push(structuredClone(transaction));
  account.emit('issuing_transaction.created', transaction);
  return transaction;
}

export const offlineMerchant = merchantData({ category: 'eating_places_restaurants', name: 'Corner Café' });

export function addIssuingDispute(account: Account, transaction: Json, amount: number): Json {
  const dispute = account.add('idp', 'issuing.dispute', {
    amount,
    balance_transactions: [],
    currency: transaction.currency,
    evidence: { fraudulent: { additional_documentation: null, explanation: 'Not mine' }, reason: 'fraudulent' },
    metadata: {},
    status: 'submitted',
    transaction: transaction.id,
  });
  transaction.dispute = dispute.id;
  account.emit('issuing_dispute.submitted', dispute);
  return dispute;
}

export const issuingPurchases: Resource = {
  'GET /v1/issuing/authorizations/{authorization}': (account, { ids: [id = ''] }) =>
    account.find(id, 'issuing.authorization'),
  'GET /v1/issuing/transactions': (account, { form }) => {
    const isOf = ({ card, type }: Json) =>
      (form.card === undefined || card === form.card) && (form.type === undefined || type === form.type);
    return account.page('/v1/issuing/transactions', account.all('issuing.transaction', isOf), form);
  },
  'GET /v1/issuing/transactions/{transaction}': (account, { ids: [id = ''] }) =>
    account.find(id, 'issuing.transaction'),
  'GET /v1/issuing/disputes/{dispute}': (account, { ids: [id = ''] }) => account.find(id, 'issuing.dispute'),
};

const amounts = (amount: number) => [{ amount, currency: 'usd', source_types: { card: amount } }];

export const balance: Resource = {
  'GET /v1/balance': (account) => ({
    object: 'balance',
    available: amounts(0),
    issuing: { available: amounts(account.issuingBalance) },
    livemode: account.livemode,
    pending: amounts(0),
  }),
};
