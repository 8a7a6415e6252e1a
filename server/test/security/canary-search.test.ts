import assert from 'node:assert/strict';
import { test } from 'node:test';
import { type Canary, findCanaries } from '../harness/canaries.ts';

/** Positive control of the canary tests: the search must be able to find secrets. */

const canaries: Canary[] = [
  { name: 'key', secret: 'bestow-sandbox-0123456789ABCDEFabcdef0123456789ABCDEF' },
  { name: 'session', secret: 'Zk3v9QmX2b7Lr5Tn8Wp1Yc4Hd6Jf0Gs2.q+/x3vY=' },
  { name: 'password', secret: 'canary-password-0123456789' },
];

test('finds a secret as plain text, in a URL, in hexadecimal and in base64', () => {
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

test('six digits count as a code only if they stand alone', () => {
  const code = [{ name: 'code', secret: '482913' }];
  for (const text of ['code 482913.', '"482913"', '482913:0', 'x482913'])
    assert.deepEqual(findCanaries(code, text), ['code'], text);
  for (const text of ['12:00:00.482913+00', '1482913', '4829130']) assert.deepEqual(findCanaries(code, text), [], text);
});
