import assert from 'node:assert/strict';
import { test } from 'node:test';
import { gift } from '../../harness/api-client.ts';
import { scrape } from '../../harness/metrics-text.ts';
import {
  type Funded,
  liveBalance,
  newPayer,
  openTopups,
  owedBy,
  topUp,
  topupsOf,
  workOnAll,
} from '../../harness/topups.ts';

const service = openTopups({ TOPUP_CARD_FEE_BASIS_POINTS: '290', TOPUP_CARD_FEE_CENTS: '30', METRICS_PORT: '0' });
const balance = (payer: Funded) => liveBalance(service, payer);
const latest = async (payer: Funded) => (await topupsOf(payer))[0];
const entriesOf = async ({ organization }: Funded) =>
  (
    await service.sql<{ kind: string; amount_cents: string; reference: string | null }>(
      'select kind, amount_cents, reference from ledger_entries where organization_id = $1 order by entry_id',
      [organization.organizationUuid],
    )
  ).map(({ kind, amount_cents, reference }) => [kind, Number(amount_cents), reference]);

/** Each seed another order. */
const randomOf = (seed: number) => () => {
  seed = (seed * 1_103_515_245 + 12_345) % 2_147_483_648;
  return seed / 2_147_483_648;
};

test('the fee is paid, and only the amount is credited, with receipt and invoice', async () => {
  const payer = await newPayer(service);
  const { body } = await payer.client.call('GET', payer.path);
  assert.deepEqual(body.options.card_fee, { basis_points: 290, cents: 30 });
  const paymentId = await topUp(service, payer, 100_000);
  assert.equal(service.stripe.account.objects.get(paymentId).amount, 102_930);
  assert.equal(await balance(payer), 0, 'the redirect credits nothing');
  await service.settle();
  assert.deepEqual(await entriesOf(payer), [['funding', 100_000, paymentId]]);
  const topup = await latest(payer);
  assert.deepEqual(
    [topup.state, topup.amount, topup.fee, topup.created_by],
    ['succeeded', 100_000, 2_930, 'admin@example.com'],
  );
  assert.match(topup.receipt_url, /receipts/);
  assert.match(topup.invoice_url, /pdf$/);
});

test('without an answer of Stripe calls are 502 with a sentence, and no top-up is left', async (t) => {
  const payer = await newPayer(service);
  await topUp(service, payer, 20_000);
  await service.settle();
  const { faults } = service.stripe;
  t.after(() => faults.splice(0));
  const rule = {
    threshold: 5_000,
    method: 'fixed',
    amount: 20_000,
    monthly_cap: 50_000,
    payment_method_id: 'pm_x',
  };
  const calls = [
    ['POST', payer.path, 'POST /v1/checkout/sessions', { amount: 10_000 }],
    ['GET', `${payer.path}/cards`, 'GET /v1/customers/{customer}/payment_methods', undefined],
    ['POST', `${payer.path}/cards`, 'POST /v1/checkout/sessions', undefined],
    ['POST', `${payer.path}/bank-account`, 'POST /v1/customers/{customer}/funding_instructions', undefined],
    ['PUT', `${payer.path}/automatic`, 'GET /v1/customers/{customer}/payment_methods', { rule }],
  ] as const;
  for (const kind of ['hang up', 'lose the answer', 'answer 500', 'answer 429'] as const)
    for (const [method, path, operation, sent] of calls) {
      // The library retries a closed connection once.
      faults.push(...Array(kind.startsWith('answer') ? 1 : 2).fill({ operation, kind }));
      const { status, body } = await payer.client.call(method, path, sent);
      assert.deepEqual(
        [status, body.error?.code, body.error?.message],
        [
          502,
          'provider_unavailable',
          'The payment provider does not answer. Nothing was charged. Try again in a few minutes.',
        ],
        `${kind} ${operation}`,
      );
    }
  assert.equal(faults.length, 0);
  assert.deepEqual(
    (await topupsOf(payer)).map(({ state }: { state: string }) => state),
    ['succeeded'],
  );
  await topUp(service, payer, 30_000);
  await service.settle();
  assert.equal(await balance(payer), 50_000);
});

test('every webhook three times in random order has one effect', async () => {
  for (const seed of [1, 2, 3, 4, 5]) {
    const payer = await newPayer(service);
    const paymentId = await topUp(service, payer, 50_000);
    service.stripe.acts.refund(paymentId, 10_000);
    const dispute = service.stripe.acts.dispute(paymentId, 20_000);
    if (seed % 2 === 0) service.stripe.acts.closeDispute(dispute, 'won');
    await service.settle({ copies: 3, random: randomOf(seed), concurrently: true });
    assert.equal(await balance(payer), seed % 2 === 0 ? 40_000 : 20_000, `seed ${seed}`);
    assert.equal((await entriesOf(payer)).filter(([kind]) => kind === 'funding').length, 1);
  }
});

test('work on the same event in many processes at once credits once', async () => {
  const payer = await newPayer(service);
  await topUp(service, payer, 30_000);
  await service.stripe.webhooks.deliver();
  await Promise.all(Array.from({ length: 8 }, () => workOnAll(service)));
  assert.equal(await balance(payer), 30_000);
});

test('a forged, stale or foreign webhook is refused, and counts', async () => {
  const payer = await newPayer(service);
  await topUp(service, payer, 20_000);
  const [event] = service.stripe.webhooks.waiting;
  const { stripe } = service;
  const send = (signature: string | undefined, text = JSON.stringify(event)) =>
    fetch(stripe.webhooks.url, {
      method: 'POST',
      body: text,
      headers: signature === undefined ? {} : { 'stripe-signature': signature },
    });
  const text = JSON.stringify(event);
  for (const signature of [
    undefined,
    't=1,v1=00',
    stripe.webhooks.sign(text, 'whsec_other'),
    stripe.webhooks.sign(text, stripe.webhooks.secret, stripe.account.now() - 301),
    stripe.webhooks.sign(`${text} `),
  ])
    assert.equal((await send(signature)).status, 401);
  for (const odd of [{ id: 'evt_\0' }, { id: 'e'.repeat(3_000) }, { id: { toString: 'x' } }, { type: 'review.\0' }]) {
    const signed = JSON.stringify({ ...event, ...odd });
    assert.equal((await send(stripe.webhooks.sign(signed), signed)).status, 401, signed.slice(0, 60));
  }
  const samples = await scrape(service.service.metricsAddress() ?? '');
  assert.equal(samples['bestow_provider_events_total{provider="stripe",outcome="refused"}'], 9);
  const ofTestMode = JSON.stringify({ ...event, id: 'evt_test_mode', livemode: false });
  assert.equal((await send(stripe.webhooks.sign(ofTestMode), ofTestMode)).status, 200);
  assert.deepEqual(await service.sql(`select from portal.provider_events where event_id = 'evt_test_mode'`), []);
  await service.settle();
  assert.equal(await balance(payer), 20_000);
});

test('a payment that settles later is credited when it settles', async () => {
  const payer = await newPayer(service);
  for (const succeeds of [false, true]) {
    const { body } = await payer.client.call('POST', payer.path, { amount: 10_000 });
    const session = service.stripe.acts.payLate(service.stripe.account.objects.get(body.url.split('/').at(-1)));
    await service.settle();
    assert.equal((await latest(payer)).state, 'processing');
    service.stripe.acts.settle(session, succeeds);
    await service.settle();
    assert.equal((await latest(payer)).state, succeeds ? 'succeeded' : 'failed');
    assert.equal(await balance(payer), succeeds ? 10_000 : 0);
  }
});

test('a payment in review is credited when a person has approved it', async () => {
  const payer = await newPayer(service);
  const paymentId = await topUp(service, payer, 10_000);
  const review = service.stripe.acts.review(paymentId);
  await service.settle({ copies: 2 });
  assert.deepEqual([(await latest(payer)).state, await balance(payer)], ['processing', 0]);
  service.stripe.acts.closeReview(review);
  await service.settle({ copies: 2 });
  assert.deepEqual([(await latest(payer)).state, await balance(payer)], ['succeeded', 10_000]);
});

test('an unpaid page expires, and two payments of one top-up are both credited', async () => {
  const payer = await newPayer(service);
  await payer.client.call('POST', payer.path, { amount: 10_000 });
  service.stripe.acts.expire();
  await service.settle();
  assert.equal((await latest(payer)).state, 'canceled');
  const paymentId = await topUp(service, payer, 10_000);
  await service.settle();
  // Two pages were open, and the person paid on both.
  const { metadata } = service.stripe.account.objects.get(paymentId);
  const { addIntent, payWithNewCard } = await import('../stripe/resources/payment-intents.ts');
  const again = addIntent(service.stripe.account, { amount: 10_320, currency: 'usd', metadata });
  payWithNewCard(service.stripe.account, again, '4242', null);
  await service.settle();
  assert.equal(await balance(payer), 20_000);
});

test('after a chargeback of spent money orders wait until the rest is paid', async () => {
  const payer = await newPayer(service);
  const paymentId = await topUp(service, payer, 50_000);
  await service.settle();
  const order = (amount: number) => payer.organization.live.order([gift({ amount })]);
  assert.equal((await order(30_000)).status, 201);
  const dispute = service.stripe.acts.dispute(paymentId);
  await service.settle();
  assert.equal(await balance(payer), 0);
  assert.equal(await owedBy(payer), 30_000);
  // Money that comes back does not buy gifts before the debt is paid.
  await payer.organization.fund('live', 10_000);
  const refused = await order(1_000);
  assert.deepEqual([refused.status, refused.body.error.code], [402, 'insufficient_balance']);
  await topUp(service, payer, 25_000);
  await service.settle();
  assert.deepEqual([await owedBy(payer), await balance(payer)], [0, 5_000]);
  assert.equal((await order(1_000)).status, 201);
  service.stripe.acts.closeDispute(dispute, 'won');
  await service.settle();
  assert.equal(await balance(payer), 54_000);
});

test('a chargeback and orders at once never overdraw, and nothing is lost', async () => {
  const payer = await newPayer(service);
  const paymentId = await topUp(service, payer, 50_000);
  await service.settle();
  service.stripe.acts.dispute(paymentId);
  const orders = Promise.all(
    Array.from({ length: 10 }, () => payer.organization.live.order([gift({ amount: 5_000 })])),
  );
  const [answers] = await Promise.all([orders, service.settle({ copies: 2, concurrently: true })]);
  const placed = answers.filter(({ status }) => status === 201).length;
  assert.deepEqual([await balance(payer), await owedBy(payer)], [0, placed * 5_000]);
});

test('another organization finds neither the top-up nor the card', async () => {
  const payer = await newPayer(service);
  await topUp(service, payer, 10_000);
  await service.settle();
  const { topup_id } = await latest(payer);
  const [card] = (await payer.client.call('GET', `${payer.path}/cards`)).body.data;
  const other = await newPayer(service);
  assert.deepEqual((await other.client.call('GET', other.path)).body.data, []);
  assert.equal((await other.client.call('POST', `${other.path}/${topup_id}/pay`)).status, 404);
  assert.equal((await other.client.call('DELETE', `${other.path}/cards/${card.payment_method_id}`)).status, 404);
});

test('a refund takes the credit, a failed refund gives it back', async () => {
  const payer = await newPayer(service);
  const paymentId = await topUp(service, payer, 40_000);
  await service.settle();
  const refund = service.stripe.acts.refund(paymentId, 15_000);
  await service.settle();
  assert.equal(await balance(payer), 25_000);
  assert.equal((await latest(payer)).taken_back, 15_000);
  service.stripe.acts.failRefund(refund);
  await service.settle();
  assert.equal(await balance(payer), 40_000);
});

test('without Stripe every route answers 404 and the balance says so', async () => {
  const plain = await service.second({ STRIPE_SECRET_KEY: '', STRIPE_WEBHOOK_SECRET: '' });
  const payer = await newPayer(service);
  const client = payer.client.at(plain.url);
  assert.equal((await client.call('GET', payer.path)).status, 404);
  const { body } = await client.call('GET', `/organizations/${payer.organization.organizationId}/live/balance`);
  assert.equal(body.can_top_up, false);
  assert.equal((await fetch(`${plain.url}/hooks/stripe`, { method: 'POST', body: '{}' })).status, 404);
});
