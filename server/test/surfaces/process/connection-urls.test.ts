import assert from 'node:assert/strict';
import { test } from 'node:test';
import { readConfig } from '../../../src/platform/configuration/config.ts';
import { readUrl } from '../../../src/platform/database/read-url.ts';
import { checkProviders } from '../../../src/surfaces/doctor/check-providers.ts';
import { testConfig } from '../../harness/test-service.ts';

const MAIL_FROM = 'gifts@example.com';

test('a symbol in the password of an address must be percent-encoded', () => {
  for (const [name, scheme] of [
    ['SMTP_URL', 'smtp'],
    ['DATABASE_URL', 'postgres'],
  ] as const)
    for (const password of ['12/34', 'pa/ss', 'pa#ss', '12#34', '12?34', 'p@s/s', 'pa%ss', '100%'])
      assert.throws(() => readConfig({ MAIL_FROM, [name]: `${scheme}://app:${password}@host/x` }), {
        message: `${name} has a /, ?, #, @ or % in its user or password; percent-encode it: %2F for /, %3F for ?, %23 for #, %40 for @, %25 for %.`,
      });
  for (const url of [
    'smtp://app:12%2F34@host',
    'smtps://me@example.com:pa%23ss@host:465',
    'smtp://host?requireTLS=false',
  ])
    assert.equal(readConfig({ MAIL_FROM, SMTP_URL: url }).smtp?.url, url);
  const DATABASE_URL = 'postgres://host/db?user=me@corp&sslmode=require';
  assert.deepEqual(readConfig({ DATABASE_URL }).databaseUrls, [DATABASE_URL]);
});

test('a file of the address that is missing is named', () => {
  assert.throws(() => readUrl('postgres://u@h/d?sslrootcert=/missing/root.pem'), {
    message: 'DATABASE_URL names the file /missing/root.pem, which cannot be read (ENOENT).',
  });
});

test('doctor names the scheme that belongs to the port', async () => {
  const adviceFor = async (SMTP_URL: string) => (await checkProviders(testConfig({ MAIL_FROM, SMTP_URL })))[0]?.advice;
  // Nothing listens on these ports of the reserved address.
  assert.match((await adviceFor('smtp://127.0.0.9:465')) ?? '', /^Port 465 needs smtps:\/\/ instead of smtp:\/\//);
  assert.match((await adviceFor('smtps://127.0.0.9:587')) ?? '', /^Port 587 needs smtp:\/\/ instead of smtps:\/\//);
  assert.match((await adviceFor('smtps://127.0.0.9:465')) ?? '', /^Correct SMTP_URL/);
});

test('sslmode=require verifies the server, without a warning of the library', async () => {
  const warnings: string[] = [];
  const note = ({ message }: Error) => void warnings.push(message);
  process.on('warning', note);
  for (const mode of ['prefer', 'require', 'verify-ca', 'verify-full'])
    assert.deepEqual(readUrl(`postgres://u@h/d?sslmode=${mode}&application_name=a`).ssl, {}, mode);
  await new Promise((resolve) => setImmediate(resolve));
  process.off('warning', note);
  assert.deepEqual(warnings, []);
  const asLibpq = readUrl('postgres://u@h/d?uselibpqcompat=true&sslmode=require');
  assert.deepEqual(asLibpq.ssl, { rejectUnauthorized: false });
});
