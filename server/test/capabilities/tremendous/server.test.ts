import assert from 'node:assert/strict';
import { createHmac, randomUUID } from 'node:crypto';
import { afterEach, beforeEach, describe, test } from 'node:test';
import Papa from 'papaparse';
import * as api from 'tremendous';
import { startWebhookReceiver } from '../../harness/webhook-receiver.ts';
import { type FakeTremendous, startTremendous } from './server.ts';

/** The fake of Tremendous behaves as Tremendous is documented to; Tremendous's own package is the client. */

const START_CENTS = 5_000_000;
const clock = { now: () => Date.parse('2026-11-21T12:00:00Z') };
let tremendous: FakeTremendous;
let configuration: api.Configuration;
let orders: api.OrdersApi;
let rewards: api.RewardsApi;

beforeEach(async () => {
  tremendous = await startTremendous(clock);
  const { url, apiKey: accessToken } = tremendous;
  configuration = new api.Configuration({ basePath: `${url}/api/v2`, accessToken });
  orders = new api.OrdersApi(configuration);
  rewards = new api.RewardsApi(configuration);
});
afterEach(() => tremendous.close());

const delivery = { method: 'LINK' } as const;
const request = (denomination = 25, external_id: string = randomUUID()): api.CreateOrderRequest => ({
  external_id,
  payment: { funding_source_id: 'BALANCE' },
  reward: { campaign_id: 'CAMPALL', value: { denomination, currency_code: 'USD' }, delivery },
});
const refused = (status: number) => (error: { response?: { status: number; data: object } }) => {
  assert.equal(error.response?.status, status);
  return 'errors' in error.response.data;
};
async function buy(asked = request()) {
  const { status, data } = await orders.createOrder(asked);
  const [reward] = data.order.rewards ?? [];
  assert.ok(reward?.id);
  return { status, order: data.order, id: reward.id, link: reward.delivery?.link };
}
const opened = async (link = '', form?: string) =>
  (await fetch(link, form === undefined ? {} : { method: 'POST', body: new URLSearchParams(form) })).status;

describe('an order', () => {
  test('of the same external_id is bought once, and another body is refused', async () => {
    const asked = request();
    const [first, again] = [await buy(asked), await buy(asked)];
    assert.deepEqual([first.status, again.status, again.order.id], [200, 201, first.order.id]);
    await assert.rejects(orders.createOrder(request(26, asked.external_id ?? '')), refused(409));
    assert.equal(tremendous.state.availableCents, START_CENTS - 2_500);
    assert.equal((await orders.listOrders()).data.total_count, 1);
  });

  test('has its link in the first answer only', async () => {
    const asked = request();
    const { order, id, link } = await buy(asked);
    assert.match(link ?? '', /\/rewards\/payout\/[\w-]{32}$/);
    for (const { data } of [
      await orders.createOrder(asked),
      await orders.getOrder(order.id),
      await orders.getOrder(asked.external_id ?? ''),
      await orders.listOrders(),
      await rewards.getReward(id),
      await rewards.listRewards(),
    ])
      assert.doesNotMatch(JSON.stringify(data), /payout/);
  });

  test('that the balance does not cover is refused and buys nothing', async () => {
    tremendous.state.availableCents = 2_499;
    await assert.rejects(buy(), refused(402));
    assert.deepEqual([tremendous.state.availableCents, tremendous.state.orders.size], [2_499, 0]);
  });

  test('is refused with an amount, product, funding source or key that is not valid', async () => {
    const { reward, ...rest } = request();
    const [product, payment] = [{ products: ['NOSUCHTHING1'] }, { funding_source_id: 'NONE' }];
    for (const denomination of [0, -5, 5.001, 10_001]) await assert.rejects(buy(request(denomination)), refused(422));
    await assert.rejects(buy({ ...rest, reward: { ...reward, ...product } }), refused(422));
    await assert.rejects(buy({ ...rest, payment, reward }), refused(422));
    configuration.accessToken = 'another key';
    await assert.rejects(buy(), refused(401));
  });

  test('that waits is paid when it is approved, and has no link if it is rejected', async () => {
    const { state, network } = tremendous;
    state.pending = 'PENDING APPROVAL';
    const [approved, rejected] = [await buy(), await buy()];
    assert.deepEqual([approved.link, state.availableCents], [undefined, START_CENTS]);
    network.approve(approved.order.id);
    network.reject(rejected.order.id);
    assert.equal(state.availableCents, START_CENTS - 2_500);
    assert.equal(await opened((await rewards.generateRewardLink(approved.id)).data.reward.link), 200);
    await assert.rejects(rewards.generateRewardLink(rejected.id), refused(403));
    assert.deepEqual([network.waiting[0]?.event, network.waiting[1]?.event], ['ORDERS.APPROVED', 'ORDERS.CANCELED']);
  });
});

describe('a reward', () => {
  test('is redeemed once, by its newest link', async () => {
    const { id, link } = await buy();
    const newest = (await rewards.generateRewardLink(id)).data.reward.link;
    assert.deepEqual([await opened(link), await opened(newest)], [404, 200]);
    assert.equal(await opened(newest, 'product=CORNERCAFEDE'), 422);
    assert.equal(await opened(newest, 'product=CORNERCAFEUS'), 200);
    assert.equal(await opened(newest, 'product=CORNERCAFEUS'), 409);
  });

  test('that is canceled gives its subtotal and fees back once, and none after redemption', async () => {
    tremendous.state.feeCents = 150;
    const [{ order, id, link }, redeemed] = [await buy(), await buy()];
    await rewards.cancelReward(id);
    await assert.rejects(rewards.cancelReward(id), refused(422));
    tremendous.network.redeem(redeemed.id);
    await assert.rejects(rewards.cancelReward(redeemed.id), refused(422));
    const { status, payment } = (await orders.getOrder(order.id)).data.order;
    assert.deepEqual([status, payment?.refund?.total, await opened(link)], ['CANCELED', 26.5, 410]);
    assert.equal(tremendous.state.availableCents, START_CENTS - 2_650);
    await assert.rejects(rewards.generateRewardLink(id), refused(403));
  });

  test('that is flagged has a review, and is refunded if it is blocked', async () => {
    const { network, state } = tremendous;
    const reviews = new api.FraudReviewsApi(configuration);
    const [blocked, released] = [await buy(), await buy()];
    for (const { id } of [blocked, released]) network.flag(id);
    assert.equal((await reviews.listFraudReviews(0, 10, 'flagged')).data.total_count, 2);
    network.block(blocked.id);
    network.release(released.id);
    assert.equal((await reviews.getFraudReview(blocked.id)).data.fraud_review.status, 'blocked');
    assert.equal(state.availableCents, START_CENTS - 2_500);
  });
});

test('the balance is its start, less the orders, plus the refunds and funds', async () => {
  const { network, state } = tremendous;
  network.fund(10_000);
  Object.assign(state, { rate: 1.1, feeCents: 25 });
  const value = { denomination: 9.99, currency_code: 'EUR' } as const;
  const { order } = await buy({ ...request(), reward: { products: ['PAYPALPAYOUT'], value, delivery } });
  assert.deepEqual([order.payment?.subtotal, order.payment?.total], [10.99, 11.24]);
  await rewards.cancelReward((await buy()).id);
  const { transactions } = (await new api.BalanceTransactionsApi(configuration).listBalanceTransactions()).data;
  const amounts = transactions.map(({ amount, balance }) => [amount, balance]);
  assert.deepEqual(amounts.flat(), [25.25, 50_088.76, -25.25, 50_063.51, -11.24, 50_088.76, 100, 50_100]);
  assert.equal(transactions[2]?.order?.external_id, order.external_id);
  const { funding_source } = (await new api.FundingSourcesApi(configuration).getFundingSource('balance')).data;
  assert.equal(funding_source.meta.available_amount, 50_088.76);
});

test('a report names the redemption of a reward', async () => {
  const reports = new api.ReportsApi(configuration);
  const { order, id } = await buy(request(25, 'a, "quoted"\nid'));
  tremendous.network.redeem(id, 'BEANSANDCOUS');
  const filters = { digital_rewards: { created_at: { gte: '2026-11-21', lte: '2026-11-21' } } };
  const { report } = (await reports.createReport({ report_type: 'digital_rewards', format: 'csv', filters })).data;
  const next = async () => (await reports.getReport(report.id ?? '')).data.report;
  const [processing, ready] = [await next(), await next()];
  assert.deepEqual([report.status, processing.status, ready.status], ['CREATED', 'PROCESSING', 'READY_FOR_DOWNLOAD']);
  const { data } = Papa.parse(await (await fetch(ready.url ?? '')).text(), { skipEmptyLines: true });
  const at = '2026-11-21T12:00:00.000Z';
  const row = [order.id, order.external_id, id, at, '25.00', 'USD', 'Redeemed', at, 'Beans & Co.'];
  assert.deepEqual(data.slice(1), [row]);
});

test('a webhook event is signed, and an ordinary redemption sends no event', async () => {
  const { network, webhookSecret } = tremendous;
  const receiver = await startWebhookReceiver();
  const [redeemed, canceled] = [await buy(), await buy()];
  network.redeem(redeemed.id);
  network.cancel(canceled.id);
  assert.deepEqual(await network.deliver(2, receiver.url), [204, 204]);
  const [{ text = '', headers, body } = assert.fail(), again] = receiver.received;
  const signature = `sha256=${createHmac('sha256', webhookSecret).update(text).digest('hex')}`;
  assert.deepEqual([headers?.['tremendous-webhook-signature'], network.sign(text)], [signature, signature]);
  assert.deepEqual([body.event, body.payload.resource], ['REWARDS.CANCELED', { id: canceled.id, type: 'rewards' }]);
  assert.equal(again?.text, text);
});

describe('a fault', () => {
  test('before the effect buys nothing', async () => {
    tremendous.fault = { call: 'POST /orders', when: 'before', status: 503 };
    await assert.rejects(buy(), refused(503));
    assert.equal(tremendous.state.orders.size, 0);
  });

  test('after the effect closes the connection, or answers with its status or body', async () => {
    const fault = { call: 'POST /orders', when: 'after' } as const;
    tremendous.fault = fault;
    await assert.rejects(buy(), { code: 'ECONNRESET' });
    tremendous.fault = { ...fault, status: 502 };
    await assert.rejects(buy(), refused(502));
    tremendous.fault = { ...fault, body: (truth) => ({ told: truth }) };
    const { status, data } = await orders.createOrder(request());
    assert.deepEqual([status, Object.keys(data), tremendous.state.orders.size], [200, ['told'], 3]);
  });
});
