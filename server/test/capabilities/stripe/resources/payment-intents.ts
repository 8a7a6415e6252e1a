import { type Account, invalidRequest, type Json, type Resource, StripeRefusal } from '../account.ts';
import { applyCash, bankInstructions, cashOf } from './cash-balances.ts';
import { addCharge } from './charges.ts';
import { mergeMetadata } from './customers.ts';
import { addCard, cardBehaviour, findPaymentMethod } from './payment-methods.ts';

const SMALLEST_CENTS = 50;

/** Creates a payment that waits for its payment method or confirmation. */
export function addIntent(account: Account, form: Json): Json {
  if (form.amount < SMALLEST_CENTS)
    throw invalidRequest('Amount must be at least $0.50 usd', { code: 'amount_too_small', param: 'amount' });
  if (form.customer !== undefined) account.find(form.customer, 'customer');
  const intent = account.add('pi', 'payment_intent', {
    amount: form.amount,
    amount_capturable: 0,
    amount_details: { tip: {} },
    amount_received: 0,
    application: null,
    application_fee_amount: null,
    automatic_payment_methods: null,
    canceled_at: null,
    cancellation_reason: null,
    capture_method: 'automatic_async',
    client_secret: null,
    confirmation_method: 'automatic',
    currency: form.currency,
    customer: form.customer ?? null,
    description: form.description ?? null,
    last_payment_error: null,
    latest_charge: null,
    metadata: mergeMetadata({}, form.metadata ?? {}),
    next_action: null,
    on_behalf_of: null,
    payment_method: null,
    payment_method_options: {},
    payment_method_types: form.payment_method_types ?? form.allowed_payment_method_types ?? ['card'],
    processing: null,
    receipt_email: form.receipt_email ?? null,
    review: null,
    setup_future_usage: form.setup_future_usage ?? null,
    shipping: null,
    statement_descriptor: form.statement_descriptor ?? null,
    statement_descriptor_suffix: null,
    status: 'requires_payment_method',
    transfer_data: null,
    transfer_group: null,
  });
  intent.client_secret = `${intent.id}_secret_of_the_fake`;
  account.emit('payment_intent.created', intent);
  return intent;
}

const paidBy = (account: Account, form: Json, customer: string | null): Json => {
  if (form.payment_method !== undefined) return findPaymentMethod(account, form.payment_method, customer);
  const type = form.payment_method_data?.type;
  if (type !== 'customer_balance') return undefined;
  return account.add('pm', 'payment_method', {
    billing_details: { address: null, email: null, name: null, phone: null, tax_id: null },
    customer: null,
    customer_balance: {},
    metadata: {},
    type,
  });
};

/** Charges the payment method. @throws StripeRefusal (402) if the bank declines or asks for the customer */
function confirmIntent(account: Account, intent: Json, method: Json, isOffSession: boolean): Json {
  if (!['requires_payment_method', 'requires_confirmation', 'requires_action'].includes(intent.status))
    throw invalidRequest(`You cannot confirm this PaymentIntent because it has a status of ${intent.status}.`, {
      code: 'payment_intent_unexpected_state',
    });
  intent.payment_method = method.id;
  if (method.type === 'customer_balance') return confirmByCash(account, intent, method);
  const behaviour = cardBehaviour[method.card.last4];
  const asks = behaviour === 'asks' || (behaviour === 'asks off session' && isOffSession);
  if (behaviour === 'declines')
    return failIntent(account, intent, method, {
      code: 'card_declined',
      message: 'Your card was declined.',
      decline_code: 'generic_decline',
    });
  if (asks && isOffSession)
    return failIntent(account, intent, method, {
      code: 'authentication_required',
      message: 'Your card was declined. This transaction requires authentication.',
      decline_code: 'authentication_required',
    });
  if (behaviour === 'asks') {
    intent.status = 'requires_action';
    intent.next_action = { type: 'use_stripe_sdk', use_stripe_sdk: {} };
    account.emit('payment_intent.requires_action', intent);
    return intent;
  }
  return succeed(account, intent, method);
}

function confirmByCash(account: Account, intent: Json, method: Json): Json {
  const { customer, currency, amount } = intent;
  const available = cashOf(account, customer, currency);
  if (available >= amount) {
    applyCash(account, intent);
    return succeed(account, intent, method);
  }
  intent.status = 'requires_action';
  intent.next_action = {
    type: 'display_bank_transfer_instructions',
    display_bank_transfer_instructions: {
      ...bankInstructions(customer, currency),
      amount_remaining: amount - available,
      currency,
    },
  };
  account.emit('payment_intent.requires_action', intent);
  return intent;
}

/** Completes a payment: its charge, its balance transaction, its events. */
export function succeed(account: Account, intent: Json, method: Json): Json {
  const charge = addCharge(account, intent, method);
  Object.assign(intent, {
    status: 'succeeded',
    amount_received: intent.amount,
    latest_charge: charge.id,
    next_action: null,
    last_payment_error: null,
  });
  account.emit('payment_intent.succeeded', intent);
  return intent;
}

function failIntent(
  account: Account,
  intent: Json,
  method: Json,
  error: { code: string; message: string; decline_code: string },
): never {
  const charge = addCharge(account, intent, method, error);
  const paymentError = { type: 'card_error', charge: charge.id, payment_method: structuredClone(method), ...error };
  Object.assign(intent, {
    status: 'requires_payment_method',
    latest_charge: charge.id,
    payment_method: null,
    last_payment_error: paymentError,
    next_action: null,
  });
  account.emit('payment_intent.payment_failed', intent);
  throw new StripeRefusal(402, { ...paymentError, payment_intent: structuredClone(intent) });
}

export const paymentIntents: Resource = {
  'POST /v1/payment_intents': (account, { form }) => {
    if (form.off_session !== undefined && form.confirm !== true)
      throw invalidRequest('off_session can only be used with confirm=true.', { param: 'off_session' });
    const intent = addIntent(account, form);
    const method = paidBy(account, form, intent.customer);
    if (method === undefined) return intent;
    intent.payment_method = method.id;
    intent.status = 'requires_confirmation';
    return form.confirm === true ? confirmIntent(account, intent, method, isOffSession(form)) : intent;
  },
  'POST /v1/payment_intents/{intent}/confirm': (account, { ids: [id = ''], form }) => {
    const intent = account.find(id, 'payment_intent');
    const method = paidBy(account, form, intent.customer) ?? account.objects.get(intent.payment_method);
    if (method === undefined)
      throw invalidRequest('You cannot confirm this PaymentIntent because it’s missing a payment method.');
    return confirmIntent(account, intent, method, isOffSession(form));
  },
  'POST /v1/payment_intents/{intent}/cancel': (account, { ids: [id = ''], form }) => {
    const intent = account.find(id, 'payment_intent');
    if (['succeeded', 'canceled', 'processing'].includes(intent.status))
      throw invalidRequest(`You cannot cancel this PaymentIntent because it has a status of ${intent.status}.`, {
        code: 'payment_intent_unexpected_state',
      });
    Object.assign(intent, {
      status: 'canceled',
      canceled_at: account.now(),
      cancellation_reason: form.cancellation_reason ?? null,
      next_action: null,
    });
    account.emit('payment_intent.canceled', intent);
    return intent;
  },
  'GET /v1/payment_intents/{intent}': (account, { ids: [id = ''] }) => account.find(id, 'payment_intent'),
  'GET /v1/payment_intents': (account, { form }) => {
    const isOf = ({ customer }: Json) => form.customer === undefined || customer === form.customer;
    return account.page('/v1/payment_intents', account.all('payment_intent', isOf), form);
  },
};

const isOffSession = ({ off_session }: Json) => off_session !== undefined && off_session !== false;

/** The card of a payer at the checkout page. */
export const payWithNewCard = (account: Account, intent: Json, last4: string, customer: string | null): Json => {
  const method = addCard(account, last4, customer);
  // The payer is present, and confirms if the bank asks.
  const paid = cardBehaviour[last4] === 'declines' ? confirmIntent(account, intent, method, false) : undefined;
  intent.payment_method = method.id;
  return paid ?? succeed(account, intent, method);
};
