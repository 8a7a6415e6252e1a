import type { IncomingMessage, ServerResponse } from 'node:http';
import { type Account, invalidRequest, type Json, type Resource, StripeRefusal } from '../account.ts';
import { readForm } from '../form.ts';
import type { Stripe } from '../server.ts';
import { mergeMetadata } from './customers.ts';
import { addInvoice } from './invoices.ts';
import { addIntent, payWithNewCard, succeed } from './payment-intents.ts';
import { addCard } from './payment-methods.ts';
import { addSetupIntent, confirmSetup } from './setup-intents.ts';

const LIFETIME_SECONDS = 86_400;
const totalOf = ({ line_items = [] }: Json) =>
  line_items.reduce((sum: number, { price_data, quantity = 1 }: Json) => sum + price_data.unit_amount * quantity, 0);

function addSession(account: Account, form: Json): Json {
  if (form.mode === 'payment' && totalOf(form) < 50)
    throw invalidRequest('The Checkout Session’s total amount must convert to at least 50 cents.', {
      code: 'amount_too_small',
    });
  if (form.success_url === undefined)
    throw invalidRequest('Missing required param: success_url.', { param: 'success_url' });
  if (form.customer !== undefined) account.find(form.customer, 'customer');
  const expires_at = form.expires_at ?? account.now() + LIFETIME_SECONDS;
  if (expires_at > account.now() + LIFETIME_SECONDS || expires_at < account.now() + 1_800)
    throw invalidRequest('`expires_at` must be between 30 minutes and 24 hours from creation.', {
      param: 'expires_at',
    });
  const isPayment = form.mode === 'payment';
  const session = account.add('cs', 'checkout.session', {
    amount_subtotal: isPayment ? totalOf(form) : null,
    amount_total: isPayment ? totalOf(form) : null,
    automatic_tax: { enabled: false, liability: null, provider: null, status: null },
    cancel_url: form.cancel_url ?? null,
    client_reference_id: form.client_reference_id ?? null,
    currency: isPayment ? form.line_items[0].price_data.currency : (form.currency ?? null),
    custom_fields: [],
    custom_text: { after_submit: null, shipping_address: null, submit: null, terms_of_service_acceptance: null },
    customer: form.customer ?? null,
    expires_at,
    invoice: null,
    metadata: mergeMetadata({}, form.metadata ?? {}),
    mode: form.mode,
    payment_intent: null,
    payment_method_types: form.payment_method_types ?? ['card'],
    payment_status: isPayment ? 'unpaid' : 'no_payment_required',
    setup_intent: isPayment
      ? null
      : addSetupIntent(account, { customer: form.customer, metadata: form.setup_intent_data?.metadata }).id,
    shipping_options: [],
    status: 'open',
    success_url: form.success_url,
    ui_mode: 'hosted_page',
    url: null,
  });
  session.url = `${account.url}/c/pay/${session.id}`;
  forms.set(session.id, form);
  return session;
}

/** What the session was created with; not all of it is in the answer. */
const forms = new Map<string, Json>();

/** The payer pays, or saves a card. @throws StripeRefusal if the session is over or the card is declined */
export function completeSession(account: Account, session: Json, last4: string, isLate = false): void {
  const { customer, amount_total, currency, id } = session;
  if (session.status !== 'open') throw invalidRequest(`This Checkout Session is ${session.status}.`);
  const form = forms.get(id);
  if (session.mode === 'setup') {
    confirmSetup(account, account.find(session.setup_intent, 'setup_intent'), addCard(account, last4, null));
    session.status = 'complete';
    account.emit('checkout.session.completed', session);
    return;
  }
  const { setup_future_usage, metadata, description } = form.payment_intent_data ?? {};
  const intent = addIntent(account, {
    amount: amount_total,
    currency,
    customer,
    setup_future_usage,
    metadata,
    description,
  });
  const saved = setup_future_usage === 'off_session' ? customer : null;
  if (isLate) {
    intent.payment_method = addCard(account, last4, saved).id;
    intent.status = 'processing';
    account.emit('payment_intent.processing', intent);
  } else payWithNewCard(account, intent, last4, saved);
  Object.assign(session, { status: 'complete', payment_intent: intent.id, payment_status: isLate ? 'unpaid' : 'paid' });
  if (!isLate && form.invoice_creation?.enabled === true) session.invoice = addInvoice(account, session, intent).id;
  account.emit('checkout.session.completed', session);
}

/** A bank debit settles days after the checkout. */
export function settleSession(account: Account, session: Json, succeeds: boolean): void {
  const intent = account.find(session.payment_intent, 'payment_intent');
  if (succeeds) {
    succeed(account, intent, account.find(intent.payment_method, 'payment_method'));
    session.payment_status = 'paid';
    account.emit('checkout.session.async_payment_succeeded', session);
    return;
  }
  intent.status = 'requires_payment_method';
  intent.last_payment_error = {
    type: 'card_error',
    code: 'payment_method_provider_decline',
    message: 'The bank refused.',
  };
  account.emit('payment_intent.payment_failed', intent);
  account.emit('checkout.session.async_payment_failed', session);
}

export function expireSession(account: Account, session: Json): Json {
  if (session.status !== 'open')
    throw invalidRequest(`Only Checkout Sessions with a status in ["open"] can be expired.`);
  Object.assign(session, { status: 'expired', url: null });
  account.emit('checkout.session.expired', session);
  return session;
}

export const checkoutSessions: Resource = {
  'POST /v1/checkout/sessions': (account, { form }) => addSession(account, form),
  'POST /v1/checkout/sessions/{session}/expire': (account, { ids: [id = ''] }) =>
    expireSession(account, account.find(id, 'checkout.session')),
  'GET /v1/checkout/sessions/{session}': (account, { ids: [id = ''] }) => account.find(id, 'checkout.session'),
  'GET /v1/checkout/sessions': (account, { form }) => {
    const isOf = ({ payment_intent, customer }: Json) =>
      (form.payment_intent === undefined || payment_intent === form.payment_intent) &&
      (form.customer === undefined || customer === form.customer);
    return account.page('/v1/checkout/sessions', account.all('checkout.session', isOf), form);
  },
};

interface PageRequest {
  request: IncomingMessage;
  response: ServerResponse;
  url: URL;
  text: string;
}

/** Stripe's page, without its design: a card number and a button. */
export function checkoutPage({ account }: Stripe, { request, response, url, text }: PageRequest): void {
  const session = account.find(url.pathname.split('/').at(-1) ?? '', 'checkout.session');
  const show = (status: number, note: string) =>
    response.writeHead(status, { 'Content-Type': 'text/html; charset=utf-8' }).end(pageOf(session, note));
  if (request.method !== 'POST') return void show(200, '');
  const { number = '' } = readForm(text) as Record<string, string>;
  try {
    completeSession(account, session, number.replace(/\s/g, '').slice(-4));
  } catch (error) {
    if (!(error instanceof StripeRefusal)) throw error;
    return void show(402, error.message);
  }
  response.writeHead(303, { Location: session.success_url.replace('{CHECKOUT_SESSION_ID}', session.id) }).end();
}

const pageOf = (
  { amount_total, currency, cancel_url, status }: Json,
  note: string,
) => `<!doctype html><title>Checkout</title>
<h1>Pay ${amount_total === null ? '' : (amount_total / 100).toFixed(2)} ${currency ?? ''}</h1><p role="alert">${note}</p>
${status === 'open' ? '<form method="post"><label>Card number <input name="number"></label><button>Pay</button></form>' : status}
<a href="${cancel_url ?? ''}">Back</a>`;
