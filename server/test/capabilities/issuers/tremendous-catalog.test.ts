import assert from 'node:assert/strict';
import { before, test } from 'node:test';
import sharp from 'sharp';
import { addIssuer } from '../../../src/capabilities/issuers/add-issuer.ts';
import { testIssuer } from '../../../src/capabilities/issuers/test-issuer.ts';
import { chooseIssuer } from '../../harness/choose-stripe.ts';
import { isClaimable, namesOn, picturesOn } from '../../harness/offers-page.ts';
import { OPERATOR } from '../../harness/operator.ts';
import { ordersOf, tremendousSettings } from '../../harness/tremendous-network.ts';
import { TremendousStage } from '../../harness/tremendous-stage.ts';

// What Tremendous offers is kept here with its pictures, and read again.

const stage = new TremendousStage({ choice: 'ours' });
before(() => stage.reconcile());

test('pictures are drawn again and served here; the page names no third party', async () => {
  const { link, browser } = await stage.opened();
  const page = await browser.view(link);
  const paths = picturesOn(page);
  assert.equal(paths.length, 9);
  const picture = await fetch(stage.service.url + paths[0]);
  assert.deepEqual(
    [picture.headers.get('content-type'), picture.headers.get('cache-control')],
    ['image/webp', 'public, max-age=31536000, immutable'],
  );
  const { format, width, height } = await sharp(await picture.arrayBuffer()).metadata();
  assert.deepEqual([format, width, height], ['webp', 480, 302]);
  const unknown = `${paths[0]?.slice(0, -37)}${'0'.repeat(32)}.webp`;
  for (const path of [unknown, '/offers/pictures/x/y', `${paths[0]}.png`])
    assert.equal((await fetch(stage.service.url + path)).status, 404, path);
  assert.match(page.headers.get('content-security-policy') ?? '', /img-src 'self' data:;/);
  for (const query of ['', '?offer=VISAPREPAID1']) {
    const { text } = await browser.view(link, query);
    const addresses = [...text.matchAll(/(?:src|href|action)="(https?:[^"]+)"/g)].map(([, address]) => address);
    assert.deepEqual(addresses, []);
    assert.ok(!text.includes(stage.tremendous.url));
    assert.ok(text.length < 30_000, `${text.length} letters`);
  }
});

test('of the countries that the operator allows, only their products are offered', async () => {
  const organization = await stage.service.organization();
  const settings = { ...tremendousSettings(stage.tremendous), choice: 'ours', countries: 'DE,GB' };
  await chooseIssuer(stage.service, organization, 'tremendous', settings);
  const { link, browser } = await stage.order(2_500, organization);
  await browser.press(link, 'open');
  const { text } = await browser.view(link);
  const options = [...text.matchAll(/<option value="([A-Z]*)"/g)].map(([, code]) => code);
  assert.deepEqual(options.sort(), ['', 'DE', 'GB']);
  assert.doesNotMatch(text, /Greengrocer/);
});

test('a broken picture, or one of another host, leaves the offer and the others', async () => {
  const { products } = stage.tremendous.state;
  const imagesOf = (id: string) => products.get(id)?.images ?? [];
  const before = ['GREENGROCER1', 'FILMNIGHTS01'].map((id) => structuredClone(imagesOf(id)));
  imagesOf('GREENGROCER1').splice(0, 2, { src: `${stage.tremendous.url}/rewards/payout/x`, type: 'card' });
  imagesOf('FILMNIGHTS01').splice(0, 2, { src: `${stage.service.url}/touch-icon.png`, type: 'card' });
  await stage.reconcile();
  const { link, browser } = await stage.opened();
  const page = await browser.view(link);
  assert.deepEqual([namesOn(page).length, picturesOn(page).length], [9, 7]);
  imagesOf('GREENGROCER1').splice(0, 1, ...(before[0] ?? []));
  imagesOf('FILMNIGHTS01').splice(0, 1, ...(before[1] ?? []));
  await stage.reconcile();
  assert.equal(picturesOn(await browser.view(link)).length, 9);
});

test('what Tremendous writes is shown as text, and never as HTML', async () => {
  const product = stage.tremendous.state.products.get('CHARITYWATER');
  assert.ok(product);
  const { description, disclosure } = product;
  product.description =
    '<img src=x onerror=alert(1)><script>alert(2)</script>Clean&nbsp;water &lt;b&gt;now&lt;/b&gt;\0';
  product.disclosure =
    '<ul><li>One</li><li>Two &amp; three</li></ul><p>See <a href="javascript:alert(3)">this</a>.</p>';
  await stage.reconcile();
  const { link, browser } = await stage.opened();
  const { text } = await browser.view(link, '?offer=CHARITYWATER');
  assert.match(text, /dir="auto">Clean\u00a0water &#60;b&#62;now&#60;\/b&#62;\ufffd<\/p>/);
  assert.match(text, /• One\n• Two &#38; three\nSee this\.<\/p>/);
  assert.doesNotMatch(text, /alert/);
  Object.assign(product, { description, disclosure });
});

test('of a field of Tremendous at most 20 kB are read, and its links are followed by their addresses', async () => {
  const product = stage.tremendous.state.products.get('CHARITYWATER');
  assert.ok(product);
  const { disclosure } = product;
  product.disclosure =
    `<a class=x href='https://a.example/' href="https://b.example/">Terms</a> <a name="x">top</a> ` +
    `<a href="https:x" ${'href="https:x" '.repeat(13_000)}`;
  await stage.reconcile();
  const { link, browser } = await stage.opened();
  const { text } = await browser.view(link, '?offer=CHARITYWATER');
  assert.match(text, /Terms \(https:\/\/a\.example\/\) top/);
  const [row] = await stage.service.sql<{ length: number }>(
    `select length(terms) from tremendous_products where product_id = 'CHARITYWATER'`,
  );
  assert.ok((row?.length ?? 0) > 10_000 && (row?.length ?? 0) <= 20_000, JSON.stringify(row));
  product.disclosure = disclosure;
});

test('the test of an issuer tells that nothing can be chosen', async () => {
  const { campaign: _, ...settings } = tremendousSettings(stage.tremendous);
  const { service } = stage;
  const added = await addIssuer(service.service.deps, {
    organizationId: (await service.organization()).organizationUuid,
    kind: 'tremendous',
    settings: { ...settings, products: 'CORNERCAFEDE', choice: 'ours' },
    actor: OPERATOR,
  });
  await assert.rejects(testIssuer(service.service.deps, added), /none of these products in USD: nothing can be chosen/);
});

/** So that an event counts as news. */
const readLongAgo = () => stage.service.sql(`update tremendous_products set read_at = read_at - interval '1 hour'`);

test('what is added or removed at Tremendous is so here, after its webhook', async () => {
  const { link, browser, giftId } = await stage.opened();
  const { network, state } = stage.tremendous;
  const removed = state.products.get('BEANSANDCOUS');
  assert.ok(removed);
  await readLongAgo();
  network.removeProduct('BEANSANDCOUS');
  await stage.deliver(2);
  assert.equal(namesOn(await browser.view(link)).includes('Beans &#38; Co.'), false);
  const gone = await browser.view(link, '?offer=BEANSANDCOUS');
  assert.deepEqual([/no longer offered/.test(gone.text), isClaimable(gone)], [true, false]);
  assert.equal((await browser.press(link, 'claim', { offer: 'BEANSANDCOUS' })).status, 422);
  assert.deepEqual(ordersOf(stage.tremendous, giftId), []);
  await readLongAgo();
  network.addProduct({ ...removed, name: 'Beans <b>&amp;</b> Co.' });
  await stage.deliver();
  assert.equal(namesOn(await browser.view(link)).includes('Beans &#38; Co.'), true);
});

test('while the catalog is down or empty, the gift is safe and can be claimed later', async () => {
  stage.tremendous.fault = { call: 'GET /products', when: 'before' };
  const { link, browser } = await stage.ofNewIssuer({ choice: 'ours' });
  const down = await browser.view(link);
  assert.deepEqual([down.status, /nothing to choose at the moment\. Your gift is safe/.test(down.text)], [200, true]);
  assert.ok(!isClaimable(down));
  assert.equal((await browser.press(link, 'claim', { offer: 'PAYPALPAYOUT' })).status, 422);
  stage.tremendous.fault = undefined;
  const { campaigns } = stage.tremendous.state;
  const all = campaigns.get('CAMPALL');
  assert.ok(all);
  campaigns.set('CAMPALL', { ...all, products: [] });
  await stage.service.clock.jump(61_000);
  assert.match((await browser.view(link)).text, /nothing to choose at the moment/);
  campaigns.set('CAMPALL', all);
  await stage.service.clock.jump(61_000);
  assert.equal(namesOn(await browser.view(link)).length, 9);
  assert.equal((await browser.press(link, 'claim', { offer: 'PAYPALPAYOUT' })).status, 303);
});
