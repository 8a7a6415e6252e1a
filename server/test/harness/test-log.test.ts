import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { test } from 'node:test';
import { createKey } from '../../src/authentication/key-format.ts';
import { findSecrets } from './test-log.ts';

// The search through the logs must find every kind of secret.

const secrets = {
  'an email address': 'sent to Ada.Lovelace+1@mail.example.com',
  'a phone number': 'sent to +12025550142',
  'an API key': `with ${createKey('sandbox', randomUUID())}`,
  'a link': 'opened http://localhost:3000/g/AZqtFwABcdefghIJKLmnop_-',
  'a session': 'cookie: bestow.session_token=abc',
  'an authorization header': 'authorization: Bearer abcdefgh12345678',
};

for (const [kind, line] of Object.entries(secrets))
  test(`${kind} in a line of the log is seen`, () => {
    assert.deepEqual(
      findSecrets(`one line\n${line}\nanother`).map((found) => found.split(':', 1)[0]),
      [kind],
    );
  });

test('an ordinary line is not taken for one', () => {
  const line =
    '{"level":30,"time":1795283909080,"request_id":"req_01m7yzsg64es0vbs2mnsmfdvd5","method":"GET","route":"/g/:token","status":200,"key_id":"key_01m7yzsg64es0vbs2mnsmfdvd5","duration_ms":1.2,"stack":"at file:///app/node_modules/.pnpm/pg@8.23.1/lib/index.js:1:2"}';
  assert.deepEqual(findSecrets(line), []);
});
