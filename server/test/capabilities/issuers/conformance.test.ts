import assert from 'node:assert/strict';
import { before, test } from 'node:test';
import { adapters } from '../../../src/capabilities/issuers/adapters.ts';
import { addIssuer } from '../../../src/capabilities/issuers/add-issuer.ts';
import { describeKinds } from '../../../src/capabilities/issuers/describe-kinds.ts';
import { verifyLedger } from '../../../src/capabilities/seals/verify-ledger.ts';
import { findCard } from '../../../src/core/cards/find-card.ts';
import type { ListedCard, RemoteIssuer } from '../../../src/core/issuer/port.ts';
import { decodeId } from '../../../src/platform/base/ids.ts';
import { OperatorError } from '../../../src/platform/base/operator-error.ts';
import { linkGift } from '../../harness/api-client.ts';
import { chooseIssuer } from '../../harness/choose-stripe.ts';
import { issuerFakes } from '../../harness/issuer-fakes.ts';
import { openForFile } from '../../harness/open-for-file.ts';
import { OPERATOR } from '../../harness/operator.ts';
import { createRecipient } from '../../harness/recipient.ts';
import { startTestService, type TestOrganization } from '../../harness/test-service.ts';
import { deliveries } from './scenarios/network.ts';
import { playScenario, scenarios } from './scenarios/play-scenario.ts';

// What every issuer that calls a provider promises, on the fake of the provider (docs/issuers-write.md).

const service = openForFile(() => startTestService());
const signal = () => AbortSignal.timeout(10_000);

test('every kind of issuer is held to its promises', () => {
  // Own codes call no provider (own-codes.test.ts).
  assert.deepEqual([...Object.keys(issuerFakes), 'codes'].sort(), Object.keys(adapters).sort());
});

for (const [kind, { start, cannotPlay }] of Object.entries(issuerFakes)) {
  let organization: TestOrganization;
  let fake: Awaited<ReturnType<typeof start>>;
  let issuer: RemoteIssuer;
  let hooks = '';
  before(async () => {
    organization = await service.organization({ live: 10_000_000 });
    fake = await start(service.clock);
    const chosen = await chooseIssuer(service, organization, kind, fake.settings);
    hooks = chosen.hooks;
    fake.connect(hooks);
    const { deps } = service.service;
    const row = { issuer_id: chosen.issuerId, kind, settings: deps.cipher.encrypt(JSON.stringify(fake.settings)) };
    const opened = await deps.issuers.open(organization.organizationUuid, row);
    assert.ok(!opened.isLocal);
    issuer = opened;
  });

  async function order() {
    const { body } = await organization.live.order([linkGift()]);
    const [{ gift_id, delivery }] = body.gifts;
    const browser = createRecipient(service);
    const claim = () => browser.press(delivery.link, 'claim', fake.form);
    return { giftId: decodeId('gift', gift_id) ?? '', link: delivery.link as string, browser, claim };
  }

  async function claimed() {
    const gift = await order();
    assert.equal((await gift.claim()).status, 303);
    const scope = { organizationId: organization.organizationUuid, environment: 'live' } as const;
    const card = await findCard(service.service.deps, scope, gift.giftId);
    assert.ok(card?.issued?.providerId != null);
    return {
      ...gift,
      card,
      atIssuer: { ...scope, giftId: gift.giftId, providerId: card.issued.providerId, valueCents: 2_500 },
    };
  }

  async function listed(giftId: string): Promise<ListedCard[]> {
    const cards: ListedCard[] = [];
    for await (const card of issuer.listCards(new Date(service.clock.now() - 86_400_000), signal()))
      if (card.giftId === giftId) cards.push(card);
    return cards;
  }

  for (const scenario of scenarios.filter((one) => cannotPlay?.(one) !== true))
    test(`${kind} plays: ${scenario.name}`, async () => {
      const stage = { service, organization, form: fake.form, network: (giftId: string) => fake.network(giftId) };
      for (const delivery of deliveries) await playScenario(stage, scenario, delivery);
    });

  test(`${kind} makes one card for a gift that is claimed three times at once`, async () => {
    const { giftId, claim } = await order();
    await Promise.all([claim(), claim(), claim()]);
    assert.equal(fake.cardsOf(giftId).length, 1);
  });

  test(`${kind} lists a card until it is ended, and ends it once and for good`, async () => {
    const { giftId, atIssuer } = await claimed();
    const expected = { providerId: atIssuer.providerId, giftId };
    assert.deepEqual(await listed(giftId), [{ ...expected, isOpen: true }]);
    assert.equal(await issuer.close(atIssuer, signal()), true);
    assert.equal(await issuer.close(atIssuer, signal()), true);
    assert.deepEqual(
      (await listed(giftId)).filter(({ isOpen }) => isOpen),
      [],
    );
  });

  test(`${kind} shows nothing secret before the holder asks, and only to the holder`, async () => {
    const { card, link } = await claimed();
    const shown = { ...(await issuer.present(card, false)) };
    assert.deepEqual(
      Object.entries(shown).filter(
        ([name, value]) => ['url', 'details', 'codes', 'elements'].includes(name) && value !== undefined,
      ),
      [],
    );
    assert.match((await createRecipient(service).press(link, 'reveal')).text, /Is this your gift\?/);
  });

  test(`${kind} makes no card for a call that ended before it began`, async () => {
    const { giftId } = await order();
    const ended = AbortSignal.abort();
    const request = {
      organizationId: organization.organizationUuid,
      environment: 'live' as const,
      giftId,
      cardId: giftId,
      categoryId: 'coffee',
      valueCents: 2_500,
      currency: 'USD',
      idempotencyKey: 'gift_ended-1',
      entered: {
        fields: fake.form,
        acceptance: { termsVersion: '1', at: new Date(service.clock.now()).toISOString(), address: '', userAgent: '' },
      },
      giftCreatedAt: new Date(service.clock.now()),
      language: undefined,
      restoredTo: undefined,
    };
    await assert.rejects(issuer.issue(request, ended));
    assert.deepEqual(fake.cardsOf(giftId), []);
  });

  test(`${kind} believes no event that its provider did not sign`, async () => {
    const body = JSON.stringify({ id: 'evt_1', uuid: 'one', type: 'issuing_card.updated' });
    assert.equal((await fetch(`${hooks}/events`, { method: 'POST', body })).status, 401);
  });

  test(`${kind} explains each setting, and names one that is missing`, async () => {
    const adapter = adapters[kind];
    assert.ok(adapter);
    const help = describeKinds(kind);
    const { organizationUuid: organizationId } = await service.organization();
    for (const [name, { isOptional, meaning }] of Object.entries(adapter.settings)) {
      assert.ok(help.includes(meaning));
      if (isOptional) continue;
      const { [name]: _left, ...rest } = fake.settings;
      const adding = addIssuer(service.service.deps, { organizationId, kind, settings: rest, actor: OPERATOR });
      await assert.rejects(adding, new RegExp(`The setting ${name} is missing`));
    }
  });

  test(`${kind} says in words that its key is refused or it is down, without the key`, async () => {
    await issuer.test(signal());
    await assert.doesNotReject(issuer.fundingBalance(signal()));
    fake.replaceKey();
    const keys = Object.values(fake.settings).filter((value) => value.length > 20);
    const isForPeople = (error: Error) =>
      error instanceof OperatorError && keys.every((key) => !error.message.includes(key));
    await assert.rejects(issuer.test(signal()), isForPeople);
    await fake.close();
    await assert.rejects(issuer.test(signal()), isForPeople);
    assert.deepEqual((await verifyLedger(service.service.deps)).culprits, []);
  });
}
