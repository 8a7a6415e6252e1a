import assert from 'node:assert/strict';
import { test } from 'node:test';
import { gunzipSync } from 'node:zlib';
import { openForFile } from '../../harness/open-for-file.ts';
import { startTestService } from '../../harness/test-service.ts';

// What is long is compressed for clients that accept it.

const service = openForFile(() => startTestService());

test('the document is compressed for clients that accept it, and 304 for those that have it', async () => {
  const ask = (encoding: string, more = {}) =>
    service.service.app.inject({ url: '/v1/openapi.json', headers: { 'accept-encoding': encoding, ...more } });
  const [whole, small] = [await ask('identity'), await ask('gzip, deflate')];
  assert.deepEqual(gunzipSync(small.rawPayload), whole.rawPayload);
  assert.ok(small.rawPayload.length * 5 < whole.rawPayload.length);
  for (const { headers } of [whole, small])
    assert.deepEqual([headers['vary'], headers['cache-control']], ['Accept-Encoding', 'public, max-age=300']);
  assert.equal(whole.headers['content-encoding'], undefined);
  const again = await ask('gzip', { 'if-none-match': `${whole.headers.etag}` });
  assert.deepEqual([again.statusCode, again.body], [304, '']);
});
