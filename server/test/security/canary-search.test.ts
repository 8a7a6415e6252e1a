import assert from 'node:assert/strict';
import { test } from 'node:test';
import { type Canary, findCanaries } from '../harness/canaries.ts';

/** The positive control of security-canaries.test.ts: a search that finds nothing must be able to find something. */

const canaries: Canary[] = [
  { name: 'key', secret: 'bestow-sandbox-0123456789ABCDEFabcdef0123456789ABCDEF' },
  { name: 'session', secret: 'Zk3v9QmX2b7Lr5Tn8Wp1Yc4Hd6Jf0Gs2.q+/x3vY=' },
  { name: 'password', secret: 'canary-password-0123456789' },
];

test('a secret is found as it is, in an address, as hexadecimal digits, and within base64', () => {
  for (const { name, secret } of canaries) {
    const bytes = Buffer.from(secret);
    for (const form of [
      `{"x":"${secret}"}`,
      `\\x${bytes.toString('hex')}`,
      `?key=${encodeURIComponent(secret)}&`,
      bytes.toString('base64url'),
      Buffer.from(`user:${secret}`).toString('base64'),
      Buffer.from(`{"a":"${secret}"}`).toString('base64'),
    ])
      assert.deepEqual(findCanaries(canaries, `before ${form} after`), [name], form);
  }
  assert.deepEqual(findCanaries(canaries, 'bestow-sandbox-…CDEF and nothing else'), []);
});

test('six digits are a code where they stand alone, and none within a time or a longer number', () => {
  const code = [{ name: 'code', secret: '482913' }];
  for (const text of ['code 482913.', '"482913"', '482913:0', 'x482913'])
    assert.deepEqual(findCanaries(code, text), ['code'], text);
  for (const text of ['12:00:00.482913+00', '1482913', '4829130']) assert.deepEqual(findCanaries(code, text), [], text);
});
