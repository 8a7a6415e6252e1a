import assert from 'node:assert/strict';
import { test } from 'node:test';
import { gunzipSync } from 'node:zlib';
import Fastify from 'fastify';
import { pagePolicy } from '../../src/pages/html-reply.ts';
import { page } from '../../src/pages/layout.ts';
import { pageRoutes } from '../../src/pages/routes.ts';
import { stylesheetPath } from '../../src/pages/stylesheet.ts';
import { assertStrict } from '../harness/assert-strict.ts';

const app = Fastify();
pageRoutes(app, {});

test('the landing page is valid and has its headers', async () => {
  const { body, headers, statusCode } = await app.inject('/');
  assert.equal(statusCode, 200);
  assertStrict(body);
  assert.equal(headers['content-type'], 'text/html; charset=utf-8');
  assert.equal(headers['content-security-policy'], pagePolicy());
  assert.equal(headers['x-content-type-options'], 'nosniff');
  assert.equal(headers['referrer-policy'], 'no-referrer');
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
