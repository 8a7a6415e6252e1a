import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { enableApp, enterMailedCode, openCookieBrowser } from '../harness/cookie-browser.ts';
import { startTestService, type TestService } from '../harness/test-service.ts';

/** Sign-in methods can be changed only right after a sign-in (ASVS 5.0, 7.5.1). */

const DAY_MS = 86_400_000;
const EMAIL = 'admin@example.com';

let service: TestService;
before(async () => {
  service = await startTestService();
  await service.organization();
});
after(() => service?.close());

const signIn = async (browser = openCookieBrowser(service.url)) =>
  (await enterMailedCode(service, EMAIL, { browser })).browser;

const ageSessions = (minutes: number) =>
  service.sql(`update portal.sessions set created_at = now() - make_interval(mins => $1)`, [minutes]);

const CHANGES: readonly [method: 'GET' | 'POST', path: string, body?: object][] = [
  ['POST', '/auth/two-factor/enable', {}],
  ['POST', '/auth/two-factor/disable', {}],
  ['GET', '/auth/passkey/generate-register-options'],
  ['POST', '/auth/passkey/verify-registration', { response: {}, name: 'Mine' }],
  ['POST', '/auth/passkey/delete-passkey', { id: 'any' }],
];

test('only a session younger than ten minutes can change sign-in methods', async () => {
  const browser = await signIn();
  await ageSessions(11);
  for (const [method, path, body] of CHANGES) {
    const { status, text } = await browser.call(method, path, body);
    assert.equal(status, 403, path);
    const { request_id: requestId, ...error } = JSON.parse(text).error;
    assert.match(requestId, /^req_/);
    assert.deepEqual(error, {
      code: 'sign_in_again',
      message: 'You signed in more than ten minutes ago. Sign in again before you change how you sign in.',
    });
  }
  assert.equal((await browser.call('GET', '/me')).status, 200, 'everything else goes on');
  assert.deepEqual(await service.sql('select 1 from portal.two_factors'), []);

  await ageSessions(9);
  assert.equal((await browser.call('POST', '/auth/two-factor/enable', {})).status, 200);
  await ageSessions(11);
  const again = await signIn();
  for (const [method, path, body] of CHANGES) assert.notEqual((await again.call(method, path, body)).status, 403, path);
});

test('a person who is not signed in gets 401', async () => {
  for (const [method, path, body] of CHANGES)
    assert.equal((await openCookieBrowser(service.url).call(method, path, body)).status, 401, path);
});

test('no call replaces a session that is older than thirty days', async () => {
  const calls: typeof CHANGES = [
    ...CHANGES,
    ['POST', '/auth/two-factor/verify-totp', { code: '000000' }],
    ['POST', '/auth/two-factor/verify-backup-code', { code: 'aaaaa-bbbbb' }],
    ['GET', '/auth/passkey/list-user-passkeys'],
  ];
  await service.sql('delete from portal.sessions');
  for (const [method, path, body] of calls) {
    const browser = await signIn();
    await service.sql(`update portal.sessions set created_at = $1`, [new Date(service.clock.now() - 31 * DAY_MS)]);
    const { status } = await browser.call(method, path, body);
    assert.deepEqual([status, (await browser.call('GET', '/me')).status], [401, 401], path);
    assert.deepEqual(await service.sql('select created_at from portal.sessions'), [], path);
  }
});

test('a renewed cookie does not restart the ten minutes or the thirty days', async () => {
  await service.sql('delete from portal.sessions');
  const browser = await signIn();
  await ageSessions(9);
  const signedInAt = await service.sql('select created_at from portal.sessions');
  const isTheSame = async () =>
    assert.deepEqual(await service.sql('select created_at from portal.sessions'), signedInAt);
  assert.equal((await browser.call('POST', '/auth/two-factor/disable', {})).status, 200);
  await isTheSame();
  const { prove } = await enableApp(service, browser);
  assert.equal((await prove()).status, 200);
  await isTheSame();
  assert.equal((await browser.call('POST', '/auth/two-factor/disable', {})).status, 200);
  await isTheSame();
  await ageSessions(11);
  assert.equal((await browser.call('POST', '/auth/two-factor/disable', {})).status, 403);
});

test('a sign-in with an authenticator app counts as fresh', async () => {
  const browser = await signIn();
  const { prove } = await enableApp(service, browser);
  assert.equal((await prove()).status, 200);
  await ageSessions(11);
  await signIn(browser);
  assert.equal((await browser.call('GET', '/me')).status, 401, 'half way');
  assert.equal((await prove()).status, 200);
  assert.equal((await browser.call('POST', '/auth/two-factor/disable', {})).status, 200);
});
