import assert from 'node:assert/strict';
import { test } from 'node:test';
import { undoClaim } from '../../../src/core/gifts/claim/undo-claim.ts';
import { OPERATOR } from '../../harness/operator.ts';
import { createRecipient } from '../../harness/recipient.ts';
import { ordersOf } from '../../harness/tremendous-network.ts';
import { TremendousStage } from '../../harness/tremendous-stage.ts';
import type { TremendousFault } from '../tremendous/server.ts';

// A claim buys a reward of Tremendous once, also if its answers are lost or wrong.

const stage = new TremendousStage();

test('the holder goes on to the choice in one step, and another browser does not', async () => {
  const gift = await stage.claimed();
  const { giftId, link, browser } = gift;
  const page = await browser.view(link);
  assert.match(page.text, /<h1>Your gift<\/h1>/);
  assert.match(
    page.headers.get('content-security-policy') ?? '',
    new RegExp(`form-action 'self' ${stage.tremendous.url};`),
  );
  assert.doesNotMatch(page.text, /payout/);
  const address = await stage.open(gift);
  assert.match(address, new RegExp(`^${stage.tremendous.url}/rewards/payout/`));
  assert.match(await (await fetch(address)).text(), /radio/);
  const other = await createRecipient(stage.service).press(link, 'reveal');
  assert.equal(other.status, 200);
  assert.match(other.text, /Is this your gift\?/);
  assert.doesNotMatch((await stage.cardOf(giftId)).sealed ?? '', /payout/);
});

test('two processes that finish a claim at once buy one reward', async () => {
  const gift = await stage.order();
  const { giftId, link, browser } = gift;
  stage.tremendous.fault = { call: 'POST /orders', when: 'before' };
  await browser.press(link, 'claim');
  stage.tremendous.fault = undefined;
  await Promise.allSettled([stage.finish(giftId), stage.finish(giftId), stage.finish(giftId)]);
  assert.equal(ordersOf(stage.tremendous, giftId).length, 1);
  assert.equal((await stage.cardOf(giftId)).state, 'active');
  assert.match(await (await fetch(await stage.open(gift))).text(), /radio/);
});

const lies: Record<string, TremendousFault> = {
  'a lost answer': { call: 'POST /orders', when: 'after' },
  'a refusal after the purchase': {
    call: 'POST /orders',
    when: 'after',
    status: 422,
    body: { errors: { message: 'No.' } },
  },
  'an empty answer': { call: 'POST /orders', when: 'after', body: {} },
  'another amount': {
    call: 'POST /orders',
    when: 'after',
    body: changed((reward) => ({ value: { ...reward.value, denomination: 2_500 } })),
  },
  'another currency': {
    call: 'POST /orders',
    when: 'after',
    body: changed((reward) => ({ value: { ...reward.value, currency_code: 'JPY' } })),
  },
  'other products': {
    call: 'POST /orders',
    when: 'after',
    body: (truth) => ({ order: { ...orderIn(truth), campaign_id: 'CAMPCOFFEE' } }),
  },
  'another gift’s order': {
    call: 'POST /orders',
    when: 'after',
    body: (truth) => ({ order: { ...orderIn(truth), external_id: 'gift_other-1' } }),
  },
  'a link that leads elsewhere': {
    call: 'POST /orders',
    when: 'after',
    body: changed(() => ({ delivery: { method: 'LINK', status: 'SUCCEEDED', link: 'https://evil.example/payout' } })),
  },
  'no list': { call: 'GET /orders', when: 'after', body: {} },
};

// biome-ignore lint/suspicious/noExplicitAny: an answer of the fake
function orderIn(truth: object): any {
  return (truth as { order: object }).order;
}

// biome-ignore lint/suspicious/noExplicitAny: an answer of the fake
function changed(change: (reward: any) => object) {
  return (truth: object) => {
    const order = orderIn(truth);
    return { order: { ...order, rewards: [{ ...order.rewards[0], ...change(order.rewards[0]) }] } };
  };
}

for (const [name, fault] of Object.entries(lies))
  test(`nothing is claimed by ${name}, and nothing is bought twice`, async () => {
    const gift = await stage.order();
    const { giftId, link, browser } = gift;
    stage.tremendous.fault = fault;
    await browser.press(link, 'claim');
    const isHarmless = name === 'a refusal after the purchase';
    assert.equal((await stage.cardOf(giftId)).state, isHarmless ? 'active' : 'claiming');
    stage.tremendous.fault = undefined;
    await stage.finish(giftId);
    assert.equal((await stage.cardOf(giftId)).state, 'active');
    assert.equal(ordersOf(stage.tremendous, giftId).length, 1);
    const address = await stage.open(gift);
    assert.match(await (await fetch(address)).text(), /radio/);
  });

test('out of funds, the gift stays safe and can be claimed later', async () => {
  const { giftId, link, browser } = await stage.order();
  const before = stage.tremendous.state.availableCents;
  stage.tremendous.state.availableCents = 100;
  const refused = await browser.press(link, 'claim');
  assert.equal(refused.status, 422);
  assert.match(refused.text, /Your gift cannot be claimed right now\. It is safe/);
  stage.tremendous.state.availableCents = before;
  assert.equal((await browser.press(link, 'claim')).status, 303);
  assert.equal(ordersOf(stage.tremendous, giftId).length, 1);
  assert.equal((await stage.cardOf(giftId)).state, 'active');
});

test('a refused order leaves the gift claimable, and buys nothing', async () => {
  const { giftId, link, browser } = await stage.order();
  const before = stage.tremendous.state.availableCents;
  stage.tremendous.fault = { call: 'POST /orders', when: 'before', status: 422 };
  assert.equal((await browser.press(link, 'claim')).status, 422);
  assert.equal(ordersOf(stage.tremendous, giftId).length, 0);
  assert.equal(stage.tremendous.state.availableCents, before);
  assert.equal((await stage.cardOf(giftId)).state, 'refused');
});

test('a reward that an undone claim left at Tremendous is the gift’s', async () => {
  const gift = await stage.order();
  stage.tremendous.fault = { call: 'POST /orders', when: 'after' };
  await gift.browser.press(gift.link, 'claim');
  stage.tremendous.fault = { call: 'GET', when: 'before' };
  const scope = { organizationId: stage.organization.organizationUuid, environment: 'live' } as const;
  await undoClaim(stage.service.service.deps, { scope, giftId: gift.giftId, actor: OPERATOR });
  stage.tremendous.fault = undefined;
  assert.equal((await gift.browser.press(gift.link, 'claim')).status, 303);
  assert.equal(ordersOf(stage.tremendous, gift.giftId).length, 1);
  assert.match(await (await fetch(await stage.open(gift))).text(), /radio/);
});

test('an order that waits for approval is claimed when it is approved, and can be claimed again if it is rejected', async () => {
  const [approved, rejected] = [await stage.order(), await stage.order()];
  stage.tremendous.state.pending = 'PENDING APPROVAL';
  for (const { link, browser } of [approved, rejected]) await browser.press(link, 'claim');
  const idOf = ({ giftId }: { giftId: string }) => ordersOf(stage.tremendous, giftId)[0]?.id ?? '';
  assert.equal((await stage.cardOf(approved.giftId)).state, 'claiming');
  stage.tremendous.state.pending = undefined;
  stage.tremendous.network.approve(idOf(approved));
  stage.tremendous.network.reject(idOf(rejected));
  await stage.finish(approved.giftId);
  assert.equal((await stage.cardOf(approved.giftId)).state, 'active');
  assert.match(await (await fetch(await stage.open(approved))).text(), /radio/);
  await stage.finish(rejected.giftId);
  assert.equal((await stage.cardOf(rejected.giftId)).state, 'refused');
  assert.equal((await rejected.browser.press(rejected.link, 'claim')).status, 303);
  assert.equal((await stage.cardOf(rejected.giftId)).state, 'active');
});

test('a new link ends the earlier one, and is for the holder only', async () => {
  const gift = await stage.claimed();
  const { link } = gift;
  const first = await stage.open(gift);
  assert.match((await createRecipient(stage.service).press(link, 'new-link')).text, /Is this your gift\?/);
  const second = await stage.open(gift, 'new-link');
  assert.notEqual(second, first);
  assert.deepEqual([(await fetch(first)).status, (await fetch(second)).status], [404, 200]);
  assert.equal(await stage.open(gift), second);
});

test('an expired reward gets no new link, and the page says why', async () => {
  const gift = await stage.claimed();
  stage.tremendous.network.expire(gift.reward);
  const { status, text } = await gift.browser.press(gift.link, 'new-link');
  assert.equal(status, 410);
  assert.match(text, /This gift has ended, so there is no new link\. If you have questions, ask Test Organization/);
});

test('while Tremendous is down the known link still opens, and a new one is not promised', async () => {
  const gift = await stage.claimed();
  const { link, browser } = gift;
  stage.tremendous.fault = { call: 'POST /rewards', when: 'before' };
  assert.match(await stage.open(gift), /payout/);
  const answer = await browser.press(link, 'new-link');
  assert.equal(answer.status, 503);
  assert.match(answer.text, /does not answer now/);
});
