import { type Account, invalidRequest, type Json, type Resource } from '../account.ts';
import { findPaymentMethod } from './payment-methods.ts';

export function addSetupIntent(account: Account, form: Json): Json {
  const intent = account.add('seti', 'setup_intent', {
    application: null,
    automatic_payment_methods: null,
    cancellation_reason: null,
    client_secret: null,
    customer: form.customer ?? null,
    description: form.description ?? null,
    flow_directions: null,
    last_setup_error: null,
    latest_attempt: null,
    mandate: null,
    metadata: form.metadata ?? {},
    next_action: null,
    on_behalf_of: null,
    payment_method: null,
    payment_method_options: {},
    payment_method_types: form.payment_method_types ?? ['card'],
    single_use_mandate: null,
    status: 'requires_payment_method',
    usage: form.usage ?? 'off_session',
  });
  account.emit('setup_intent.created', intent);
  return intent;
}

/** Attaches the payment method to the customer. */
export function confirmSetup(account: Account, intent: Json, method: Json): Json {
  method.customer = intent.customer;
  Object.assign(intent, { payment_method: method.id, status: 'succeeded' });
  account.emit('payment_method.attached', method);
  account.emit('setup_intent.succeeded', intent);
  return intent;
}

export const setupIntents: Resource = {
  'POST /v1/setup_intents': (account, { form }) => {
    const intent = addSetupIntent(account, form);
    if (form.confirm !== true) return intent;
    return confirmSetup(account, intent, findPaymentMethod(account, form.payment_method, null));
  },
  'POST /v1/setup_intents/{intent}/confirm': (account, { ids: [id = ''], form }) => {
    const intent = account.find(id, 'setup_intent');
    if (intent.status === 'succeeded')
      throw invalidRequest('You cannot confirm this SetupIntent because it has already succeeded.');
    return confirmSetup(account, intent, findPaymentMethod(account, form.payment_method, null));
  },
  'GET /v1/setup_intents/{intent}': (account, { ids: [id = ''] }) => account.find(id, 'setup_intent'),
};
