import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { addOperator } from '../../server/src/capabilities/operators/operators.ts';
import { OPERATOR } from '../../server/test/harness/operator.ts';
import { OPERATOR_EMAIL } from '../../server/test/harness/operator-client.ts';
import { openVisit, PHONE } from './harness/browser.ts';
import {
  actWithReason,
  type OperatedService,
  signInAsOperator,
  startOperatedService,
} from './harness/operator-page.ts';
import { look, MEMBER, typeCode } from './harness/portal.ts';

let portal: OperatedService;
before(async () => {
  portal = await startOperatedService();
});
after(() => portal?.close());

test('an operator signs in with an authenticator app, sees who they are, and signs out of both', async () => {
  await using visit = await portal.operatorVisit(null);
  const { page, complaints, foreign, context } = visit;
  await page.goto('/operator/organizations');
  await page.getByRole('heading', { name: 'Sign in' }).waitFor();
  await look(page, 'operator-sign-in');
  await signInAsOperator(page, portal);
  await page.getByRole('heading', { name: 'Organizations', level: 1 }).waitFor();
  assert.match(page.url(), /\/operator\/organizations$/);
  await page.getByText(OPERATOR_EMAIL).first().waitFor();
  await page.getByText(/^Session ends in \d\d min$/).waitFor();
  assert.equal(await page.title(), 'Organizations · Operator · Bestow');
  await look(page, 'operator-organizations-empty');

  await page.getByRole('button', { name: 'Sign out' }).click();
  await page.getByRole('heading', { name: 'Sign in' }).waitFor();
  const names = (await context.cookies()).map(({ name }) => name);
  assert.deepEqual(
    names.filter((name) => /operator|session/.test(name)),
    [],
  );
  await page.goto('/operator/organizations');
  await page.getByLabel('Email address').waitFor();
  assert.deepEqual([complaints, foreign], [[], []]);
});

test('on a phone the pages are behind a button', async () => {
  await using visit = await portal.operatorVisit();
  const { page } = visit;
  await page.setViewportSize(PHONE);
  await page.goto('/operator');
  await page.getByRole('button', { name: 'Menu' }).click();
  await look(page, 'operator-menu');
  await page.setViewportSize(PHONE);
});

test('a member who opens the page sees no data, and is told that they are no operator', async () => {
  await using visit = await portal.visit(MEMBER);
  const { page } = visit;
  await page.goto('/operator/organizations');
  await page.getByRole('heading', { name: 'This address is no operator’s' }).waitFor();
  await look(page, 'operator-refused');
  await page.getByRole('button', { name: 'Sign in as someone else' }).click();
  await page.getByLabel('Email address').waitFor();
});

test('an operator without a second factor is led to their account', async () => {
  const email = 'new@gifts.example';
  await addOperator(portal.service.service.deps, { email, actor: OPERATOR });
  await using visit = await portal.operatorVisit(null);
  const { page } = visit;
  await page.goto('/operator');
  await typeCode(page, portal.service, email);
  await page.getByRole('heading', { name: 'Set up a second factor' }).waitFor();
  await look(page, 'operator-second-factor');
  await page.getByRole('link', { name: 'Open your account' }).click();
  await page.getByRole('heading', { name: 'Your account' }).waitFor();
});

test('a passkey signs an operator in, and confirms an act', async () => {
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
  const email = 'passkey@gifts.example';
  await addOperator(portal.service.service.deps, { email, actor: OPERATOR });
  await page.goto('/portal/account');
  await typeCode(page, portal.service, email);
  await page.getByRole('button', { name: 'Add a passkey' }).click();
  await page.getByLabel('Name', { exact: true }).fill('Work laptop');
  await page.getByRole('button', { name: 'Add passkey' }).click();
  await page.getByRole('row', { name: /Work laptop/ }).waitFor();
  await context.clearCookies();
  await page.goto('/operator/catalog');
  await page.getByRole('button', { name: 'Sign in with a passkey' }).click();
  await page.getByRole('button', { name: 'Retire coffee' }).click();
  await portal.service.clock.jump(11 * 60_000);
  await actWithReason(page, 'Retire category', 'No shop sells it.');
  await page.getByRole('button', { name: 'Use a passkey' }).click();
  await page.getByText('Retired “coffee”.').waitFor();
});
