import assert from 'node:assert/strict';
import { before, test } from 'node:test';
import { addIssuer } from '../../../src/capabilities/issuers/add-issuer.ts';
import { undoClaim } from '../../../src/core/gifts/claim/undo-claim.ts';
import { decodeId } from '../../../src/platform/base/ids.ts';
import { languageTags } from '../../../src/platform/languages/languages.ts';
import { wordsOf } from '../../../src/platform/languages/words.ts';
import { linkGift } from '../../harness/api-client.ts';
import { isClaimable, namesOn } from '../../harness/offers-page.ts';
import { OPERATOR } from '../../harness/operator.ts';
import { createRecipient } from '../../harness/recipient.ts';
import { ordersOf, tremendousSettings } from '../../harness/tremendous-network.ts';
import { TremendousStage } from '../../harness/tremendous-stage.ts';

// With choice=ours, the recipient chooses a product of Tremendous on our page, and only this product is ordered.

const stage = new TremendousStage({ choice: 'ours' });
before(() => stage.reconcile());

const productsOf = (giftId: string) =>
  ordersOf(stage.tremendous, giftId).map(({ id }) => stage.tremendous.state.requests.get(id)?.reward.products);

test('the page lists what takes the gift’s amount and currency, by name and country', async () => {
  const { link, browser } = await stage.opened();
  const list = async (query = '') => namesOn(await browser.view(link, query));
  assert.deepEqual(await list(), [
    'Corner Café',
    'Beans &#38; Co.',
    'Everything Store',
    'Greengrocer',
    'Film Nights',
    'Virtual Visa',
    'PayPal',
    'Bank transfer',
    'Clean Water Fund',
  ]);
  assert.deepEqual(await list('?search=CAFE'), ['Corner Café']);
  assert.deepEqual(await list('?search=drink%20food'), ['Corner Café', 'Beans &#38; Co.']);
  assert.deepEqual(await list('?country=GB'), ['Film Nights', 'Virtual Visa', 'PayPal']);
  assert.deepEqual(await list('?country=GB&search=film&page=9'), ['Film Nights']);
  assert.match((await browser.view(link, '?search=zzz&country=GB')).text, /Nothing was found[\s\S]*>Show all</);
  const small = await stage.opened(1_000);
  assert.equal(namesOn(await small.browser.view(small.link)).includes('Film Nights'), false);
  assert.doesNotMatch((await browser.view(link, '?search=%22%3E%3Cb%3E')).text, /"><b>/);
});

test('the browser’s region is the first country, if it has offers', async () => {
  const { link } = await stage.opened();
  const view = async (accepted: string) => {
    const headers = { 'accept-language': accepted };
    return namesOn({ text: await (await fetch(`${stage.service.url}/g/${link.slice(-76)}`, { headers })).text() })
      .length;
  };
  assert.deepEqual([await view('en-GB,en;q=0.9'), await view('en-AQ'), await view('en')], [3, 9, 9]);
});

test('the order has the chosen product alone, and Tremendous’s page only hands it over', async () => {
  const gift = await stage.opened();
  const { giftId, link, browser } = gift;
  const page = await browser.view(link, '?offer=FILMNIGHTS01');
  assert.match(page.text, /You get the full \$25\.00\. The sender pays all fees\./);
  assert.match(
    page.text,
    /Film Nights is not a sponsor of this offer\. See the terms \(https:\/\/example\.com\/FILMNIGHTS01\)\./,
  );
  assert.ok(isClaimable(page) && page.text.includes('name="offer" value="FILMNIGHTS01"'));
  assert.equal((await stage.service.sql('select 1 from cards where gift_id = $1', [giftId])).length, 0);
  assert.equal((await browser.press(link, 'claim', { offer: 'FILMNIGHTS01', country: 'GB' })).status, 303);
  assert.deepEqual(productsOf(giftId), [['FILMNIGHTS01']]);
  const handed = await (await fetch(await stage.open(gift))).text();
  assert.deepEqual(
    [...handed.matchAll(/value="(\w+)"/g)].map(([, id]) => id),
    ['FILMNIGHTS01'],
  );
});

const foreign: [string, Record<string, string>, RegExp][] = [
  ['nothing', {}, /Please check your choice/],
  ['what there is not', { offer: 'NOTHING' }, /no longer offered/],
  ['another currency', { offer: 'CORNERCAFEDE' }, /no longer offered/],
  ['too large a product', { offer: 'FILMNIGHTS01' }, /no longer offered/],
  ['a product of another country', { offer: 'EVERYTHINGUS', country: 'GB' }, /no longer offered/],
];

for (const [what, fields, says] of foreign)
  test(`a claim with ${what} is refused, and orders nothing`, async () => {
    const { giftId, link, browser } = await stage.opened(1_000);
    const refused = await browser.press(link, 'claim', fields);
    assert.equal(refused.status, 422);
    assert.match(refused.text, says);
    assert.ok(namesOn(refused).length > 0 && !isClaimable(refused));
    assert.deepEqual(ordersOf(stage.tremendous, giftId), []);
  });

test('a retry orders the same product, and an answer with another one claims nothing', async () => {
  const [lost, lie] = [await stage.opened(), await stage.opened()];
  stage.tremendous.fault = { call: 'POST /orders', when: 'before' };
  await lost.browser.press(lost.link, 'claim', { offer: 'GREENGROCER1' });
  stage.tremendous.fault = undefined;
  assert.doesNotMatch(JSON.stringify(await stage.service.sql('select * from cards')), /GREENGROCER1/);
  await stage.finish(lost.giftId);
  assert.deepEqual(productsOf(lost.giftId), [['GREENGROCER1']]);

  const body = (truth: object) => {
    const { order } = truth as { order: { rewards: [object] } };
    return { order: { ...order, rewards: [{ ...order.rewards[0], products: ['EVERYTHINGUS'] }] } };
  };
  stage.tremendous.fault = { call: 'POST /orders', when: 'after', body };
  await lie.browser.press(lie.link, 'claim', { offer: 'GREENGROCER1' });
  assert.equal((await stage.cardOf(lie.giftId)).state, 'claiming');
  stage.tremendous.fault = undefined;
  await stage.finish(lie.giftId);
  assert.deepEqual(productsOf(lie.giftId), [['GREENGROCER1']]);
});

test('if Tremendous refuses the product, another one can be chosen', async () => {
  const { giftId, link, browser } = await stage.opened();
  stage.tremendous.fault = { call: 'POST /orders', when: 'before', status: 422 };
  const refused = await browser.press(link, 'claim', { offer: 'GREENGROCER1' });
  assert.deepEqual([refused.status, /choose something else/.test(refused.text)], [422, true]);
  stage.tremendous.fault = undefined;
  assert.equal((await browser.press(link, 'claim', { offer: 'PAYPALPAYOUT' })).status, 303);
  assert.deepEqual(productsOf(giftId), [['PAYPALPAYOUT']]);
});

test('a reward that an undone claim left is the gift’s, also if the recipient chooses something else', async () => {
  const gift = await stage.opened();
  const { giftId, link, browser } = gift;
  stage.tremendous.fault = { call: 'POST /orders', when: 'after' };
  await browser.press(link, 'claim', { offer: 'GREENGROCER1' });
  stage.tremendous.fault = { call: 'GET', when: 'before' };
  const scope = { organizationId: stage.organization.organizationUuid, environment: 'live' } as const;
  await undoClaim(stage.service.service.deps, { scope, giftId, actor: OPERATOR });
  stage.tremendous.fault = undefined;
  assert.equal((await browser.press(link, 'claim', { offer: 'PAYPALPAYOUT' })).status, 303);
  assert.deepEqual(productsOf(giftId), [['GREENGROCER1']]);
  assert.match(await (await fetch(await stage.open(gift))).text(), /Greengrocer/);
});

test('without choice=ours the page offers nothing, and the campaign is ordered', async () => {
  for (const settings of [{}, { choice: 'theirs' }]) {
    const { link, browser } = await stage.ofNewIssuer(settings);
    const page = await browser.view(link);
    assert.ok(isClaimable(page) && !/offer/.test(page.text.replaceAll(/<footer[\s\S]*/g, '')));
    assert.equal((await browser.press(link, 'claim', { offer: 'FILMNIGHTS01' })).status, 303);
    const order = [...stage.tremendous.state.requests.values()].at(-1);
    assert.deepEqual([order?.reward.campaign_id, order?.reward.products], ['CAMPALL', undefined]);
  }
});

test('who has chosen a category sees what its own issuer offers', async () => {
  const { service, tremendous } = stage;
  await service.addCategory('any');
  const organization = await service.organization({ live: 10_000_000 });
  const { campaign: _, ...settings } = tremendousSettings(tremendous);
  for (const [categoryId, products] of Object.entries({ coffee: 'BEANSANDCOUS,CORNERCAFEUS', books: 'EVERYTHINGUS' }))
    await addIssuer(service.service.deps, {
      organizationId: organization.organizationUuid,
      categoryId,
      kind: 'tremendous',
      settings: { ...settings, products, choice: 'ours' },
      actor: OPERATOR,
    });
  const { body } = await organization.live.order([{ ...linkGift(2_500), category: 'any' }]);
  const [{ gift_id, delivery }] = body.gifts;
  const browser = createRecipient(service);
  await browser.press(delivery.link, 'open');
  assert.doesNotMatch((await browser.view(delivery.link)).text, /id="offers"/);
  await browser.press(delivery.link, 'choose', { category: 'books' });
  assert.deepEqual(namesOn(await browser.view(delivery.link)).slice(0, 1), ['Everything Store']);
  await browser.press(delivery.link, 'choose', { category: 'coffee' });
  const page = await browser.view(delivery.link);
  assert.deepEqual(namesOn(page).slice(0, 2), ['Beans &#38; Co.', 'Corner Café']);
  const claim = (offer: string) => browser.press(delivery.link, 'claim', { category: 'coffee', offer });
  assert.equal((await claim('EVERYTHINGUS')).status, 422);
  assert.equal((await claim('CORNERCAFEUS')).status, 303);
  assert.deepEqual(productsOf(decodeId('gift', gift_id) ?? ''), [['CORNERCAFEUS']]);
});

test('every language shows the choice in its own words', async () => {
  const { link, browser } = await stage.opened();
  for (const language of languageTags) {
    const { say, amount } = wordsOf(language);
    const list = (await browser.view(link, `?language=${language}`)).text;
    const one = (await browser.view(link, `?language=${language}&offer=VISAPREPAID1`)).text;
    for (const text of [
      say('choose.title'),
      say('offers.everywhere'),
      say('offers.count', { count: 9 }),
      say('offers.charity'),
    ])
      assert.ok(list.includes(text), `${language}: ${text}`);
    for (const text of [
      say('offers.full', { amount: amount(2_500, 'USD') }),
      say('offers.once'),
      say('offers.prepaidCard'),
    ])
      assert.ok(one.includes(text), `${language}: ${text}`);
  }
});
