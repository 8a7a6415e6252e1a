import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';
import { gunzipSync } from 'node:zlib';
import Fastify from 'fastify';
import type { ReferenceDocument } from '../../src/docs/reference-page.ts';
import { docsRoutes } from '../../src/docs/routes.ts';
import { testConfig } from '../harness/test-service.ts';

const described: ReferenceDocument = JSON.parse(
  readFileSync(new URL('../../../openapi.json', import.meta.url), 'utf8'),
);
const operations = Object.entries(described.paths).flatMap(([path, methods]) =>
  Object.entries(methods).map(([method, operation]) => ({ path, method: method.toUpperCase(), operation })),
);

const app = Fastify();
docsRoutes(app, { publicUrl: () => 'https://gifts.example/shop', config: testConfig() }, () => described);
const { body, headers } = await app.inject('/docs/api');
const asText = (html: string) =>
  html
    .replaceAll(/<[^>]+>/g, '')
    .replaceAll(/&#(\d+);/g, (_, code) => String.fromCodePoint(Number(code)))
    .replaceAll('&amp;', '&')
    .replaceAll('&lt;', '<')
    .replaceAll('&gt;', '>');
/** The part of an operation, between its anchor and the next. */
const partOf = (id: string) => body.split(`<h3 id="${id}">`)[1]?.split(/<h[23] id=/)[0] ?? assert.fail(id);

test('the API reference has the policy of the other pages and is known by its etag', async () => {
  assert.match(`${headers['content-security-policy']}`, /style-src 'self'; .*script-src 'self'$/);
  const again = await app.inject({ url: '/docs/api', headers: { 'if-none-match': `${headers.etag}` } });
  assert.equal(again.statusCode, 304);
});

test('pages, their stylesheets and scripts are sent compressed to clients that accept it', async () => {
  const [, style = ''] = /href="(\/docs\/assets\/[^"]+)"/.exec(body) ?? [];
  const [, script = ''] = /src="(\/docs\/assets\/[^"]+)"/.exec(body) ?? [];
  for (const url of ['/docs/api', '/docs/errors', style, script]) {
    const get = (encoding: string, more = {}) => app.inject({ url, headers: { 'accept-encoding': encoding, ...more } });
    const small = await get('br, gzip;q=0.8');
    assert.deepEqual([small.headers['content-encoding'], small.headers['vary']], ['gzip', 'Accept-Encoding'], url);
    const whole = await get('br, gzip;q=0.0');
    assert.equal(whole.headers['content-encoding'], undefined);
    assert.equal(gunzipSync(small.rawPayload).toString(), whole.body);
    const again = await get('gzip', { 'if-none-match': `${small.headers.etag}` });
    assert.deepEqual([again.statusCode, again.headers['content-encoding'], again.body], [304, undefined, '']);
  }
});

test('the API reference shows each operation with its parameters, fields and errors', () => {
  assert.ok(operations.length > 30);
  for (const { path, method, operation } of operations) {
    const part = partOf(operation.operationId);
    assert.ok(asText(part).includes(`${operation.summary}\n${method} ${path}`), path);
    for (const { name } of operation.parameters ?? []) assert.ok(part.includes(`<li><code>${name}</code>`), name);
    const { $ref = '' } = operation.requestBody?.content['application/json'].schema ?? {};
    for (const name of Object.keys(described.components.schemas[$ref.replace(/.*\//, '')]?.properties ?? {}))
      assert.ok(part.includes(`<li><code>${name}</code>`), name);
    for (const code of Object.values(operation['x-errors']).flat())
      assert.ok(part.includes(`href="/docs/errors#${code}"`), code);
  }
});

test('each link of the API reference to a place on it leads to one', () => {
  const ids = [...body.matchAll(/ id="([^"]+)"/g)].map(([, id]) => `${id}`);
  assert.equal(new Set(ids).size, ids.length);
  const links = [...body.matchAll(/href="#([^"]+)"/g)].map(([, id]) => `${id}`);
  assert.ok(links.length > 100);
  for (const id of links) assert.ok(ids.includes(id), id);
});

test('a field shows its type, its limits and what it means', () => {
  const part = asText(partOf('createOrder'));
  assert.match(part, /gifts list of objects, required, 1 to 10 items\s*The gifts, 1 to 10\./);
  assert.match(part, /amount integer, required, 1000 to 50000\s*The gift’s value in cents\./);
  assert.match(part, /method "email", required/);
});

test('the sample of an operation calls this service with the document’s example', () => {
  const [, sample = ''] = /data-language="Shell"><code>(.*?)<\/code>/s.exec(partOf('cancelGift')) ?? [];
  assert.equal(
    asText(sample),
    `curl https://gifts.example/shop/v1/gifts/gift_01k0fxw4mzejhtt6k1sqh3p5cg/cancel \\
  -H "Authorization: Bearer $KEY" \\
  -H 'Idempotency-Key: 8f14e45f-ceea-467f-ab3c-5a1e2f0d9b77' \\
  -H 'Content-Type: application/json' \\
  -d '{
  "reason": "Ordered twice"
}'`,
  );
});
