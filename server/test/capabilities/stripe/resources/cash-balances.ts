import { type Account, invalidRequest, type Json, type Resource } from '../account.ts';
import { addBalanceTransaction } from './balance-transactions.ts';

const transactionsOf = (account: Account, customer: string) =>
  account.all('customer_cash_balance_transaction', (one) => one.customer === customer);

/** Cents of a customer that no payment has taken. */
export const cashOf = (account: Account, customer: string, currency: string): number =>
  transactionsOf(account, customer)
    .filter((one) => one.currency === currency)
    .reduce((sum, { net_amount }) => sum + net_amount, 0);

function move(account: Account, customer: string, currency: string, amount: number, details: Json): Json {
  const ending_balance = cashOf(account, customer, currency) + amount;
  const transaction = account.add('ccsbtxn', 'customer_cash_balance_transaction', {
    currency,
    customer,
    customer_account: null,
    ending_balance,
    net_amount: amount,
    ...details,
  });
  account.emit('customer_cash_balance_transaction.created', transaction);
  account.emit('cash_balance.funds_available', cashBalance(account, customer));
  return transaction;
}

/** A bank transfer that arrives at the customer's virtual account. */
export const fundCash = (account: Account, customer: string, { amount, currency, reference }: Json): Json =>
  move(account, customer, currency, amount, {
    type: 'funded',
    funded: {
      bank_transfer: {
        reference: reference ?? null,
        type: currency === 'eur' ? 'eu_bank_transfer' : 'us_bank_transfer',
        ...(currency === 'eur'
          ? { eu_bank_transfer: { bic: null, iban_last4: '3000', sender_name: 'Sender' } }
          : { us_bank_transfer: { network: 'ach', sender_name: 'Sender' } }),
      },
    },
  });

/** The sender's bank takes a transfer back; the account pays what the cash balance does not hold. */
export function reverseFunding(account: Account, customer: string, { amount, currency }: Json): void {
  const reversed = move(account, customer, currency, -amount, { type: 'funding_reversed' });
  const missing = -cashOf(account, customer, currency);
  if (missing <= 0) return;
  const movement = { type: 'adjustment', reportingCategory: 'refund', amount: -missing, fee: 0, currency } as const;
  const { id: balance_transaction } = addBalanceTransaction(account, { ...movement, source: reversed.id });
  move(account, customer, currency, missing, {
    type: 'adjusted_for_overdraft',
    adjusted_for_overdraft: { balance_transaction, linked_transaction: reversed.id },
  });
}

export const applyCash = (account: Account, { id, customer, currency, amount }: Json): Json =>
  move(account, customer, currency, -amount, {
    type: 'applied_to_payment',
    applied_to_payment: { payment_intent: id },
  });

function cashBalance(account: Account, customer: string): Json {
  const transactions = transactionsOf(account, customer);
  const currencies = [...new Set(transactions.map(({ currency }) => currency))];
  return {
    object: 'cash_balance',
    available: Object.fromEntries(currencies.map((currency) => [currency, cashOf(account, customer, currency)])),
    customer,
    customer_account: null,
    livemode: account.livemode,
    settings: { reconciliation_mode: 'automatic', using_merchant_default: true },
  };
}

const ADDRESS = {
  city: 'San Francisco',
  country: 'US',
  line1: '354 Oyster Point Blvd',
  line2: null,
  postal_code: '94080',
  state: 'CA',
};

/** The same virtual account for each customer and currency. */
export function bankInstructions(customer: string, currency: string): Json {
  const number = customer.replace(/\D/g, '').padEnd(12, '7').slice(0, 12);
  if (currency === 'eur')
    return {
      type: 'eu_bank_transfer',
      financial_addresses: [
        {
          type: 'iban',
          iban: {
            account_holder_address: ADDRESS,
            account_holder_name: 'Bestow',
            bank_address: ADDRESS,
            bic: 'AGRIFRPPXXX',
            country: 'FR',
            iban: `FR76${number}`,
          },
          supported_networks: ['sepa'],
        },
      ],
    };
  return {
    type: 'us_bank_transfer',
    financial_addresses: [
      {
        type: 'aba',
        aba: {
          account_holder_address: ADDRESS,
          account_holder_name: 'Bestow',
          account_number: number,
          account_type: 'checking',
          bank_address: ADDRESS,
          bank_name: 'US Test Bank',
          routing_number: '999999999',
        },
        supported_networks: ['ach', 'domestic_wire_us'],
      },
    ],
  };
}

export const cashBalances: Resource = {
  'GET /v1/customers/{customer}/cash_balance': (account, { ids: [id = ''] }) => {
    account.find(id, 'customer');
    return cashBalance(account, id);
  },
  'POST /v1/customers/{customer}/funding_instructions': (account, { ids: [id = ''], form }) => {
    account.find(id, 'customer');
    const wanted = form.currency === 'eur' ? 'eu_bank_transfer' : 'us_bank_transfer';
    if (form.bank_transfer.type !== wanted)
      throw invalidRequest(`${form.bank_transfer.type} is not available in ${form.currency}.`, {
        param: 'bank_transfer',
      });
    const { type, financial_addresses } = bankInstructions(id, form.currency);
    return {
      object: 'funding_instructions',
      bank_transfer: { country: form.currency === 'eur' ? 'FR' : 'US', financial_addresses, type },
      currency: form.currency,
      funding_type: 'bank_transfer',
      livemode: account.livemode,
    };
  },
  'GET /v1/customers/{customer}/cash_balance_transactions': (account, { ids: [id = ''], form }) =>
    account.page(`/v1/customers/${id}/cash_balance_transactions`, transactionsOf(account, id), form),
  'GET /v1/customers/{customer}/cash_balance_transactions/{transaction}': (account, { ids: [, id = ''] }) =>
    account.find(id, 'customer_cash_balance_transaction'),
  'POST /v1/test_helpers/customers/{customer}/fund_cash_balance': (account, { ids: [id = ''], form }) => {
    account.find(id, 'customer');
    return fundCash(account, id, form);
  },
};
