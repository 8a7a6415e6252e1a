import assert from 'node:assert/strict';
import { before, test } from 'node:test';
import { setImmediate } from 'node:timers/promises';
import { Client } from 'pg';
import { decodeId, encodeId } from '../../../src/platform/base/ids.ts';
import { linkGift } from '../../harness/api-client.ts';
import { chooseFake, sign } from '../../harness/fake-issuer.ts';
import { openForFile } from '../../harness/open-for-file.ts';
import { startTestService, type TestOrganization, type TestService } from '../../harness/test-service.ts';

// Purchases that wait for an answer, and webhook events, as providers send them.

const service = openForFile(() => startTestService());

let other: TestService;
let organization: TestOrganization;
let hooks: string;
before(async () => {
  other = await service.second();
  organization = await service.organization();
  const { issuerId } = await chooseFake([service, other], organization);
  hooks = `/hooks/issuers/${organization.organizationId}/${encodeId('iss', issuerId)}`;
});

/** Claims a gift of 50 dollars. @returns the provider's id of its card, and the gift's UUID */
async function claim(): Promise<{ providerId: string; giftId: string }> {
  const { body } = await organization.live.order([linkGift(5000)]);
  const [{ gift_id, delivery }] = body.gifts;
  await fetch(`${service.url}/g/${delivery.link.slice(-76)}/claim`, { method: 'POST', redirect: 'manual' });
  return { providerId: `fake_${gift_id}-1`, giftId: decodeId('gift', gift_id) ?? '' };
}

const post = (at: TestService, path: string, body: string, signature = sign(body)) =>
  fetch(`${at.url}${hooks}/${path}`, { method: 'POST', headers: { 'fake-signature': signature }, body });

async function ask(
  at: TestService,
  providerId: string,
  authorizationId: string,
  amountCents: number,
  merchant = 'Shop',
): Promise<boolean> {
  const holdId = `hold ${authorizationId}`;
  const asked = {
    authorizationId,
    holdId,
    providerId,
    amountCents,
    merchant,
    at: new Date(service.clock.now()),
  };
  return ((await (await post(at, 'authorizations', JSON.stringify(asked))).json()) as { approved: boolean }).approved;
}

const refund = (providerId: string, merchant = 'Shop') =>
  JSON.stringify({
    eventId: `evt_${providerId}`,
    facts: [
      {
        kind: 'captured',
        factId: 'capture',
        providerId,
        at: new Date(service.clock.now()),
        holdId: null,
        amountCents: 1200,
        merchant,
        isFinal: true,
      },
    ],
  });

test('forty purchases at once on two processes never exceed the value', async () => {
  const { providerId } = await claim();
  const asked = Array.from({ length: 40 }, (_, n) => ask(n % 2 ? service : other, providerId, `race${n}`, 1000));
  assert.equal((await Promise.all(asked)).filter((isApproved) => isApproved).length, 5);
});

test('an issuer that replaced another one answers for the cards of both', async () => {
  const { providerId, giftId } = await claim();
  await service.sql('update issuers set removed_at = $1', [new Date(service.clock.now())]);
  const earlier = hooks;
  const { issuerId } = await chooseFake([service, other], organization);
  hooks = `/hooks/issuers/${organization.organizationId}/${encodeId('iss', issuerId)}`;
  assert.equal(await ask(service, providerId, 'replaced', 3000), true);
  assert.equal((await post(service, 'events', refund(providerId))).status, 200);
  await service.clock.advance(2_000);
  const [gift] = await service.sql('select spent_cents from gifts where gift_id = $1', [giftId]);
  assert.deepEqual(gift, { spent_cents: 1200 });
  const stranger = await service.organization();
  const { issuerId: foreign } = await chooseFake([service, other], stranger);
  hooks = `/hooks/issuers/${stranger.organizationId}/${encodeId('iss', foreign)}`;
  assert.equal(await ask(service, providerId, 'foreign', 100), false, 'not of another organization');
  hooks = earlier;
});

test('a question asked twenty times at once holds its amount once', async () => {
  const { providerId, giftId } = await claim();
  const asked = Array.from({ length: 20 }, (_, n) => ask(n % 2 ? service : other, providerId, 'same', 3000));
  assert.deepEqual(new Set(await Promise.all(asked)), new Set([true]));
  const [row] = await service.sql('select held_cents from cards where gift_id = $1', [giftId]);
  assert.equal(Number(row?.['held_cents']), 3000);
});

test('a card that is locked for long declines', async () => {
  const { providerId, giftId } = await claim();
  const holder = new Client(service.target);
  await holder.connect();
  try {
    await holder.query('begin');
    await holder.query('select from cards where gift_id = $1 for update', [giftId]);
    assert.equal(await ask(service, providerId, 'locked', 1000), false);
  } finally {
    await holder.end();
  }
  assert.equal(await ask(service, providerId, 'free', 1000), true);
});

test('a shop whose name has NUL or half a character is bought at and recorded', async () => {
  const { providerId, giftId } = await claim();
  assert.equal(await ask(service, providerId, 'odd', 1000, 'S\0hop\ud800'), true);
  assert.equal((await post(service, 'events', refund(providerId, 'S\0hop\ud800'))).status, 200);
  await service.clock.advance(2_000);
  const facts = await service.sql('select merchant from card_facts where gift_id = $1', [giftId]);
  assert.deepEqual(facts, [{ merchant: 'S�hop�' }, { merchant: 'S�hop�' }]);
});

test('a gift on hold declines, and an unknown card', async () => {
  const { providerId, giftId } = await claim();
  await service.sql('update gifts set held_at = $2 where gift_id = $1', [giftId, new Date(service.clock.now())]);
  assert.equal(await ask(service, providerId, 'held', 1000), false);
  assert.equal(await ask(service, 'fake_unknown', 'unknown', 1000), false);
});

test('a forged call is refused and changes nothing', async () => {
  const { providerId, giftId } = await claim();
  const event = refund(providerId);
  assert.equal((await post(service, 'events', event, 'forged')).status, 401);
  const asked = { authorizationId: 'f', holdId: 'f', providerId, amountCents: 1, merchant: 'Shop', at: new Date(0) };
  assert.equal((await post(service, 'authorizations', JSON.stringify(asked), 'forged')).status, 401);
  const [kept] = await service.sql('select count(*)::integer as facts from card_facts where gift_id = $1', [giftId]);
  assert.deepEqual(kept, { facts: 0 });
});

test('an event is kept at once, and its job records it once however often it comes', async () => {
  const { providerId, giftId } = await claim();
  const event = refund(providerId);
  const answers = await Promise.all([service, other, service].map((at) => post(at, 'events', event)));
  assert.deepEqual(
    answers.map(({ status }) => status),
    [200, 200, 200],
  );
  await service.clock.advance(2_000);
  const [gift] = await service.sql('select spent_cents from gifts where gift_id = $1', [giftId]);
  assert.deepEqual(gift, { spent_cents: 1200 });
  const spent = await service.sql(`select data from events where gift_id = $1 and type = 'gift.spent'`, [giftId]);
  assert.deepEqual(spent, [{ data: { purchase: { amount: 1200, amount_left: 3800 } } }]);
});

test('a purchase does not wait behind changes of a locked gift', async () => {
  const { providerId } = await claim();
  const { body } = await organization.live.order([linkGift()]);
  const [{ gift_id, delivery }] = body.gifts;
  const locker = new Client(service.target);
  await locker.connect();
  try {
    await locker.query('begin');
    await locker.query('select from gifts where gift_id = $1 for update', [decodeId('gift', gift_id)]);
    const link = `${service.url}/g/${delivery.link.slice(-76)}/open`;
    const changes = Array.from({ length: 40 }, () => fetch(link, { method: 'POST', redirect: 'manual' }));
    const waiting = () => service.sql(`select from pg_stat_activity where wait_event_type = 'Lock'`);
    while ((await waiting()).length < 6) await setImmediate();
    assert.equal(await ask(service, providerId, 'beside changes', 100), true);
    await locker.query('rollback');
    await Promise.all(changes);
  } finally {
    await locker.end();
  }
});
