import assert from 'node:assert/strict';
import { test } from 'node:test';
import Fastify from 'fastify';
import { builtInCategories } from '../../../src/core/catalog/built-in.ts';
import { catalogPage } from '../../../src/core/catalog/catalog-page.ts';
import { categoryPage, type ShownCategory } from '../../../src/core/catalog/category-page.ts';
import { catalogPages } from '../../../src/core/catalog/pages.ts';
import { BestowError } from '../../../src/platform/base/errors.ts';
import { readConfig } from '../../../src/platform/configuration/config.ts';
import { assertStrict } from '../../harness/assert-strict.ts';

const categories: ShownCategory[] = builtInCategories.map(({ id, name, description, artwork }) => ({
  category_id: id,
  name,
  description,
  artwork,
  product_details_url: null,
  retired_at: null,
}));

const own: ShownCategory = {
  category_id: 'own',
  name: '<img src=x onerror=1> "Own"',
  description: '</p><script>1</script>',
  artwork: 'https://images.example/own.png',
  product_details_url: 'javascript:alert(1)',
  retired_at: new Date('2026-11-01'),
};

const app = Fastify();
app.setErrorHandler((error, _request, reply) =>
  reply
    .code(error instanceof BestowError ? 404 : 500)
    .send({ code: error instanceof BestowError ? error.code : 'other' }),
);
// A fake statement; catalog.test.ts runs the real one.
const rows = [...categories, own];
catalogPages(app, {
  config: readConfig({ CURRENCY: 'EUR' }),
  database: { shared: { query: async () => ({ rows: rows as never[] }) } },
});

test('artwork is served with a policy against scripts', async () => {
  const { headers, statusCode } = await app.inject('/artwork/coffee.svg');
  assert.equal(statusCode, 200);
  assert.equal(headers['content-type'], 'image/svg+xml');
  assert.equal(headers['content-security-policy'], "default-src 'none'; frame-ancestors 'none'");
});

test('an unknown file or category is resource_missing', async () => {
  for (const url of [
    '/artwork/other.svg',
    '/artwork/..%2Fbuilt-in.ts',
    '/artwork/%00',
    '/catalog/other',
    '/catalog/%00',
    '/catalog/__proto__',
  ])
    assert.deepEqual((await app.inject(url)).json(), { code: 'resource_missing' }, url);
});

test('the grid shows categories on sale; a retired one keeps its page', async () => {
  const grid = (await app.inject('/catalog')).body;
  assertStrict(grid);
  for (const { id } of builtInCategories) assert.match(grid, new RegExp(`href="/catalog/${id}"`));
  assert.doesNotMatch(grid, /\/catalog\/own/);
  const { body, statusCode } = await app.inject('/catalog/own');
  assert.equal(statusCode, 200);
  assert.match(body, /can no longer be ordered/);
});

test('a category’s page shows the amounts in the currency and no expiry', async () => {
  const { body } = await app.inject('/catalog/coffee');
  assertStrict(body);
  assert.match(body, /€10 to €500/);
  assert.match(body, /<dd>Never<\/dd>/);
  assert.match(body, /Who it suits/);
});

test('an operator’s category is escaped, and its link must be a web address', async () => {
  const { body, headers } = await app.inject('/catalog/own');
  assert.doesNotMatch(body, /<script(?! src="\/assets\/portal-link-)|<img src=x|javascript:/);
  assert.match(`${headers['content-security-policy']}`, /img-src 'self' data: https:\/\/images\.example;/);
  const linked = categoryPage({ ...own, product_details_url: 'https://shop.example/a?b=1&c="' }, 'USD');
  assert.match(linked, /href="https:\/\/shop\.example\/a\?b&#61;1&#38;c&#61;&#34;" rel="noopener noreferrer"/);
});

test('shows a wrapped gift without artwork, and a sentence without categories', () => {
  assertStrict(categoryPage({ ...own, name: 'Own', artwork: null, product_details_url: null }, 'USD'));
  assert.match(catalogPage([]), /nothing in the catalog yet/);
});
