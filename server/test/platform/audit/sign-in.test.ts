import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { type CookieBrowser, enterMailedCode } from '../../harness/cookie-browser.ts';
import { createPasskey } from '../../harness/passkey.ts';
import { startTestService, type TestService } from '../../harness/test-service.ts';
import { totp } from '../../harness/totp.ts';

// People can see when someone turns an open session into permanent access.

const EMAIL = 'admin@example.com';

let service: TestService;
before(async () => {
  service = await startTestService();
  await service.organization();
});
after(() => service?.close());

const signIn = async () => (await enterMailedCode(service, EMAIL)).browser;

/** Asserts the call's status and its event in the person's log; returns the response. */
async function assertRecords(sentence: string | null, status: number, call: ReturnType<CookieBrowser['call']>) {
  const answer = await call;
  assert.equal(answer.status, status, answer.text);
  const log = await service.sql<{ event: string; address: string }>(
    `select event, address from portal.events where event not like 'signed_in%' order by event_id`,
  );
  const newEvents = log.slice(seen);
  seen = log.length;
  assert.deepEqual(newEvents, sentence === null ? [] : [{ event: sentence, address: '127.0.0.1' }]);
  return answer;
}
let seen = 0;

test('adding and removing a passkey is recorded in the person’s log', async () => {
  const browser = await signIn();
  const key = createPasskey(service.url.replace('127.0.0.1', 'localhost'));
  const register = async (isVerified: boolean) => {
    const { text } = await browser.call('GET', '/auth/passkey/generate-register-options');
    const response = key.register(JSON.parse(text).challenge, isVerified);
    return browser.call('POST', '/auth/passkey/verify-registration', { name: 'Key', response });
  };
  await assertRecords(null, 401, register(false));
  await assertRecords('passkey_added', 200, register(true));
  const list = await browser.call('GET', '/auth/passkey/list-user-passkeys');
  const remove = () => browser.call('POST', '/auth/passkey/delete-passkey', { id: JSON.parse(list.text)[0].id });
  await assertRecords('passkey_removed', 200, remove());
  await assertRecords(null, 404, remove());
});

test('setting up and turning off an authenticator app is recorded once', async () => {
  const browser = await signIn();
  const turnOff = () => browser.call('POST', '/auth/two-factor/disable', {});
  await assertRecords(null, 200, turnOff());
  const { text } = await assertRecords(null, 200, browser.call('POST', '/auth/two-factor/enable', {}));
  const secret = new URL(JSON.parse(text).totpURI).searchParams.get('secret') ?? '';
  const prove = async () => {
    await service.clock.jump(30_000);
    return browser.call('POST', '/auth/two-factor/verify-totp', { code: totp(secret, service.clock.now()) });
  };
  await assertRecords(null, 401, browser.call('POST', '/auth/two-factor/verify-totp', { code: '000000' }));
  await assertRecords('authenticator_added', 200, prove());
  await assertRecords(null, 200, prove());
  await assertRecords('authenticator_removed', 200, turnOff());
});

test('ending another session is recorded; signing out is not', async () => {
  const [browser, left] = [await signIn(), await signIn()];
  const idOf = async (of: CookieBrowser) => {
    const { data } = JSON.parse((await of.call('GET', '/sessions')).text);
    return data.find(({ is_this_one }: { is_this_one: boolean }) => is_this_one).session_id as string;
  };
  const end = async (id: string) => browser.call('DELETE', `/sessions/${id}`);
  const [own, other] = [await idOf(browser), await idOf(left)];
  await assertRecords('session_ended', 204, end(other));
  await assertRecords(null, 204, end(other));
  await assertRecords(null, 204, end(own));
});
