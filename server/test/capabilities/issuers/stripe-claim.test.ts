import assert from 'node:assert/strict';
import { after, beforeEach, test } from 'node:test';
import { reopenCard } from '../../../src/core/card-proofs/reopen-card.ts';
import { decodeId } from '../../../src/platform/base/ids.ts';
import { linkGift } from '../../harness/api-client.ts';
import { chooseStripe, stripeForm } from '../../harness/choose-stripe.ts';
import { openForFile } from '../../harness/open-for-file.ts';
import { OPERATOR } from '../../harness/operator.ts';
import { createRecipient, type Recipient } from '../../harness/recipient.ts';
import { startTestService, type TestOrganization } from '../../harness/test-service.ts';
import type { Json } from '../stripe/account.ts';
import { cardNumberOf } from '../stripe/resources/issuing-cards.ts';
import { type Stripe, startStripe } from '../stripe/server.ts';

// A recipient claims a gift whose card Stripe issues.

const service = openForFile(() => startTestService());
const fake = openForFile(() => startStripe({ now: () => service.clock.now() }));
after(() => fake.close());
let organization: TestOrganization;
let stripe: Stripe;
beforeEach(async () => {
  organization = await service.organization();
  ({ stripe } = await chooseStripe(service, organization, fake));
  stripe.requests.length = 0;
});

const HOUR_MS = 3_600_000;
/** More than a claim's job waits. */
const RETRY_MS = 12_000;

async function buy(category = 'coffee') {
  const { body } = await organization.live.order([{ ...linkGift(), category }]);
  const [{ gift_id, delivery }] = body.gifts;
  const link: string = delivery.link;
  await press(link, 'open');
  return { giftId: decodeId('gift', gift_id) ?? '', link };
}

const press = (link: string, act: string, fields: object = {}, cookie = '') =>
  fetch(`${service.url}/g/${link.slice(-76)}/${act}`, {
    method: 'POST',
    redirect: 'manual',
    headers: { 'user-agent': 'Test Browser', cookie },
    body: new URLSearchParams(fields as Record<string, string>),
  });

const cardsOf = (giftId: string): Json[] =>
  stripe.account.all('issuing.card', ({ metadata }) => metadata.gift === giftId);

test('a form without scripts makes a cardholder and a card for coffee shops', async () => {
  const { giftId, link } = await buy();
  const page = await (await fetch(`${service.url}/g/${link.slice(-76)}`)).text();
  assert.match(page, /name="first_name"[^>]+required/);
  assert.doesNotMatch(page, /<script/);
  const claimed = await press(link, 'claim', stripeForm);
  assert.equal(claimed.status, 303);
  const [card, ...more] = cardsOf(giftId);
  assert.equal(more.length, 0);
  assert.equal(card.status, 'active');
  assert.deepEqual(card.spending_controls.spending_limits, [{ amount: 2_500, interval: 'all_time', categories: null }]);
  assert.deepEqual(card.spending_controls.allowed_categories, [
    'bakeries',
    'eating_places_restaurants',
    'fast_food_restaurants',
  ]);
  const { name, individual, billing, phone_number } = card.cardholder;
  assert.equal(name, 'Zoe O Neill Garcia');
  assert.deepEqual([individual.first_name, individual.last_name], ['Zoë', "O'Neill-García"]);
  assert.deepEqual(individual.dob, { day: 28, month: 2, year: 1990 });
  assert.equal(phone_number, '+14155550100');
  assert.equal(billing.address.state, 'CA');
  const { date, ip, user_agent } = individual.card_issuing.user_terms_acceptance;
  assert.deepEqual([ip, user_agent], ['127.0.0.1', 'Test Browser']);
  assert.equal(date, Math.floor(service.clock.now() / 1_000));
  const after = await (await fetch(`${service.url}/g/${link.slice(-76)}`)).text();
  assert.match(after, new RegExp(`ends in </span>${card.last4}`));
});

test('a card is for shops of the recipient’s choice, also if choices race the claim', async () => {
  await service.addCategory('any');
  for (let round = 0; round < 10; round += 1) {
    const { giftId, link } = await buy('any');
    await press(link, 'choose', { category: 'coffee' });
    const claimed = press(link, 'claim', { ...stripeForm, category: 'coffee' });
    await press(link, 'choose', { category: 'books' });
    if ((await claimed).status === 422) await press(link, 'claim', { ...stripeForm, category: 'books' });
    const [gift] = await service.sql<{ chosen_category_id: string }>(
      'select chosen_category_id from gifts where gift_id = $1',
      [giftId],
    );
    const [card] = cardsOf(giftId);
    const shops: string[] = card.spending_controls.allowed_categories;
    assert.ok(shops.includes(gift?.chosen_category_id === 'books' ? 'book_stores' : 'bakeries'), `round ${round}`);
  }
});

test('what Stripe would refuse is refused at the form, by its field', async () => {
  const { giftId, link } = await buy();
  const answer = await press(link, 'claim', { ...stripeForm, last_name: 'Иванов', phone: '0415 5550100', terms: '' });
  assert.equal(answer.status, 422);
  const page = await answer.text();
  for (const error of ['Last name: please use Latin letters', 'start with \\+', 'Please accept the terms'])
    assert.match(page, new RegExp(error));
  assert.equal(cardsOf(giftId).length, 0);
});

for (const [name, fields, words] of [
  ['a day of birth that does not exist', { date_of_birth: '1990-02-31' }, /Date of birth/],
  ['a month of birth that does not exist', { date_of_birth: '1990-13-01' }, /Date of birth/],
  ['a child', { date_of_birth: '2020-01-01' }, /Date of birth/],
  ['a listed person', { first_name: 'Listed' }, /cannot make this gift for you/],
] as const)
  test(`a refusal of Stripe is explained, and leaves the gift unclaimed: ${name}`, async () => {
    const { giftId, link } = await buy();
    const answer = await press(link, 'claim', { ...stripeForm, ...fields });
    assert.equal(answer.status, 422);
    const page = await answer.text();
    assert.match(page, words);
    assert.match(page, /name="phone"[^>]* value="\+14155550100"/, 'what was typed is kept');
    assert.equal(cardsOf(giftId).length, 0);
    assert.equal((await press(link, 'claim', stripeForm)).status, 303);
    assert.equal(cardsOf(giftId).length, 1);
  });

test('a cardholder under review waits, and gets the card once Stripe agrees', async () => {
  const { giftId, link } = await buy();
  await press(link, 'claim', { ...stripeForm, first_name: 'Reviewed' });
  assert.equal(cardsOf(giftId).length, 0);
  const [holder] = stripe.account.all('issuing.cardholder', ({ metadata }) => metadata.gift === giftId);
  holder.requirements.disabled_reason = null;
  await service.clock.advance(RETRY_MS);
  assert.equal(cardsOf(giftId)[0]?.status, 'active');
});

for (const hours of [0, 30])
  test(`a card whose answer was lost is found again after ${hours} hours`, async () => {
    const { giftId, link } = await buy();
    const operation = 'POST /v1/issuing/cards';
    // The library repeats a request whose connection was closed.
    stripe.faults.push({ operation, kind: 'lose the answer' }, { operation, kind: 'lose the answer' });
    await press(link, 'claim', stripeForm);
    assert.deepEqual(
      cardsOf(giftId).map(({ status }) => status),
      ['inactive'],
    );
    await service.clock.jump(hours * HOUR_MS);
    await service.clock.advance(RETRY_MS);
    assert.deepEqual(
      cardsOf(giftId).map(({ status }) => status),
      ['active'],
    );
  });

for (const part of ['cardholders', 'cards'] as const)
  test(`a failure that Stripe keeps for a day does not stop a claim: ${part}`, async () => {
    const { giftId, link } = await buy();
    stripe.faults.push({ operation: `POST /v1/issuing/${part}`, kind: 'keep 500' });
    assert.equal((await press(link, 'claim', stripeForm)).status, 303);
    assert.deepEqual(
      cardsOf(giftId).map(({ status }) => status),
      ['active'],
    );
  });

for (const operation of [
  'POST /v1/issuing/cardholders',
  'POST /v1/issuing/cards',
  'POST /v1/issuing/cards/{card}',
] as const)
  for (const [name, lie] of [
    ['an empty object', () => ({})],
    ['another’s', (one: Json) => one],
  ] as const)
    test(`an answer that is not about the card claims nothing: ${operation}, ${name}`, async () => {
      const other = await buy();
      await press(other.link, 'claim', stripeForm);
      const [card] = cardsOf(other.giftId);
      const { giftId, link } = await buy();
      const body = lie(operation.endsWith('cardholders') ? card.cardholder : card);
      stripe.faults.push({ operation, kind: 'lie', body });
      await press(link, 'claim', stripeForm);
      const [before] = await service.sql('select state from cards where gift_id = $1', [giftId]);
      assert.notEqual(before?.['state'], 'active');
      await service.clock.advance(RETRY_MS);
      const [row] = await service.sql('select state, provider_id from cards where gift_id = $1', [giftId]);
      assert.deepEqual(row, { state: 'active', provider_id: cardsOf(giftId)[0].id });
      assert.equal(cardsOf(giftId)[0].status, 'active');
      assert.equal(cardsOf(giftId)[0].cardholder.metadata.gift, giftId);
    });

test('a card of Stripe moves to the browser that an admin lets show it, with its key', async () => {
  const { giftId, link } = await buy();
  const [claimer, other] = [createRecipient(service), createRecipient(service)];
  assert.equal((await claimer.press(link, 'claim', { ...stripeForm, holder_email: '', without: 'yes' })).status, 303);
  const key = async (browser: Recipient) => (await browser.press(link, 'card-key', { nonce: 'ephkn_1' })).status;
  await reopenCard(service.service.deps, {
    scope: { organizationId: organization.organizationUuid, environment: 'live' },
    giftId,
    actor: OPERATOR,
  });
  assert.deepEqual([await key(claimer), await key(other)], [200, 403]);
  assert.match((await other.press(link, 'take')).text, /id="issuer-card"/);
  assert.deepEqual([await key(claimer), await key(other)], [403, 200]);
});

test('only the holder’s browser gets the key that shows the number', async () => {
  const { giftId, link } = await buy();
  const claimed = await press(link, 'claim', stripeForm);
  const cookie = claimed.headers
    .getSetCookie()
    .map((one) => one.split(';')[0])
    .join('; ');
  const shown = await press(link, 'reveal', {}, cookie);
  const page = await shown.text();
  const [card] = cardsOf(giftId);
  assert.match(page, new RegExp(`data-card="${card.id}"`));
  const policy = shown.headers.get('content-security-policy') ?? '';
  assert.match(policy, /script-src https:\/\/js\.stripe\.com 'self'/);
  assert.match(policy, /frame-src https:\/\/js\.stripe\.com https:\/\/api\.stripe\.com/);
  const script = /<script src="(\/assets\/[^"]+)"/.exec(page)?.[1];
  assert.match(await (await fetch(service.url + script)).text(), /issuingCardNumberDisplay/);
  assert.equal((await press(link, 'card-key', { nonce: 'ephkn_1' })).status, 403);
  assert.equal((await press(link, 'card-key', { nonce: 'forged' }, cookie)).status, 403);
  const key = await press(link, 'card-key', { nonce: 'ephkn_1' }, cookie);
  assert.deepEqual(await key.json(), { key: `ek_live_of_${card.id}` });
  assert.equal(
    stripe.requests.some(({ url, text }) => /expand|number/.test(url + text) && /cvc|number/.test(url)),
    false,
  );
  assert.doesNotMatch(page, new RegExp(cardNumberOf(card)));
});
