import assert from 'node:assert/strict';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { after, before, beforeEach, describe, test } from 'node:test';
import { openStripe, type StripeClient } from '../../../src/capabilities/stripe/open-stripe.ts';
import { readConfig } from '../../../src/platform/configuration/config.ts';
import { type Stripe, startStripe } from './server.ts';

/** The fake of Stripe behaves as Stripe is documented to; Stripe's own library is the client. */

const clock = { now: () => Date.parse('2026-11-21T12:00:00Z') };
let stripe: Stripe;
let client: StripeClient;

before(async () => {
  stripe = await startStripe(clock);
  const { url: apiBase, secretKey } = stripe;
  client = await openStripe({ secretKey, apiBase });
});
after(() => stripe.close());
beforeEach(() => stripe.webhooks.waiting.splice(0));

const typesOf = () => stripe.webhooks.waiting.map(({ type }) => type);
const lines = [{ quantity: 1, price_data: { currency: 'usd', unit_amount: 5_000, product_data: { name: 'Funds' } } }];
const newSession = async (more: Parameters<StripeClient['checkout']['sessions']['create']>[0] = {}) => {
  const { id: customer } = await client.customers.create({ name: 'Test Organization' });
  const session = await client.checkout.sessions.create({
    mode: 'payment',
    customer,
    line_items: lines,
    success_url: 'http://localhost/done?session={CHECKOUT_SESSION_ID}',
    invoice_creation: { enabled: true },
    payment_intent_data: { setup_future_usage: 'off_session', metadata: { topup: 't1' } },
    ...more,
  });
  return { session, customer };
};

test('a checkout creates a payment, its charge, fee, invoice and events', async () => {
  const { session, customer } = await newSession();
  const page = `${session.url}`;
  assert.match(await (await fetch(page)).text(), /Pay 50\.00 usd/);
  const paid = await fetch(page, { method: 'POST', body: 'number=4242424242424242', redirect: 'manual' });
  assert.equal(paid.headers.get('location'), `http://localhost/done?session=${session.id}`);
  const expand = ['invoice'];
  const { payment_status, invoice, payment_intent } = await client.checkout.sessions.retrieve(session.id, { expand });
  assert.equal(payment_status, 'paid');
  assert.match(String((invoice as { invoice_pdf?: string }).invoice_pdf), /pdf$/);
  const intent = await client.paymentIntents.retrieve(String(payment_intent), {
    expand: ['latest_charge.balance_transaction'],
  });
  assert.equal(intent.metadata['topup'], 't1');
  const charge = intent.latest_charge as { balance_transaction: { fee: number; net: number } };
  assert.deepEqual([charge.balance_transaction.fee, charge.balance_transaction.net], [175, 4_825]);
  const { data: cards } = await client.customers.listPaymentMethods(customer);
  assert.equal(cards[0]?.card?.last4, '4242');
  assert.deepEqual(typesOf(), [
    'customer.created',
    'payment_intent.created',
    'charge.succeeded',
    'payment_intent.succeeded',
    'checkout.session.completed',
  ]);
});

test('unknown parameters, wrong keys and used idempotency keys are refused', async () => {
  const wrong = { name: 'A', colour: 'red' } as Parameters<StripeClient['customers']['create']>[0];
  await assert.rejects(client.customers.create(wrong), { statusCode: 400, param: 'colour' });
  const once = { idempotencyKey: 'one' };
  const first = await client.customers.create({ name: 'A' }, once);
  assert.equal((await client.customers.create({ name: 'A' }, once)).id, first.id);
  await assert.rejects(client.customers.create({ name: 'B' }, once), { type: 'StripeIdempotencyError' });
  const { url: apiBase } = stripe;
  const stranger = await openStripe({ secretKey: 'sk_live_other', apiBase });
  await assert.rejects(stranger.customers.create({ name: 'A' }), { statusCode: 401 });
});

describe('a saved card', () => {
  const charge = async (last4: string) => {
    const { id: customer } = await client.customers.create({ name: 'A' });
    const payment_method = stripe.acts.saveCard(customer, last4).id;
    return client.paymentIntents.create({
      amount: 2_000,
      currency: 'usd',
      customer,
      payment_method,
      off_session: true,
      confirm: true,
    });
  };

  test('pays without the payer', async () => assert.equal((await charge('4242')).status, 'succeeded'));

  test('is declined, or its bank asks', async () => {
    await assert.rejects(charge('0341'), { code: 'card_declined', statusCode: 402 });
    await assert.rejects(charge('3184'), { code: 'authentication_required', statusCode: 402 });
    assert.equal(typesOf().filter((type) => type === 'payment_intent.payment_failed').length, 2);
  });
});

test('a card is saved by a setup session, and detached', async () => {
  const { session, customer } = await newSession({
    mode: 'setup',
    currency: 'usd',
    line_items: undefined,
    invoice_creation: undefined,
    payment_intent_data: undefined,
  } as never);
  stripe.acts.pay('4242', stripe.account.objects.get(session.id));
  const { data } = await client.customers.listPaymentMethods(customer);
  await client.paymentMethods.detach(String(data[0]?.id));
  assert.deepEqual((await client.customers.listPaymentMethods(customer)).data, []);
});

test('a bank transfer waits in the cash balance until a payment takes it', async () => {
  const { id: customer } = await client.customers.create({ name: 'A' });
  const bank_transfer = { type: 'us_bank_transfer' } as const;
  const instructions = await client.customers.createFundingInstructions(customer, {
    bank_transfer,
    currency: 'usd',
    funding_type: 'bank_transfer',
  });
  assert.equal(instructions.bank_transfer.financial_addresses[0]?.type, 'aba');
  const payment = {
    amount: 3_000,
    currency: 'usd',
    customer,
    allowed_payment_method_types: ['customer_balance'],
    payment_method_data: { type: 'customer_balance' },
    payment_method_options: { customer_balance: { funding_type: 'bank_transfer', bank_transfer } },
    confirm: true,
  } as const;
  assert.equal(
    (await client.paymentIntents.create(payment as never)).next_action?.type,
    'display_bank_transfer_instructions',
  );
  await client.testHelpers.customers.fundCashBalance(customer, { amount: 3_500, currency: 'usd' });
  assert.equal((await client.paymentIntents.create(payment as never)).status, 'succeeded');
  assert.deepEqual((await client.customers.retrieveCashBalance(customer)).available, { usd: 500 });
});

test('refunds and disputes move the money back, and back again', async () => {
  const { session } = await newSession();
  const { payment_intent } = stripe.acts.pay('4242', stripe.account.objects.get(session.id));
  const refund = await client.refunds.create({ payment_intent, amount: 1_000 });
  stripe.acts.failRefund(stripe.account.objects.get(refund.id));
  assert.equal((await client.refunds.list({ payment_intent })).data[0]?.status, 'failed');
  const dispute = stripe.acts.dispute(payment_intent);
  stripe.acts.closeDispute(dispute, 'won');
  const { data } = await client.disputes.list({ payment_intent });
  assert.deepEqual(
    data[0]?.balance_transactions.map(({ net }) => net),
    [-6_500, 5_000],
  );
  assert.deepEqual(
    typesOf().slice(-7),
    [
      'refund.created',
      'charge.refunded',
      'refund.failed',
      'charge.refund.updated',
      'charge.dispute.created',
      'charge.dispute.funds_withdrawn',
      'charge.dispute.funds_reinstated',
      'charge.dispute.closed',
    ].slice(-7),
  );
});

test('events are listed by type and in pages, newest first', async () => {
  const all: string[] = [];
  for await (const { id } of client.events.list({ types: ['customer.created', 'payment_intent.succeeded'], limit: 2 }))
    all.push(id);
  const expected = stripe.account.events.filter(({ type }) =>
    ['customer.created', 'payment_intent.succeeded'].includes(type),
  );
  assert.deepEqual(all, expected.map(({ id }) => id).reverse());
});

test('a lost answer leaves the work done, and the same key returns it', async () => {
  // The library retries a closed connection once.
  for (const _ of [1, 2]) stripe.faults.push({ operation: 'POST /v1/customers', kind: 'lose the answer' });
  const once = { idempotencyKey: 'lost' };
  await assert.rejects(client.customers.create({ name: 'Once' }, once), { type: 'StripeConnectionError' });
  const { id } = await client.customers.create({ name: 'Once' }, once);
  assert.deepEqual(
    stripe.account.all('customer', ({ name }) => name === 'Once').map((one) => one.id),
    [id],
  );
});

test('webhooks are signed, and sent twice, in another order, or not at all', async () => {
  const texts: { text: string; signature: string }[] = [];
  const endpoint = createServer(async (request, response) => {
    let text = '';
    for await (const chunk of request) text += chunk;
    texts.push({ text, signature: String(request.headers['stripe-signature']) });
    response.end();
  });
  await new Promise<void>((resolve) => endpoint.listen(0, '127.0.0.1', resolve));
  stripe.webhooks.url = `http://127.0.0.1:${(endpoint.address() as AddressInfo).port}/`;
  for (const name of ['A', 'B', 'C']) await client.customers.create({ name });
  const [lost] = stripe.webhooks.waiting;
  const sent = await stripe.webhooks.deliver({ copies: 2, random: () => 0, loses: ({ id }) => id === lost?.id });
  endpoint.closeAllConnections();
  endpoint.close();
  assert.deepEqual(
    sent.map(({ status }) => status),
    [200, 200, 200, 200],
  );
  assert.notDeepEqual(
    sent.map(({ id }) => id),
    sent.map(({ id }) => id).sort(),
  );
  for (const { text, signature } of texts) {
    const receivedAt = clock.now();
    const verify = (secret: string) =>
      client.webhooks.constructEvent(text, signature, secret, 300, undefined, receivedAt);
    assert.equal(verify(stripe.webhooks.secret).type, 'customer.created');
    assert.throws(() => verify('whsec_other'));
  }
});

test('Stripe needs its webhook secret, and a live key in production', () => {
  const STRIPE_SECRET_KEY = 'sk_test_1';
  assert.throws(() => readConfig({ STRIPE_SECRET_KEY }), /STRIPE_WEBHOOK_SECRET must be set/);
  const whole = { STRIPE_SECRET_KEY, STRIPE_WEBHOOK_SECRET: 'whsec_1' };
  assert.throws(() => readConfig({ ...whole, NODE_ENV: 'production' }), /STRIPE_SECRET_KEY must be a live key/);
  assert.equal(readConfig(whole).stripe?.isLive, false);
});
