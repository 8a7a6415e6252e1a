import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { type CookieBrowser, enterMailedCode, openCookieBrowser } from '../harness/cookie-browser.ts';
import { createPasskey } from '../harness/passkey.ts';
import { startTestService, type TestService } from '../harness/test-service.ts';

/** A passkey replaces two factors, so it must verify the user. */

let service: TestService;
before(async () => {
  service = await startTestService();
  await service.organization();
});
after(() => service?.close());

const optionsFor = async (browser: CookieBrowser, act: 'register' | 'authenticate') =>
  JSON.parse((await browser.call('GET', `/auth/passkey/generate-${act}-options`)).text);

test('a passkey without user verification is refused at setup and sign-in', async () => {
  const { browser: owner } = await enterMailedCode(service, 'admin@example.com');
  const key = createPasskey(service.url.replace('127.0.0.1', 'localhost'));
  const add = async (isVerified: boolean) => {
    const { challenge, authenticatorSelection } = await optionsFor(owner, 'register');
    assert.equal(authenticatorSelection.userVerification, 'required');
    const response = key.register(challenge, isVerified);
    return owner.call('POST', '/auth/passkey/verify-registration', { name: 'Key', response });
  };
  const refused = await add(false);
  assert.deepEqual([refused.status, JSON.parse(refused.text).code], [401, 'USER_NOT_VERIFIED']);
  assert.deepEqual(await service.sql('select 1 from portal.passkeys'), []);
  assert.equal((await add(true)).status, 200);

  const countSessions = () => service.sql('select count(*)::int as sessions from portal.sessions');
  const before = await countSessions();
  const browser = openCookieBrowser(service.url);
  const use = async (isVerified: boolean) => {
    const { challenge, userVerification } = await optionsFor(browser, 'authenticate');
    assert.equal(userVerification, 'required');
    const response = key.signIn(challenge, isVerified);
    return browser.call('POST', '/auth/passkey/verify-authentication', { response });
  };
  const turnedAway = await use(false);
  assert.deepEqual([turnedAway.status, JSON.parse(turnedAway.text).code], [401, 'USER_NOT_VERIFIED']);
  assert.deepEqual(await countSessions(), before);
  assert.equal((await browser.call('GET', '/me')).status, 401);
  assert.equal((await use(true)).status, 200);
  assert.equal((await browser.call('GET', '/me')).status, 200);
});
