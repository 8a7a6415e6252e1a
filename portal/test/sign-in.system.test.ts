import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import type { Page } from 'playwright-core';
import { codeOf } from '../../server/test/harness/portal-client.ts';
import { totp } from '../../server/test/harness/totp.ts';
import { openVisit } from './harness/browser.ts';
import {
  ADMIN,
  assertFaultless,
  expectCode,
  findFaults,
  MEMBER,
  type PortalService,
  startPortal,
  typeCode,
} from './harness/portal.ts';

let portal: PortalService;
before(async () => {
  portal = await startPortal();
});
after(() => portal?.close());

const signIn = (page: Page, email: string) => typeCode(page, portal.service, email);

test('a person signs in with a code, returns to the wanted page, and signs out', async () => {
  await using visit = await portal.visit(null);
  const { page, complaints, foreign } = visit;
  await page.goto(portal.at('/keys'));
  await page.getByRole('heading', { name: 'Sign in' }).waitFor();
  await page.getByLabel('Email address').fill(ADMIN.toUpperCase());
  await page.getByRole('button', { name: 'Send code' }).click();
  await page.getByLabel('Code', { exact: true }).waitFor();
  await codeOf(portal.service, ADMIN);

  await using mail = await openVisit(portal.browser, portal.service.url);
  await mail.page.goto(portal.service.service.deps.outboxPath);
  await mail.page.getByRole('link', { name: /code/i }).first().click();
  const text = await mail.page.locator('pre').innerText();
  const [code = ''] = /\b\d{6}\b/.exec(text) ?? [];
  assert.match(code, /^\d{6}$/, text);

  await page.getByLabel('Code', { exact: true }).fill(`${code.slice(0, 3)} ${code.slice(3)}`);
  await page.getByRole('heading', { name: 'API keys' }).waitFor();
  const cookies = await visit.context.cookies();
  assert.deepEqual(
    cookies.map(({ name, httpOnly, sameSite, secure, path }) => ({ name, httpOnly, sameSite, secure, path })),
    ['bestow.flow', 'bestow.session_token', 'bestow.device'].map((name) => ({
      name,
      httpOnly: true,
      sameSite: 'Lax',
      secure: false,
      path: '/',
    })),
  );

  await page.getByRole('button', { name: /account and organizations/ }).click();
  await page.getByRole('menuitem', { name: 'Sign out' }).click();
  await page.getByRole('heading', { name: 'Sign in' }).waitFor();
  await page.goto(portal.at('/keys'));
  await page.getByRole('heading', { name: 'Sign in' }).waitFor();
  assert.deepEqual([complaints, foreign], [[], []]);
});

test('the sixth digit submits once, and a code stops working after three wrong ones', async () => {
  await using visit = await portal.visit(null);
  const { page } = visit;
  await expectCode(portal.service);
  await page.goto('/portal/sign-in');
  await page.getByLabel('Email address').fill(MEMBER);
  await page.getByRole('button', { name: 'Send code' }).click();
  const code = await codeOf(portal.service, MEMBER);
  const wrong = code === '000000' ? '111111' : '000000';
  const field = page.getByLabel('Code', { exact: true });
  const attempts: string[] = [];
  page.on('request', (request) => {
    if (request.url().endsWith('/sign-in/email-otp')) attempts.push(request.postData() ?? '');
  });
  await field.pressSequentially(wrong);
  await page.getByRole('alert').filter({ hasText: /wrong/ }).waitFor();
  await field.fill('');
  await field.pressSequentially(wrong);
  for (const sentence of [/wrong/, /Too many wrong codes/]) {
    await page.getByRole('button', { name: 'Sign in', exact: true }).click();
    await page.getByRole('alert').filter({ hasText: sentence }).waitFor();
  }
  assert.equal(attempts.length, 3);
  await field.fill(code);
  await page.getByRole('button', { name: 'Sign in', exact: true }).click();
  await page.getByRole('alert').filter({ hasText: /wrong/ }).waitFor();
});

test('a new code takes half a minute, clears the previous error, and a limit is shown', async () => {
  await using visit = await portal.visit(null);
  const { page, context } = visit;
  await page.clock.install();
  await expectCode(portal.service);
  await page.goto('/portal/sign-in');
  await page.getByLabel('Email address').fill(MEMBER);
  await page.getByRole('button', { name: 'Send code' }).click();
  const alert = page.getByRole('alert');
  const tryWrongCode = async () => {
    await page.getByLabel('Code', { exact: true }).fill('wrong');
    await page.getByRole('button', { name: 'Sign in', exact: true }).click();
    await alert.filter({ hasText: /wrong/ }).waitFor();
  };
  const sendAgain = page.getByRole('button', { name: 'Resend code' });
  await tryWrongCode();
  assert.match(await sendAgain.innerText(), /^Resend code\s+in 0:\d\d$/);
  assert.ok(await sendAgain.isDisabled());
  await page.clock.fastForward(30_000);
  await sendAgain.click();
  await page.getByText('We sent a new code').waitFor();
  await page.clock.fastForward(30_000);
  assert.equal(await alert.count(), 0);
  await tryWrongCode();
  let status = 200;
  for (let n = 0; n < 10 && status === 200; n += 1) {
    const data = { email: MEMBER, type: 'sign-in' };
    const headers = { origin: portal.service.url };
    const sent = await context.request.post('/portal/api/auth/email-otp/send-verification-otp', { data, headers });
    status = sent.status();
  }
  assert.equal(status, 429);
  await sendAgain.click();
  await alert.filter({ hasText: /^Too many codes were sent to this address\. Try again in \d+ minutes?\.$/ }).waitFor();
  await page.getByText(/in [12]:\d\d$/).waitFor();
});

/** Sets up an authenticator app. Returns its current code and a recovery code. */
async function turnOnApp(page: Page): Promise<{ shown: () => string; recoveryCode: string }> {
  await page.getByRole('button', { name: 'Set up' }).click();
  await page.getByRole('button', { name: 'Start' }).click();
  await page.getByRole('button', { name: 'Copy secret' }).click();
  const secret = (await page.evaluate('navigator.clipboard.readText()')) as string;
  await page.getByRole('button', { name: 'Copy recovery codes' }).click();
  const [recoveryCode = ''] = ((await page.evaluate('navigator.clipboard.readText()')) as string).split('\n');
  assert.deepEqual(await findFaults(page), []);
  // Apps show a space in the middle.
  const shown = () => totp(secret, portal.service.clock.now()).replace(/^.../, '$& ');
  await page.getByLabel('Code from the app').fill(shown());
  await page.getByRole('button', { name: 'Turn on' }).click();
  await page.getByText('On', { exact: true }).waitFor();
  return { shown, recoveryCode };
}

test('with an authenticator app an email code alone does not sign in', async () => {
  await using visit = await portal.visit(null);
  const { page, context, complaints } = visit;
  await page.goto('/portal/account');
  await signIn(page, 'second@example.com');
  await page.getByRole('heading', { name: 'Your account' }).waitFor();
  const { shown, recoveryCode } = await turnOnApp(page);

  const proofs: [button: RegExp | undefined, label: string, code: () => string][] = [
    [undefined, 'Code from your authenticator app', shown],
    [/recovery code/, 'Recovery code', () => ` ${recoveryCode} `],
  ];
  for (const [button, label, code] of proofs) {
    await context.clearCookies();
    await page.goto('/portal/account');
    await signIn(page, 'second@example.com');
    await page.getByRole('heading', { name: 'Enter a second code' }).waitFor();
    assert.equal((await context.request.get('/portal/api/me')).status(), 401, 'an email code alone starts no session');
    if (button !== undefined) await page.getByRole('button', { name: button }).click();
    await page.getByLabel(label).fill(code());
    await page.getByRole('button', { name: 'Sign in', exact: true }).click();
    await page.getByRole('heading', { name: 'Your account' }).waitFor();
  }

  await page.getByRole('button', { name: 'Turn off' }).click();
  await page.getByRole('dialog').getByRole('button', { name: 'Turn off' }).click();
  await page.getByText('Off', { exact: true }).waitFor();
  assert.deepEqual(complaints, []);
});

test('after too many wrong codes the sign-in starts again', async () => {
  await using visit = await portal.visit(null);
  const { page, context, complaints } = visit;
  await page.goto('/portal/account');
  await signIn(page, 'second@example.com');
  const { shown } = await turnOnApp(page);
  await context.clearCookies();
  await page.goto('/portal/account');
  await signIn(page, 'second@example.com');
  const field = page.getByLabel('Code from your authenticator app');
  const refusals = [
    ...Array.from({ length: 5 }, () => 'This code is wrong. Wait for the next one in your app and try again.'),
    'Too many wrong codes. Start again.',
    'This sign-in has expired. Start again.',
  ];
  for (const sentence of refusals) {
    await field.fill('wrong');
    await page.getByRole('button', { name: 'Sign in', exact: true }).click();
    await page.getByRole('alert').filter({ hasText: sentence }).waitFor();
  }
  assert.deepEqual(await findFaults(page), []);
  await page.getByRole('button', { name: 'Use a recovery code' }).click();
  await page.getByRole('button', { name: 'Start again' }).click();
  await signIn(page, 'second@example.com');
  await field.fill(shown());
  await page.getByRole('button', { name: 'Sign in', exact: true }).click();
  await page.getByRole('heading', { name: 'Your account' }).waitFor();
  assert.deepEqual(complaints, []);
});

test('setting up an authenticator app needs a recent sign-in', async () => {
  await using visit = await portal.visit(null);
  const { page } = visit;
  await page.goto('/portal/account');
  await signIn(page, MEMBER);
  await page.getByRole('heading', { name: 'Your account' }).waitFor();
  await portal.service.sql(`update portal.sessions set created_at = created_at - interval '11 minutes'`);
  await page.getByRole('button', { name: 'Set up' }).click();
  await page.getByRole('button', { name: 'Start' }).click();
  const question = page.getByRole('dialog', { name: 'Confirm that it is you' });
  await question.waitFor();
  assert.deepEqual(await findFaults(page), []);
  await expectCode(portal.service);
  await question.getByRole('button', { name: 'Send code' }).click();
  await question.getByLabel('Code from the email').fill(await codeOf(portal.service, MEMBER));
  await question.getByRole('button', { name: 'Confirm' }).click();
  await page.getByRole('heading', { name: 'Recovery codes' }).waitFor();
});

test('a passkey is added, signs in without a mail, and is removed', async () => {
  // Browsers do not offer passkeys for IP addresses.
  const url = portal.service.url.replace('127.0.0.1', 'localhost');
  await using visit = await openVisit(portal.browser, url);
  const { page, context } = visit;
  const debug = await context.newCDPSession(page);
  await debug.send('WebAuthn.enable');
  await debug.send('WebAuthn.addVirtualAuthenticator', {
    options: {
      protocol: 'ctap2',
      transport: 'internal',
      hasResidentKey: true,
      hasUserVerification: true,
      isUserVerified: true,
      automaticPresenceSimulation: true,
    },
  });
  await page.goto('/portal/account');
  await signIn(page, ADMIN);
  await page.getByRole('button', { name: 'Add a passkey' }).click();
  await page.getByLabel('Name', { exact: true }).fill('Work laptop');
  await page.getByRole('button', { name: 'Add passkey' }).click();
  await page.getByRole('row', { name: /Work laptop/ }).waitFor();
  await page.getByRole('button', { name: 'Add a passkey' }).click();
  await page.getByLabel('Name', { exact: true }).fill('The same again');
  await page.getByRole('button', { name: 'Add passkey' }).click();
  await page.getByRole('alert').filter({ hasText: 'This device already has a passkey for you.' }).waitFor();

  await context.clearCookies();
  await page.goto('/portal/account');
  await page.getByRole('button', { name: 'Sign in with a passkey' }).click();
  await page.getByRole('row', { name: /Work laptop/ }).waitFor();
  await page.getByRole('button', { name: 'Remove Work laptop' }).click();
  await page.getByRole('button', { name: 'Remove passkey' }).click();
  await page.getByText('No passkeys yet.').waitFor();

  await context.clearCookies();
  await page.goto('/portal/sign-in');
  await page.getByRole('button', { name: 'Sign in with a passkey' }).click();
  await page.getByRole('alert').waitFor();
});

test('sessions are listed and can be ended from another browser', async () => {
  await using here = await portal.visit(null, { userAgent: 'Mozilla/5.0 (Windows NT 10.0) Firefox/150.0' });
  await here.page.goto('/portal/account');
  await signIn(here.page, MEMBER);
  await here.page.getByRole('row', { name: /Firefox on Windows.*This session/s }).waitFor();
  await using there = await portal.visit(null, { userAgent: 'Mozilla/5.0 (iPhone; like Mac OS X) Safari/604.1' });
  await there.page.goto('/portal/account');
  await signIn(there.page, MEMBER);
  await there.page.getByRole('row', { name: /Safari on iPhone.*This session/s }).waitFor();

  await here.page.reload();
  await here.page.getByRole('button', { name: 'Sign out Safari on iPhone' }).click();
  await here.page.getByText('Session ended.', { exact: true }).waitFor();
  assert.equal((await there.context.request.get('/portal/api/me')).status(), 401);
  assert.equal((await here.context.request.get('/portal/api/me')).status(), 200);
});

test('the sign-in and account pages pass axe in every size and theme', async () => {
  await expectCode(portal.service);
  await using stranger = await portal.visit(null);
  await stranger.page.goto('/portal/sign-in');
  await stranger.page.getByLabel('Email address').fill('stranger@example.com');
  await assertFaultless(stranger.page);
  await stranger.page.getByRole('button', { name: 'Send code' }).click();
  await stranger.page.getByLabel('Code', { exact: true }).waitFor();
  await assertFaultless(stranger.page);
  await using admin = await portal.visit(ADMIN);
  await admin.page.goto('/portal/account');
  await admin.page.getByRole('row', { name: /This session/ }).waitFor();
  await assertFaultless(admin.page);
});
