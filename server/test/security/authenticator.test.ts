import assert from 'node:assert/strict';
import { after, afterEach, before, test } from 'node:test';
import { type CookieBrowser, openCookieBrowser } from '../harness/cookie-browser.ts';
import { codeOf } from '../harness/portal-client.ts';
import { startTestService, type TestService } from '../harness/test-service.ts';
import { totp } from '../harness/totp.ts';

/** A code of an authenticator app works once (ASVS 6.5.1), for a minute and a half. */

const STEP_MS = 30_000;
const REFUSED = { status: 401, code: 'INVALID_CODE' };

let service: TestService;
let second: TestService;
before(async () => {
  service = await startTestService();
  const organization = await service.organization();
  await organization.addMembers();
  second = await service.second();
});
after(() => service?.close());
// Each test starts without an app.
afterEach(() => service.sql('delete from portal.users'));

/** The code that the person's app shows, `steps` time steps from now. */
const shown = (secret: string, steps = 0) => totp(secret, service.clock.now() + steps * STEP_MS);

/** A browser in which the person has entered the code from the mail. */
async function enterMailedCode(email: string, { url } = service, afterMs = 120_000): Promise<CookieBrowser> {
  // Lets the limits of earlier attempts expire.
  await service.clock.jump(afterMs);
  await service.sql(`delete from notices where kind = 'sign_in_code'`);
  const browser = openCookieBrowser(url);
  await browser.call('POST', '/auth/email-otp/send-verification-otp', { email, type: 'sign-in' });
  const { status, text } = await browser.call('POST', '/auth/sign-in/email-otp', {
    email,
    otp: await codeOf(service, email),
  });
  assert.equal(status, 200, text);
  return browser;
}

async function prove(browser: CookieBrowser, code: string): Promise<{ status: number; code: string | undefined }> {
  const { status, text } = await browser.call('POST', '/auth/two-factor/verify-totp', { code });
  return { status, code: JSON.parse(text).code };
}

const ACCEPTED = { status: 200, code: undefined };
const opens = async (browser: CookieBrowser) => (await browser.call('GET', '/me')).status === 200;

/** Signs the person in and sets up the app with its first code. */
async function setUp(email: string): Promise<{ browser: CookieBrowser; secret: string; recoveryCodes: string[] }> {
  const browser = await enterMailedCode(email);
  const { totpURI, backupCodes } = JSON.parse((await browser.call('POST', '/auth/two-factor/enable', {})).text);
  const secret = new URL(totpURI).searchParams.get('secret') ?? '';
  assert.deepEqual(await prove(browser, shown(secret)), ACCEPTED);
  assert.ok(await opens(browser));
  return { browser, secret, recoveryCodes: backupCodes };
}

const countSessions = async (email: string) => {
  const [row] = await service.sql<{ sessions: number }>(
    `select count(*)::int as sessions from portal.sessions s join portal.users u on u.id = s.user_id where u.email = $1`,
    [email],
  );
  return row?.sessions ?? 0;
};

test('an accepted code is refused afterwards; the code of the next step works', async () => {
  const email = 'admin@example.com';
  const { secret } = await setUp(email);
  const [first, later, elsewhere] = [
    await enterMailedCode(email),
    await enterMailedCode(email),
    await enterMailedCode(email, second),
  ];
  const code = shown(secret);
  assert.deepEqual(await prove(first, code), ACCEPTED);
  assert.ok(await opens(first));

  const wrong = code === '000000' ? '111111' : '000000';
  assert.deepEqual(await prove(later, wrong), REFUSED);
  for (const browser of [later, elsewhere]) {
    assert.deepEqual(await prove(browser, code), REFUSED);
    assert.ok(!(await opens(browser)));
  }
  const [tries] = await service.sql('select failed_verification_count as failed from portal.two_factors');
  assert.deepEqual(tries, { failed: 3 }, 'each of them counts');
  assert.deepEqual(await prove(later, shown(secret, -1)), REFUSED, 'nor is an earlier one good any more');
  await service.clock.jump(STEP_MS);
  assert.deepEqual(await prove(later, code), REFUSED, 'in the next step');
  assert.deepEqual(await prove(later, shown(secret)), ACCEPTED);
  assert.ok(await opens(later));
  assert.deepEqual(await prove(elsewhere, shown(secret)), REFUSED);
});

test('a code used at setup or by a signed-in person does not sign in', async () => {
  const email = 'second@example.com';
  const { browser, secret } = await setUp(email);
  // Still in the same time step.
  const other = await enterMailedCode(email, service, 0);
  assert.deepEqual(await prove(other, shown(secret)), REFUSED);
  await service.clock.jump(STEP_MS);
  assert.deepEqual(await prove(browser, shown(secret)), ACCEPTED);
  assert.deepEqual(await prove(other, shown(secret)), REFUSED);
  await service.clock.jump(STEP_MS);
  assert.deepEqual(await prove(other, shown(secret)), ACCEPTED);
  assert.ok(await opens(other));
});

test('a code works one time step early or late, and no longer', async () => {
  const email = 'member@example.com';
  const { secret } = await setUp(email);
  const browser = await enterMailedCode(email);
  assert.deepEqual(await prove(browser, shown(secret, -2)), REFUSED);
  assert.deepEqual(await prove(browser, shown(secret, 2)), REFUSED);
  assert.deepEqual(await prove(browser, shown(secret, -1)), ACCEPTED);
  assert.deepEqual(await prove(await enterMailedCode(email), shown(secret, 1)), ACCEPTED);
});

test('of parallel sign-ins with one code at two processes, exactly one succeeds', async () => {
  const email = 'member@example.com';
  const { secret } = await setUp(email);
  for (let round = 0; round < 5; round += 1) {
    const browsers = [
      await enterMailedCode(email),
      await enterMailedCode(email, second),
      await enterMailedCode(email),
      await enterMailedCode(email, second),
    ];
    const before = await countSessions(email);
    const code = shown(secret);
    const answers = await Promise.all(browsers.map((browser) => prove(browser, code)));
    answers.sort((a, b) => a.status - b.status);
    assert.deepEqual(answers, [ACCEPTED, REFUSED, REFUSED, REFUSED]);
    assert.equal(await countSessions(email), before + 1);
    const opened = await Promise.all(browsers.map(opens));
    assert.equal(opened.filter((isOpen) => isOpen).length, 1);
  }
});

test('after a used code is refused, a recovery code works once', async () => {
  const email = 'second@example.com';
  const { secret, recoveryCodes } = await setUp(email);
  const [recoveryCode = ''] = recoveryCodes;
  const [first, later] = [await enterMailedCode(email), await enterMailedCode(email)];
  assert.deepEqual(await prove(first, shown(secret)), ACCEPTED);
  assert.deepEqual(await prove(later, shown(secret)), REFUSED);
  const recover = (browser: CookieBrowser) =>
    browser.call('POST', '/auth/two-factor/verify-backup-code', { code: recoveryCode });
  assert.equal((await recover(later)).status, 200);
  assert.ok(await opens(later));
  const third = await enterMailedCode(email);
  assert.equal((await recover(third)).status, 401);
  assert.ok(!(await opens(third)));
});

test('a mailed code or recovery code sent twice at once signs in one browser', async () => {
  const email = 'member@example.com';
  const { browser, recoveryCodes } = await setUp(email);
  const entered = [await enterMailedCode(email), await enterMailedCode(email, second)];
  const recovered = await Promise.all(
    entered.map((one) => one.call('POST', '/auth/two-factor/verify-backup-code', { code: recoveryCodes[0] })),
  );
  assert.equal(recovered.filter(({ status }) => status === 200).length, 1, JSON.stringify(recovered));
  assert.equal((await browser.call('POST', '/auth/two-factor/disable', {})).status, 200);

  await service.clock.jump(120_000);
  await service.sql(`delete from notices where kind = 'sign_in_code'`);
  const browsers = [service, second, service, second].map(({ url }) => openCookieBrowser(url));
  await browsers[0]?.call('POST', '/auth/email-otp/send-verification-otp', { email, type: 'sign-in' });
  const otp = await codeOf(service, email);
  const signedIn = await Promise.all(
    browsers.map((one) => one.call('POST', '/auth/sign-in/email-otp', { email, otp })),
  );
  assert.equal(signedIn.filter(({ status }) => status === 200).length, 1, JSON.stringify(signedIn));
  assert.equal((await Promise.all(browsers.map(opens))).filter((isOpen) => isOpen).length, 1);
});

test('refuses a missing code, an invented challenge and an anonymous caller', async () => {
  const stranger = openCookieBrowser(service.url);
  assert.deepEqual(await prove(stranger, '000000'), { status: 401, code: 'INVALID_TWO_FACTOR_COOKIE' });
  stranger.cookies.set('bestow.two_factor', 'made-up.c2lnbmF0dXJl');
  assert.deepEqual(await prove(stranger, '000000'), { status: 401, code: 'INVALID_TWO_FACTOR_COOKIE' });
  const { status } = await stranger.call('POST', '/auth/two-factor/verify-totp', { code: 123456 });
  assert.equal(status, 400);
});
