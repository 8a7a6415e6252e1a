import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { merchantCategories } from '../../../src/capabilities/issuers/stripe/merchant-categories.ts';
import { recordIssuerEvent } from '../../../src/core/cards/record-issuer-event.ts';
import { builtInCategories } from '../../../src/core/catalog/built-in.ts';
import { decodeId } from '../../../src/platform/base/ids.ts';
import { linkGift } from '../../harness/api-client.ts';
import { chooseStripe, stripeForm } from '../../harness/choose-stripe.ts';
import { openForFile } from '../../harness/open-for-file.ts';
import { HUNG_AFTER_MS } from '../../harness/server-process.ts';
import { startTestService, type TestOrganization } from '../../harness/test-service.ts';
import type { Json } from '../stripe/account.ts';
import { type Stripe, startStripe } from '../stripe/server.ts';

// Questions and events of Stripe beyond the scenarios of all issuers.

const service = openForFile(() => startTestService());
let organization: TestOrganization;
let stripe: Stripe;
let issuerId: string;
before(async () => {
  organization = await service.organization({ live: 10_000_000 });
  stripe = await startStripe(service.clock);
  ({ issuerId } = await chooseStripe(service, organization, stripe));
});
after(() => stripe.close());

interface Bought {
  giftId: string;
  card: Json;
}

async function claimed(amount = 5_000, category = 'coffee'): Promise<Bought> {
  const { body } = await organization.live.order([{ ...linkGift(amount), category }]);
  const [{ gift_id, delivery }] = body.gifts;
  const url = `${service.url}/g/${delivery.link.slice(-76)}/claim`;
  const answer = await fetch(url, { method: 'POST', redirect: 'manual', body: new URLSearchParams(stripeForm) });
  assert.equal(answer.status, 303);
  const giftId = decodeId('gift', gift_id) ?? '';
  stripe.webhooks.waiting.length = 0;
  return { giftId, card: stripe.account.all('issuing.card', ({ metadata }) => metadata.gift === giftId)[0] };
}

/** Runs the jobs of the events that came, in any order and twice. */
async function record(): Promise<void> {
  const source = { organizationId: organization.organizationUuid, issuerId };
  const waiting = await service.sql<{ event_id: string }>(
    'select event_id from issuer_events where processed_at is null order by random()',
  );
  for (const { event_id } of [...waiting, ...waiting]) await recordIssuerEvent(service.service.deps, source, event_id);
}

async function booksOf({ giftId }: Bought) {
  const [row] = await service.sql<{ spent: number; held: string }>(
    'select g.spent_cents as spent, k.held_cents as held from gifts g join cards k using (gift_id) where gift_id = $1',
    [giftId],
  );
  return { spent: row?.spent, held: Number(row?.held) };
}

const limitOf = ({ card }: Bought): number => card.spending_controls.spending_limits[0].amount;

test('a coffee gift buys coffee and no books', async () => {
  const coffee = await claimed();
  const asked = stripe.questions.delivered.length;
  const books = await stripe.network.authorize(coffee.card, 1_000, { category: 'book_stores', name: 'Books' });
  assert.deepEqual([books.answer, stripe.questions.delivered.length], ['declined', asked]);
  assert.equal((await stripe.network.authorize(coffee.card, 1_000)).answer, 'approved');
});

test('every built-in category is mapped to categories that Stripe knows', async () => {
  const known = ['coffee', 'books', 'travel'];
  assert.deepEqual(
    Object.keys(merchantCategories),
    builtInCategories.map(({ id }) => id),
  );
  for (const category of Object.keys(merchantCategories)) {
    if (!known.includes(category)) await service.addCategory(category);
    const { card } = await claimed(1_000, category);
    assert.deepEqual(card.spending_controls.allowed_categories, merchantCategories[category]);
  }
});

test('a forged question gets no answer, and a forged event is not kept', async () => {
  const bought = await claimed();
  stripe.questions.secret = 'whsec_forged';
  const { answer } = await stripe.network.authorize(bought.card, 1_000);
  assert.equal(answer, 'declined');
  assert.equal(stripe.questions.delivered.at(-1)?.status, 401);
  stripe.questions.secret = 'whsec_of_the_questions';
  stripe.network.force(bought.card, 2_000);
  const sent = await stripe.webhooks.deliver({ secret: 'whsec_forged' });
  assert.deepEqual(new Set(sent.map(({ status }) => status)), new Set([401]));
  await record();
  assert.deepEqual(await booksOf(bought), { spent: 0, held: 0 });
});

test('a signature of six minutes ago is refused', async () => {
  const bought = await claimed();
  const { deps } = service.service;
  const event = stripe.account.newEvent('issuing_card.updated', bought.card);
  const text = JSON.stringify(event);
  const send = (at: number) =>
    fetch(stripe.webhooks.url, {
      method: 'POST',
      headers: { 'Stripe-Signature': stripe.webhooks.sign(text, undefined, at) },
      body: text,
    });
  const now = Math.floor(deps.clock.now() / 1_000);
  assert.equal((await send(now - 360)).status, 401);
  assert.equal((await send(now - 200)).status, 200);
});

test('events three times, at once and in random order have one effect', async () => {
  const bought = await claimed();
  const first = await stripe.network.authorize(bought.card, 2_000);
  const second = await stripe.network.authorize(bought.card, 1_500);
  stripe.network.capture(first.authorization, 1_800);
  await stripe.network.increment(second.authorization, 500);
  await stripe.webhooks.deliver({ copies: 3, random: () => 0.37, concurrently: true });
  await record();
  assert.deepEqual(await booksOf(bought), { spent: 1_800, held: 2_000 });
});

test('a yes that came too late holds nothing once Stripe says so', async () => {
  const bought = await claimed();
  stripe.network.isLate = true;
  assert.equal((await stripe.network.authorize(bought.card, 5_000)).answer, 'declined');
  stripe.network.isLate = false;
  assert.deepEqual(await booksOf(bought), { spent: 0, held: 5_000 });
  await stripe.webhooks.deliver();
  await record();
  assert.deepEqual(await booksOf(bought), { spent: 0, held: 0 });
  assert.equal((await stripe.network.authorize(bought.card, 5_000)).answer, 'approved');
});

test('purchases at once never hold more than the value', async () => {
  const bought = await claimed();
  const answers = await Promise.all(Array.from({ length: 8 }, () => stripe.network.authorize(bought.card, 1_500)));
  assert.equal(answers.filter(({ answer }) => answer === 'approved').length, 3);
  assert.deepEqual(await booksOf(bought), { spent: 0, held: 4_500 });
});

test('what a refund or a won dispute gives back can be spent again, once', async () => {
  const bought = await claimed();
  const { authorization } = await stripe.network.authorize(bought.card, 5_000);
  const capture = stripe.network.capture(authorization, 5_000);
  assert.equal((await stripe.network.authorize(bought.card, 1_000)).answer, 'declined');
  stripe.network.refund(bought.card, 1_000);
  stripe.network.endDispute(stripe.network.dispute(capture, 2_000), 'won');
  await stripe.webhooks.deliver({ copies: 2 });
  await record();
  assert.equal(limitOf(bought), 8_000);
  assert.equal((await stripe.network.authorize(bought.card, 3_001)).answer, 'declined');
  assert.equal((await stripe.network.authorize(bought.card, 3_000)).answer, 'approved');
});

test('Stripe declines what the issuing balance does not pay', async () => {
  const bought = await claimed();
  stripe.account.issuingBalance = 999;
  assert.equal((await stripe.network.authorize(bought.card, 1_000)).answer, 'declined');
  const { deps } = service.service;
  const [row] = await service.sql<{ issuer_id: string; kind: string; settings: string }>('select * from issuers');
  const issuer = await deps.issuers.open(organization.organizationUuid, row ?? null);
  assert.ok(!issuer.isLocal);
  assert.equal((await issuer.fundingBalance(AbortSignal.timeout(HUNG_AFTER_MS)))?.availableCents, 999);
  await issuer.test(AbortSignal.timeout(HUNG_AFTER_MS));
});
