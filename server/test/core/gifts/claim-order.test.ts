import assert from 'node:assert/strict';
import { test } from 'node:test';
import { cancelGift } from '../../../src/core/gifts/cancel/cancel-gift.ts';
import { finishClaimLater } from '../../../src/core/gifts/claim/finish-claim.ts';
import { holdGift } from '../../../src/core/gifts/hold/hold-gift.ts';
import { replaceLink } from '../../../src/core/gifts/send/send-again.ts';
import { admitted } from '../../../src/platform/authentication/caller.ts';
import { decodeId } from '../../../src/platform/base/ids.ts';
import { assertError, linkGift } from '../../harness/api-client.ts';
import { chooseFake, type FakeProvider } from '../../harness/fake-issuer.ts';
import { openForFile } from '../../harness/open-for-file.ts';
import { OPERATOR } from '../../harness/operator.ts';
import { createRecipient, type Recipient } from '../../harness/recipient.ts';
import { openLink, startTestService, type TestOrganization } from '../../harness/test-service.ts';

// A card that works always has a claimed gift, and a claimed gift has a card, wherever a claim is interrupted.

const service = openForFile(() => startTestService());

interface Bought {
  organization: TestOrganization;
  provider: FakeProvider;
  giftId: string;
  orderId: string;
  uuid: string;
  link: string;
  scope: { organizationId: string; environment: 'live' };
}

async function buy(): Promise<Bought> {
  const organization = await service.organization();
  const provider = await chooseFake([service], organization);
  const { body } = await organization.live.order([linkGift()]);
  const [{ gift_id: giftId, delivery }] = body.gifts;
  const scope = { organizationId: organization.organizationUuid, environment: 'live' } as const;
  return {
    organization,
    provider,
    giftId,
    orderId: body.order_id,
    uuid: decodeId('gift', giftId) ?? '',
    link: delivery.link,
    scope,
  };
}

const press = (link: string, act: string, body?: URLSearchParams) =>
  fetch(`${service.url}/g/${link.slice(-76)}/${act}`, { method: 'POST', redirect: 'manual', ...(body && { body }) });

/** The card's and the gift's state, as the provider and the database have them. */
async function stateOf({ provider, uuid }: Bought) {
  const [row] = await service.sql<{ claimed_at: Date | null; claiming_at: Date | null; state: string | null }>(
    'select g.claimed_at, g.claiming_at, k.state from gifts g left join cards k using (gift_id) where g.gift_id = $1',
    [uuid],
  );
  assert.ok(row);
  return {
    cards: [...provider.cards.values()].map(({ state }) => state),
    gift: row.claimed_at !== null ? 'claimed' : row.claiming_at !== null ? 'claiming' : 'unclaimed',
    card: row.state,
  };
}

const FINISHED = { cards: ['active'], gift: 'claimed', card: 'active' };

test('a claim creates one inactive card, claims the gift, then activates the card', async () => {
  const bought = await buy();
  const seen: unknown[] = [];
  bought.provider.before = async (call) => void seen.push([call, await stateOf(bought)]);
  assert.equal((await press(bought.link, 'claim')).status, 303);
  assert.deepEqual(seen, [
    ['issue', { cards: [], gift: 'claiming', card: 'claiming' }],
    ['activate', { cards: ['inactive'], gift: 'claimed', card: 'inactive' }],
  ]);
  assert.deepEqual(await stateOf(bought), FINISHED);
  const { body } = await bought.organization.live.get(`/v1/gifts/${bought.giftId}`);
  assert.equal(body.delivery.status, 'claimed');
  const types = await service.sql('select type from events where gift_id = $1 order by sequence', [bought.uuid]);
  assert.deepEqual(
    types.map(({ type }) => type),
    ['gift.opened', 'gift.claimed'],
  );
});

for (const [when, call] of [
  ['before', 'issue'],
  ['after', 'issue'],
  ['before', 'activate'],
  ['after', 'activate'],
] as const)
  test(`a crash ${when} ${call} is finished by the job with the same card`, async () => {
    const bought = await buy();
    bought.provider[when] = (current) => {
      if (current === call) throw new Error('The process was killed.');
    };
    assert.equal((await press(bought.link, 'claim')).status, 303);
    const { cards, gift } = await stateOf(bought);
    assert.ok(!cards.includes('active') || gift === 'claimed');
    const page = (await openLink(service, bought.link)).text;
    assert.match(page, /<meta http-equiv="refresh" content="3; url=[\w.-]+">/);
    assert.match(page, /Your gift is on its way/);
    bought.provider[when] = () => undefined;
    await service.clock.advance(11_000);
    assert.deepEqual(await stateOf(bought), FINISHED);
    assert.ok((await openLink(service, bought.link)).text.includes('Show number'));
  });

test('the PIN of a claim that a job finishes shows the card; that of a refused claim never does', async () => {
  const bought = await buy();
  const [refused, claimer, other] = [1, 2, 3].map(() => createRecipient(service)) as [Recipient, Recipient, Recipient];
  bought.provider.outcome = { state: 'refused', reason: 'The issuer does not know this name.' };
  assert.equal((await refused.press(bought.link, 'claim', { digits: '111111' })).status, 422);
  bought.provider.outcome = undefined;
  bought.provider.before = () => Promise.reject(new Error('The provider is down.'));
  assert.equal((await claimer.press(bought.link, 'claim', { digits: '483926' })).status, 303);
  bought.provider.before = () => undefined;
  await service.clock.advance(11_000);
  assert.deepEqual(await stateOf(bought), FINISHED);
  assert.match((await claimer.view(bought.link)).text, /with your PIN\./);
  assert.equal((await refused.press(bought.link, 'prove', { digits: '111111' })).status, 422);
  assert.equal((await other.press(bought.link, 'prove', { digits: '483926' })).status, 200);
});

test('nothing else changes a gift while it is claiming', async () => {
  const bought = await buy();
  const { deps } = service.service;
  bought.provider.before = () => Promise.reject(new Error('The provider is down.'));
  await press(bought.link, 'claim');
  const caller = admitted(bought.scope);
  const locked = { code: 'resource_locked' };
  await assert.rejects(cancelGift(deps, caller, { giftId: bought.uuid, reason: undefined, actor: OPERATOR }), locked);
  assertError(await bought.organization.live.post(`/v1/orders/${bought.orderId}/cancel`), 'resource_locked');
  await assert.rejects(holdGift(deps, { scope: bought.scope, giftId: bought.uuid, actor: OPERATOR }), locked);
  await assert.rejects(replaceLink(deps, caller, { giftId: bought.uuid, actor: OPERATOR }), locked);
  const redirect = { method: 'email', email: 'pat@example.com' };
  assert.equal((await bought.organization.live.put(`/v1/gifts/${bought.giftId}/delivery`, redirect)).status, 422);
  assert.equal((await stateOf(bought)).gift, 'claiming');
});

test('a refusal makes the gift claimable again, under another key', async () => {
  const bought = await buy();
  bought.provider.outcome = { state: 'refused', reason: 'The issuer does not know this name.' };
  const refused = await press(bought.link, 'claim');
  assert.equal(refused.status, 422);
  assert.match(await refused.text(), /role="alert">The issuer does not know this name\./);
  assert.deepEqual(await stateOf(bought), { cards: [], gift: 'unclaimed', card: 'refused' });
  bought.provider.outcome = undefined;
  assert.equal((await press(bought.link, 'claim')).status, 303);
  assert.deepEqual(await stateOf(bought), FINISHED);
  assert.deepEqual([...bought.provider.cards.keys()], [`fake_${bought.giftId}-2`]);
});

test('twenty claims and jobs at once make one card', async () => {
  const bought = await buy();
  const { deps } = service.service;
  const claims = Array.from({ length: 20 }, () => press(bought.link, 'claim'));
  await Promise.all([...claims, ...[1, 2, 3].map(() => finishClaimLater(deps, bought.scope, bought.uuid))]);
  await service.clock.advance(11_000);
  assert.deepEqual(await stateOf(bought), FINISHED);
});

test('a card that a later round no longer needs is closed', async () => {
  const bought = await buy();
  const { deps } = service.service;
  // The first round is over while its answer is under way, and a second began.
  bought.provider.after = async (call) => {
    bought.provider.after = () => undefined;
    if (call === 'issue') await service.sql('update cards set round = 2 where gift_id = $1', [bought.uuid]);
  };
  await press(bought.link, 'claim');
  await finishClaimLater(deps, bought.scope, bought.uuid);
  assert.deepEqual(await stateOf(bought), { cards: ['closed', 'active'], gift: 'claimed', card: 'active' });
});

test('an issuer that needs more time is asked again', async () => {
  const bought = await buy();
  bought.provider.outcome = { state: 'pending' };
  assert.equal((await press(bought.link, 'claim')).status, 303);
  assert.equal((await stateOf(bought)).gift, 'claiming');
  bought.provider.outcome = undefined;
  await service.clock.advance(11_000);
  assert.deepEqual(await stateOf(bought), FINISHED);
});

test('the sandbox never asks the chosen issuer', async () => {
  const bought = await buy();
  const { body } = await bought.organization.sandbox.order([linkGift()]);
  assert.equal((await press(body.gifts[0].delivery.link, 'claim')).status, 303);
  assert.equal(bought.provider.cards.size, 0);
});

test('the form asks for what the issuer needs, and keeps what was typed', async () => {
  const bought = await buy();
  bought.provider.requirements = {
    schema: {
      type: 'object',
      properties: {
        name: {
          type: 'string',
          title: 'Name',
          maxLength: 24,
          pattern: "[\\p{Script=Latin} '-]+",
          'x-autocomplete': 'name',
        },
        country: { type: 'string', title: 'Country', enum: ['US', 'CA'], 'x-labels': ['United States', 'Canada'] },
      },
      required: ['name', 'country'],
    },
    terms: { version: '2026-11', text: 'I accept the card terms.', url: 'https://fake.example/terms' },
  };
  await press(bought.link, 'open');
  const form = (await openLink(service, bought.link)).text;
  assert.match(form, /<input id="name" name="name" autocomplete="name" required type="text"/);
  const wrong = await press(bought.link, 'claim', new URLSearchParams({ name: 'R2D2', country: 'US' }));
  const text = await wrong.text();
  assert.equal(wrong.status, 422);
  assert.match(text, /value="R2D2"/);
  assert.match(text, /id="name-error">Name: please check this\./);
  assert.match(text, /id="terms-error">Please accept the terms\./);
  assert.equal((await stateOf(bought)).gift, 'unclaimed');
  const right = { name: 'Ada Lovelace', country: 'US', terms: '2026-11' };
  assert.equal((await press(bought.link, 'claim', new URLSearchParams(right))).status, 303);
  const [card] = bought.provider.cards.values();
  assert.deepEqual(card?.request.entered.fields, { name: 'Ada Lovelace', country: 'US' });
  assert.equal(card?.request.entered.acceptance?.termsVersion, '2026-11');
  const [stored] = await service.sql('select entered, terms_version from cards where gift_id = $1', [bought.uuid]);
  assert.deepEqual(stored, { entered: null, terms_version: '2026-11' });
});

test('in production, a live claim onto a simulated card is refused unless allowed', async () => {
  const organization = await service.organization();
  const { body } = await organization.live.order([linkGift()]);
  const link = body.gifts[0].delivery.link;
  const { deps } = service.service;
  const { config } = deps;
  try {
    deps.config = { ...config, allowsSimulatedLive: false };
    const refused = await press(link, 'claim');
    assert.equal(refused.status, 503);
    assert.match(await refused.text(), /role="alert">Gifts cannot be claimed yet.*Your gift is safe/);
    deps.config = { ...config, allowsSimulatedLive: true };
    assert.equal((await press(link, 'claim')).status, 303);
    assert.match((await openLink(service, link)).text, /This gift buys nothing\./);
  } finally {
    deps.config = config;
  }
});
