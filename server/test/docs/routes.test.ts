import assert from 'node:assert/strict';
import { test } from 'node:test';
import { brotliDecompressSync, gunzipSync } from 'node:zlib';
import Fastify from 'fastify';
import { scalarPath } from '../../src/docs/reference-page.ts';
import { docsRoutes } from '../../src/docs/routes.ts';
import { testConfig } from '../harness/test-service.ts';

const app = Fastify();
docsRoutes(app, { publicUrl: () => 'https://gifts.example', config: testConfig() });

test('the API reference has no inline script and no address of another host', async () => {
  const { body, headers, statusCode } = await app.inject('/docs/api');
  assert.equal(statusCode, 200);
  assert.match(`${headers['content-security-policy']}`, /script-src 'self'; style-src/);
  for (const [script] of body.matchAll(/<script[^>]*>[^<]*<\/script>/g)) assert.match(script, /><\/script>$/);
  for (const [, address] of body.matchAll(/\s(?:src|href|data-url)="([^"]*)"/g))
    assert.match(`${address}`, /^\/(?!\/)/);
  const [, stylePath] = /rel="stylesheet" href="([^"]*)"/.exec(body) ?? [];
  assert.equal((await app.inject(`${stylePath}`)).statusCode, 200);
});

test('the script of the API reference is the same in each encoding and immutable', async () => {
  const get = (encoding: string) => app.inject({ url: scalarPath, headers: { 'accept-encoding': encoding } });
  const [brotli, gzip, refused] = await Promise.all([
    get('gzip, deflate, br'),
    get('gzip;q=0.8'),
    get('br;q=0, gzip;q=0.0'),
  ]);
  assert.equal(brotli.headers['content-encoding'], 'br');
  assert.equal(gzip.headers['content-encoding'], 'gzip');
  assert.equal(refused.headers['content-encoding'], undefined);
  assert.ok(brotliDecompressSync(brotli.rawPayload).equals(refused.rawPayload));
  assert.ok(gunzipSync(gzip.rawPayload).equals(refused.rawPayload));
  assert.ok(refused.rawPayload.length > 1_000_000 && brotli.rawPayload.length < 1_500_000);
  assert.equal(brotli.headers['cache-control'], 'public, max-age=31536000, immutable');
  assert.equal(brotli.headers['vary'], 'Accept-Encoding');
  const etag = `${brotli.headers.etag}`;
  assert.equal((await app.inject({ url: scalarPath, headers: { 'if-none-match': etag } })).statusCode, 304);
});
