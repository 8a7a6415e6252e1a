import assert from 'node:assert/strict';
import { test } from 'node:test';
import { gunzipSync } from 'node:zlib';
import { Bestow } from '../../../../sdk/src/index.ts';
import { suspendOrganization } from '../../../src/core/organizations/suspend-organization.ts';
import { gift, linkGift } from '../../harness/api-client.ts';
import { openForFile } from '../../harness/open-for-file.ts';
import { OPERATOR } from '../../harness/operator.ts';
import { startTestService } from '../../harness/test-service.ts';

// What is long is compressed for clients that accept it.

const service = openForFile(() => startTestService());

type Injected = Awaited<ReturnType<typeof service.service.app.inject>>;

/** The answers without and with compression. */
async function answersOf(url: string, headers: Record<string, string>): Promise<[whole: Injected, small: Injected]> {
  const ask = (encoding: string) =>
    service.service.app.inject({ url, headers: { 'accept-encoding': encoding, ...headers } });
  return [await ask('identity'), await ask('gzip, deflate')];
}

const encodingOf = ({ headers }: Injected) => [headers['content-encoding'], headers['vary']];

test('the document is compressed for clients that accept it, and 304 for those that have it', async () => {
  const path = '/v1/openapi.json';
  const [whole, small] = await answersOf(path, {});
  assert.deepEqual(gunzipSync(small.rawPayload), whole.rawPayload);
  assert.ok(small.rawPayload.length * 5 < whole.rawPayload.length);
  for (const { headers } of [whole, small])
    assert.deepEqual([headers['vary'], headers['cache-control']], ['Accept-Encoding', 'public, max-age=300']);
  assert.equal(whole.headers['content-encoding'], undefined);
  const { etag } = whole.headers;
  for (const known of [`${etag}`, `W/${etag}`, `"other", ${etag}`, '*']) {
    const [, again] = await answersOf(path, { 'if-none-match': known });
    assert.deepEqual([again.statusCode, again.body], [304, ''], known);
  }
  const [changed] = await answersOf(path, { 'if-none-match': '"other"' });
  assert.equal(changed.statusCode, 200);
});

test('a long list is compressed for clients that accept it, and the same as before for others', async () => {
  const { live, keys } = await service.organization();
  for (let n = 0; n < 10; n += 1) await live.order(Array(10).fill(gift({ amount: 1000 })));
  for (const path of ['/v1/gifts?limit=100', '/v1/orders?limit=100', '/v1/gifts', '/v1/orders'])
    for (const accept of path.includes('?') ? ['application/json'] : ['text/csv']) {
      const [whole, small] = await answersOf(path, { authorization: `Bearer ${keys.live}`, accept });
      assert.deepEqual(encodingOf(whole), [undefined, undefined], `${path} ${accept}`);
      assert.deepEqual(encodingOf(small), ['gzip', 'Accept-Encoding'], `${path} ${accept}`);
      assert.deepEqual(gunzipSync(small.rawPayload), whole.rawPayload);
      assert.equal(small.headers['content-type'], whole.headers['content-type']);
      if (path.includes('?')) assert.ok(small.rawPayload.length * 5 < whole.rawPayload.length, path);
    }
});

test('a list with links of gifts is not compressed: its size would tell about the links', async () => {
  const { live, keys } = await service.organization();
  for (let n = 0; n < 10; n += 1) await live.order([...Array(9).fill(gift({ amount: 1000 })), linkGift(1000)]);
  for (const path of ['/v1/gifts?limit=100', '/v1/orders?limit=100']) {
    const [whole, same] = await answersOf(path, { authorization: `Bearer ${keys.live}` });
    assert.deepEqual(encodingOf(same), [undefined, undefined]);
    assert.ok(same.rawPayload.length > 20_000);
    assert.deepEqual(same.rawPayload, whole.rawPayload);
  }
});

test('a short list, an error and a gift are not compressed, and nothing with COMPRESS_LISTS=0', async () => {
  const { live, keys, organizationId } = await service.organization();
  const authorization = `Bearer ${keys.live}`;
  for (let n = 0; n < 10; n += 1) await live.order(Array(10).fill(gift({ amount: 1000 })));
  for (const path of ['/v1/gifts?limit=2', '/v1/gifts?limit=0', '/v1/orders/none']) {
    const [, answer] = await answersOf(path, { authorization });
    assert.deepEqual(encodingOf(answer), [undefined, undefined], path);
  }
  const plain = await service.second({ COMPRESS_LISTS: '0' });
  const url = '/v1/gifts?limit=100';
  const headers = { authorization, 'accept-encoding': 'gzip' };
  assert.deepEqual(encodingOf(await plain.service.app.inject({ url, headers })), [undefined, undefined]);
  await plain.close();
  // Known only while the first rows are read.
  await suspendOrganization(service.service.deps, { organizationId, actor: OPERATOR });
  const [, refused] = await answersOf('/v1/gifts', { authorization, accept: 'text/csv' });
  assert.deepEqual(
    [refused.json().error.code, ...encodingOf(refused)],
    ['organization_suspended', undefined, undefined],
  );
});

test('the TypeScript client asks for compression, and reads it', async () => {
  const { live, keys } = await service.organization();
  for (let n = 0; n < 10; n += 1) await live.order(Array(10).fill(gift({ amount: 1000 })));
  const page = await new Bestow(keys.live, { baseUrl: service.url }).gifts.list({ limit: 100 });
  assert.equal(page.lastResponse.headers.get('content-encoding'), 'gzip');
  assert.deepEqual([page.data.length, page.data[0]?.amount], [100, 1000]);
});
