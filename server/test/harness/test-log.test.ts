import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { test } from 'node:test';
import { createKey } from '../../src/platform/authentication/key-format.ts';
import { findSecrets } from './test-log.ts';

const lines: Record<string, string> = {
  'sent to Ada.Lovelace+1@mail.example.com': 'an email address',
  'sent to +12025550142': 'a phone number',
  [`with ${createKey('sandbox', randomUUID())}`]: 'an API key',
  [`with ${createKey('sandbox', randomUUID(), 'agent')}`]: 'an API key',
  'opened http://localhost:3000/g/AZqtFwABcdefghIJKLmnop_-': 'a link',
  'cookie: bestow.session_token=abc': 'a session',
  'authorization: Bearer abcdefgh12345678': 'an authorization header',
};
const ordinary =
  '{"request_id":"req_01m7yzsg64es0vbs2mnsmfdvd5","route":"/g/:token","stack":"at file:///app/.pnpm/pg@8.23.1/lib/index.js:1:2"}';

test('the search through the logs finds each kind of secret, and no ordinary line', () => {
  for (const [line, kind] of Object.entries(lines))
    assert.deepEqual(findSecrets(`${ordinary}\n${line}\n${ordinary}`), [`${kind}: ${line}`]);
});
