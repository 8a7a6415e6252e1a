import assert from 'node:assert/strict';
import { test } from 'node:test';
import { gunzipSync } from 'node:zlib';
import Fastify from 'fastify';
import { readConfig } from '../../../src/platform/configuration/config.ts';
import { pagePolicy } from '../../../src/platform/pages/html-reply.ts';
import { page } from '../../../src/platform/pages/layout.ts';
import { pageRoutes } from '../../../src/platform/pages/routes.ts';
import { stylesheetPath } from '../../../src/platform/pages/stylesheet.ts';
import { assertStrict } from '../../harness/assert-strict.ts';

const app = Fastify();
const deps = { publicUrl: () => 'https://gifts.example.com', config: { ...readConfig({}), isProduction: true } };
pageRoutes(app, deps);

test('the landing page is valid and has its headers', async () => {
  const { body, headers, statusCode } = await app.inject('/');
  assert.equal(statusCode, 200);
  assertStrict(body);
  assert.equal(headers['content-type'], 'text/html; charset=utf-8');
  assert.equal(headers['content-security-policy'], pagePolicy());
  assert.equal(headers['x-content-type-options'], 'nosniff');
  assert.equal(headers['referrer-policy'], 'no-referrer');
});

test('a link to the landing page has a preview, and phones get an icon', async () => {
  const { body } = await app.inject('/');
  assert.match(body, /<meta property="og:title" content="Bestow: send a gift with one request">/);
  assert.match(body, /<meta property="og:image" content="https:\/\/gifts\.example\.com\/assets\/wrapped-gift\.jpg">/);
  assert.match(body, /<link rel="apple-touch-icon" href="\/touch-icon\.png">/);
  const { rawPayload, headers } = await app.inject('/touch-icon.png');
  assert.equal(headers['content-type'], 'image/png');
  // PNG has its width and height there.
  assert.deepEqual([rawPayload.readUInt32BE(16), rawPayload.readUInt32BE(20)], [180, 180]);
});

test('the landing page leads to the outbox only in development, and never names its address', async () => {
  assert.doesNotMatch((await app.inject('/')).body, /outbox/i);
  const local = Fastify();
  pageRoutes(local, { publicUrl: () => 'http://localhost:8080', config: { ...deps.config, isProduction: false } });
  const { body } = await local.inject('/');
  assert.match(body, /href="\/docs\/sandbox#messages">Outbox</);
  assert.doesNotMatch(body, /href="\/outbox/);
});

test('the stylesheet is sent compressed and cached forever under a hashed path', async () => {
  const { body, headers } = await app.inject(stylesheetPath);
  assert.equal(headers['cache-control'], 'public, max-age=31536000, immutable');
  assert.doesNotMatch(body, /url\(|@import|@font-face/);
  const again = await app.inject({ url: stylesheetPath, headers: { 'if-none-match': `${headers.etag}` } });
  assert.equal(again.statusCode, 304);
  const small = await app.inject({ url: stylesheetPath, headers: { 'accept-encoding': 'gzip' } });
  assert.equal(gunzipSync(small.rawPayload).toString(), body);
});

test('the favicon is served', async () => {
  const { headers, statusCode } = await app.inject('/favicon.svg');
  assert.equal(statusCode, 200);
  assert.equal(headers['content-type'], 'image/svg+xml');
});

test('a title and a description are shown as text', () => {
  const document = page({ title: '</title><script>1</script>', description: '"><img onerror=1>', body: '<h1>x</h1>' });
  assert.doesNotMatch(document, /<script|<img/);
});

test('the policy allows image hosts, but no host that would end a directive', () => {
  const policy = pagePolicy([
    'https://images.example/a.png',
    '/artwork/coffee.svg',
    null,
    'https://a;script-src/x',
    'nonsense',
  ]);
  assert.match(policy, /img-src 'self' data: https:\/\/images\.example;/);
  assert.doesNotMatch(policy, /script-src/);
});
