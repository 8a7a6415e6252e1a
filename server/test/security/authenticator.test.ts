import assert from 'node:assert/strict';
import { after, afterEach, before, test } from 'node:test';
import { type CookieBrowser, enableApp, enterMailedCode, openCookieBrowser } from '../harness/cookie-browser.ts';
import { codeOf } from '../harness/portal-client.ts';
import { startTestService, type TestService } from '../harness/test-service.ts';

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

const enter = async (email: string, { url } = service, afterMs = 120_000) =>
  (await enterMailedCode(service, email, { url, afterMs })).browser;

async function prove(browser: CookieBrowser, code: string): Promise<{ status: number; code: string | undefined }> {
  const { status, text } = await browser.call('POST', '/auth/two-factor/verify-totp', { code });
  return { status, code: JSON.parse(text).code };
}

const ACCEPTED = { status: 200, code: undefined };
const opens = async (browser: CookieBrowser) => (await browser.call('GET', '/me')).status === 200;

/** Signs the person in and sets up the app with its first code. */
async function setUp(email: string) {
  const browser = await enter(email);
  const { shown, recoveryCodes } = await enableApp(service, browser);
  assert.deepEqual(await prove(browser, shown()), ACCEPTED);
  assert.ok(await opens(browser));
  return { browser, shown: (steps = 0) => shown(steps * STEP_MS), recoveryCodes };
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
  const { shown } = await setUp(email);
  const [first, later, elsewhere] = [await enter(email), await enter(email), await enter(email, second)];
  const code = shown();
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
  assert.deepEqual(await prove(later, shown(-1)), REFUSED, 'nor is an earlier one good any more');
  await service.clock.jump(STEP_MS);
  assert.deepEqual(await prove(later, code), REFUSED, 'in the next step');
  assert.deepEqual(await prove(later, shown()), ACCEPTED);
  assert.ok(await opens(later));
  assert.deepEqual(await prove(elsewhere, shown()), REFUSED);
});

test('a code used at setup or by a signed-in person does not sign in', async () => {
  const email = 'second@example.com';
  const { browser, shown } = await setUp(email);
  // Still in the same time step.
  const other = await enter(email, service, 0);
  assert.deepEqual(await prove(other, shown()), REFUSED);
  await service.clock.jump(STEP_MS);
  assert.deepEqual(await prove(browser, shown()), ACCEPTED);
  assert.deepEqual(await prove(other, shown()), REFUSED);
  await service.clock.jump(STEP_MS);
  assert.deepEqual(await prove(other, shown()), ACCEPTED);
  assert.ok(await opens(other));
});

test('a code works one time step early or late, and no longer', async () => {
  const email = 'member@example.com';
  const { shown } = await setUp(email);
  const browser = await enter(email);
  assert.deepEqual(await prove(browser, shown(-2)), REFUSED);
  assert.deepEqual(await prove(browser, shown(2)), REFUSED);
  assert.deepEqual(await prove(browser, shown(-1)), ACCEPTED);
  assert.deepEqual(await prove(await enter(email), shown(1)), ACCEPTED);
});

test('of parallel sign-ins with one code at two processes, exactly one succeeds', async () => {
  const email = 'member@example.com';
  const { shown } = await setUp(email);
  for (let round = 0; round < 5; round += 1) {
    const browsers: CookieBrowser[] = [];
    for (const at of [service, second, service, second]) browsers.push(await enter(email, at));
    const before = await countSessions(email);
    const code = shown();
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
  const { shown, recoveryCodes } = await setUp(email);
  const [recoveryCode = ''] = recoveryCodes;
  const [first, later] = [await enter(email), await enter(email)];
  assert.deepEqual(await prove(first, shown()), ACCEPTED);
  assert.deepEqual(await prove(later, shown()), REFUSED);
  const recover = (browser: CookieBrowser) =>
    browser.call('POST', '/auth/two-factor/verify-backup-code', { code: recoveryCode });
  assert.equal((await recover(later)).status, 200);
  assert.ok(await opens(later));
  const third = await enter(email);
  assert.equal((await recover(third)).status, 401);
  assert.ok(!(await opens(third)));
});

test('a mailed code or recovery code sent twice at once signs in one browser', async () => {
  const email = 'member@example.com';
  const { browser, recoveryCodes } = await setUp(email);
  const entered = [await enter(email), await enter(email, second)];
  const recovered = await Promise.all(
    entered.map((one) => one.call('POST', '/auth/two-factor/verify-backup-code', { code: recoveryCodes[0] })),
  );
  assert.equal(recovered.filter(({ status }) => status === 200).length, 1, JSON.stringify(recovered));
  assert.equal((await browser.call('POST', '/auth/two-factor/disable', {})).status, 200);

  await service.clock.jump(120_000);
  await service.sql('delete from portal.codes');
  const browsers = [service, second, service, second].map(({ url }) => openCookieBrowser(url));
  await browsers[0]?.call('POST', '/auth/email-otp/send-verification-otp', { email, type: 'sign-in' });
  const otp = await codeOf(service, email);
  // The code works only in the browser that asked for it, which may have several tabs.
  for (const { cookies } of browsers) cookies.set('bestow.flow', browsers[0]?.cookies.get('bestow.flow') ?? '');
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
