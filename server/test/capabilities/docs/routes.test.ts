import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';
import { gunzipSync, gzipSync } from 'node:zlib';
import Fastify from 'fastify';
import { resources } from '../../../src/capabilities/docs/api-description.ts';
import type { ReferenceDocument } from '../../../src/capabilities/docs/reference-document.ts';
import { resourcePath } from '../../../src/capabilities/docs/reference-path.ts';
import { docsRoutes } from '../../../src/capabilities/docs/routes.ts';
import { testConfig } from '../../harness/test-service.ts';

const described: ReferenceDocument = JSON.parse(
  readFileSync(new URL('../../../../openapi.json', import.meta.url), 'utf8'),
);
const operations = [described.paths, described.webhooks].flatMap((paths) =>
  Object.entries(paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, operation]) => ({ path, method: method.toUpperCase(), operation })),
  ),
);
const names = Object.keys(described.components.schemas);

const app = Fastify();
docsRoutes(app, { publicUrl: () => 'https://gifts.example/shop', config: testConfig() }, () => described);
const get = async (path: string) => (await app.inject(path)).body;
const overview = await get('/docs/api');
/** The page of each resource, by its path. */
const pages = new Map<string, string>();
for (const name of resources) pages.set(resourcePath(name), await get(resourcePath(name)));

const asText = (html: string) =>
  html
    .replaceAll(/<[^>]+>/g, '')
    .replaceAll(/&#(\d+);/g, (_, code) => String.fromCodePoint(Number(code)))
    .replaceAll('&amp;', '&')
    .replaceAll('&lt;', '<')
    .replaceAll('&gt;', '>');
const idsOf = (body: string) => [...body.matchAll(/ id="([^"]+)"/g)].map(([, id]) => `${id}`);
/** The paths of the pages that an operation or an object is on. */
const pagesOf = (id: string) => [...pages.keys()].filter((path) => idsOf(pages.get(path) ?? '').includes(id));
/** The part of an operation, between its anchor and the next. */
const partOf = (id: string) =>
  pages
    .get(pagesOf(id)[0] ?? '')
    ?.split(`<h2 id="${id}"`)[1]
    ?.split(/<h2 id=/)[0] ?? assert.fail(id);

test('the API reference has the policy of the other pages and is known by its etag', async () => {
  for (const url of ['/docs/api', ...pages.keys()]) {
    const { statusCode, headers } = await app.inject(url);
    assert.equal(statusCode, 200, url);
    assert.match(`${headers['content-security-policy']}`, /style-src 'self'; .*script-src 'self'$/);
    const again = await app.inject({ url, headers: { 'if-none-match': `${headers.etag}` } });
    assert.equal(again.statusCode, 304);
  }
});

test('pages, their stylesheets and scripts are sent compressed to clients that accept it', async () => {
  const [, style = ''] = /href="(\/docs\/assets\/[^"]+)"/.exec(overview) ?? [];
  const [, script = ''] = /src="(\/docs\/assets\/[^"]+)"/.exec(overview) ?? [];
  for (const url of ['/docs/api', '/docs/api/orders', '/docs/errors', style, script]) {
    const ask = (encoding: string, more = {}) => app.inject({ url, headers: { 'accept-encoding': encoding, ...more } });
    const small = await ask('br, gzip;q=0.8');
    assert.deepEqual([small.headers['content-encoding'], small.headers['vary']], ['gzip', 'Accept-Encoding'], url);
    const whole = await ask('br, gzip;q=0.0');
    assert.equal(whole.headers['content-encoding'], undefined);
    assert.equal(gunzipSync(small.rawPayload).toString(), whole.body);
    const again = await ask('gzip', { 'if-none-match': `${small.headers.etag}` });
    assert.deepEqual([again.statusCode, again.headers['content-encoding'], again.body], [304, undefined, '']);
  }
});

test('each operation is on exactly one page, which its old address leads to', () => {
  assert.ok(operations.length > 30);
  for (const { operation } of operations) {
    const { operationId, tags } = operation;
    const [path, ...others] = pagesOf(operationId);
    const [tag] = operationId === 'webhookEvent' ? ['Webhooks'] : tags;
    assert.equal(path, `/docs/api/${tag?.toLowerCase()}`);
    assert.deepEqual(others, []);
    assert.match(overview, new RegExp(`<li id="${operationId}"><a href="${path}#${operationId}">`));
  }
});

test('each object of an answer is on exactly one page, which its old address leads to', () => {
  const objects = names.filter((name) => pagesOf(name).length > 0);
  assert.ok(objects.length > 25, `${objects.length}`);
  for (const name of objects) {
    const [path, ...others] = pagesOf(name);
    assert.deepEqual(others, [], name);
    assert.match(overview, new RegExp(`<li id="${name}"><a href="${path}#${name}">`));
  }
  const homes = ['Order', 'Gift', 'GiftDelivery', 'BalanceEntry', 'Event'].map((name) => pagesOf(name)[0]);
  assert.deepEqual(
    homes,
    ['orders', 'gifts', 'gifts', 'balance', 'events'].map((name) => `/docs/api/${name}`),
  );
  for (const id of ['about-orders', 'about-meta', 'objects']) assert.ok(idsOf(overview).includes(id), id);
});

test('the API reference shows each operation with its parameters, fields and errors', () => {
  for (const { path, method, operation } of operations) {
    const part = partOf(operation.operationId);
    const route = path.startsWith('/') ? path : 'your address';
    assert.ok(asText(part).includes(`${operation.summary}\n${method} ${route}`), path);
    for (const { name } of operation.parameters ?? []) assert.ok(part.includes(`<li><code>${name}</code>`), name);
    const { $ref = '' } = operation.requestBody?.content['application/json'].schema ?? {};
    for (const name of Object.keys(described.components.schemas[$ref.replace(/.*\//, '')]?.properties ?? {}))
      assert.ok(part.includes(`<li><code>${name}</code>`), name);
    for (const code of Object.values(operation['x-errors'] ?? {}).flat())
      assert.ok(part.includes(`href="/docs/errors#${code}"`), code);
  }
});

test('the Markdown has each operation with its samples, parameters and errors, and each object', async () => {
  const texts = new Map<string, string>();
  for (const path of pages.keys()) texts.set(path, await get(`${path}.md`));
  for (const { path, method, operation } of operations) {
    const [page = ''] = pagesOf(operation.operationId);
    const part = texts.get(page)?.split(`\n## ${operation.summary}\n`)[1]?.split('\n## ')[0] ?? assert.fail(page);
    assert.ok(part.includes(`\`${method} ${path.startsWith('/') ? path : 'your address'}\``), path);
    for (const language of path.startsWith('/') ? ['sh', 'ts', 'py'] : [])
      assert.ok(part.includes(`\`\`\`${language}\n`));
    for (const { name } of operation.parameters ?? []) assert.ok(part.includes(`- \`${name}\` `), name);
    for (const code of Object.values(operation['x-errors'] ?? {}).flat())
      assert.ok(part.includes(`\`${code}\`: `), code);
    assert.doesNotMatch(part, /<\/|undefined|&#/);
  }
  for (const name of names.filter((one) => pagesOf(one).length > 0))
    assert.ok(texts.get(pagesOf(name)[0] ?? '')?.includes(`\n### ${name}\n`), name);
  for (const [, target = '', anchor = ''] of [...texts.values()]
    .join('')
    .matchAll(/\]\((\/docs\/api[^)#]*)\.md#([^)]+)\)/g))
    assert.ok(texts.get(target)?.toLowerCase().includes(`\n### ${anchor}\n`), `${target}.md#${anchor}`);
});

test('each link of the API reference to a place in it leads to one', () => {
  let count = 0;
  for (const [path, body] of [['/docs/api', overview] as const, ...pages]) {
    const ids = idsOf(body);
    assert.equal(new Set(ids).size, ids.length, path);
    for (const [, target = '', id = ''] of body.matchAll(/href="(\/docs\/api[^"#]*|)#([^"]+)"/g)) {
      const there = target === '' ? body : (pages.get(target) ?? assert.fail(target));
      assert.ok(idsOf(there).includes(id), `${target}#${id} on ${path}`);
      count += 1;
    }
  }
  assert.ok(count > 300, `${count}`);
});

test('the list of pages names the resources and the page that is open', () => {
  for (const [path, body] of pages) {
    const [, list = ''] = /<nav aria-label="Documentation">(.*?)<\/nav>/s.exec(body) ?? [];
    assert.match(list, new RegExp(`<a href="${path}" aria-current="page">`));
    for (const name of resources) assert.ok(list.includes(`href="${resourcePath(name)}"`), name);
    assert.equal(body.split('aria-current="page"').length - 1, 2, 'in the header and in the list of pages');
  }
});

test('no page of the API reference is heavier than 110 kB, or 12 kB compressed', () => {
  for (const [path, body] of pages) {
    assert.ok(Buffer.byteLength(body) <= 110_000, `${path}: ${Buffer.byteLength(body)}`);
    assert.ok(gzipSync(body).length <= 12_000, `${path}: ${gzipSync(body).length}`);
  }
  assert.ok(Buffer.byteLength(overview) < 30_000);
});

test('an unknown resource is not found, and a slash at the end leads to the page', async () => {
  assert.equal((await app.inject('/docs/api/nothing')).statusCode, 404);
  const { statusCode, headers } = await app.inject('/docs/api/orders/');
  assert.deepEqual([statusCode, headers.location], [308, '../orders']);
});

test('each operation that is called has the same languages as the guides, without a script too', () => {
  for (const { path, operation } of operations.filter(({ path }) => path.startsWith('/'))) {
    const [, group = ''] = /<div class="samples">(.*?)<\/div>/s.exec(partOf(operation.operationId)) ?? [];
    const languages = [...group.matchAll(/data-language="(\w+)"/g)].map(([, language]) => language);
    assert.deepEqual(languages, ['Shell', 'TypeScript', 'Python'], path);
  }
});

test('a field shows its type, its limits and what it means', () => {
  const part = asText(partOf('createOrder'));
  assert.match(part, /gifts list of objects, required, 1 to 10 items\s*The gifts, 1 to 10\./);
  assert.match(part, /amount integer, required, 1000 to 50000\s*The gift’s value in cents\./);
  assert.match(part, /method "email", required/);
});

const sampleOf = (operationId: string, language: string) =>
  asText(new RegExp(`data-language="${language}"[^>]*><code>(.*?)</code>`, 's').exec(partOf(operationId))?.[1] ?? '');

test('the samples of an operation call this service with the document’s example', () => {
  assert.equal(
    sampleOf('cancelGift', 'Shell'),
    `curl https://gifts.example/shop/v1/gifts/gift_01k0fxw4mzejhtt6k1sqh3p5cg/cancel \\
  -H "Authorization: Bearer $KEY" \\
  -H 'Idempotency-Key: 8f14e45f-ceea-467f-ab3c-5a1e2f0d9b77' \\
  -H 'Content-Type: application/json' \\
  -d '{ "reason": "Ordered twice" }'`,
  );
  assert.equal(
    sampleOf('cancelGift', 'TypeScript'),
    `import { Bestow } from 'bestow-sdk';

const bestow = new Bestow(process.env.KEY, { baseUrl: 'https://gifts.example/shop' });

const gift = await bestow.gifts.cancel(
  'gift_01k0fxw4mzejhtt6k1sqh3p5cg',
  { reason: 'Ordered twice' },
  { idempotencyKey: '8f14e45f-ceea-467f-ab3c-5a1e2f0d9b77' },
);
console.log(JSON.stringify(gift, null, 2));`,
  );
  assert.equal(
    sampleOf('cancelGift', 'Python'),
    `import json
import os
import urllib.request

class NoRedirects(urllib.request.HTTPRedirectHandler):
    def redirect_request(self, *args):
        return None  # Another host would get the key.

request = urllib.request.Request(
    "https://gifts.example/shop/v1/gifts/gift_01k0fxw4mzejhtt6k1sqh3p5cg/cancel",
    data=json.dumps({"reason": "Ordered twice"}).encode(),
    headers={
        "Authorization": f"Bearer {os.environ['KEY']}",
        "Idempotency-Key": "8f14e45f-ceea-467f-ab3c-5a1e2f0d9b77",
        "Content-Type": "application/json",
    },
)
with urllib.request.build_opener(NoRedirects).open(request) as answer:
    print(json.dumps(json.load(answer), indent=2))`,
  );
});
