import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import type { Page } from 'playwright-core';
import type { Visit } from './harness/browser.ts';
import { ADMIN, look, type PortalService, signInAbove, startPortal, typeCode } from './harness/portal.ts';

/** A session that ends in the middle of a form: nothing typed is lost, and it is shown to no one else. */

const SECOND = 'second@example.com';

let portal: PortalService;
before(async () => {
  portal = await startPortal();
});
after(() => portal?.close());

const endSessions = () => portal.service.sql('delete from portal.sessions');
const button = (page: Page, name: string) => page.getByRole('button', { name, exact: true });

/** A visit with a session of its own, which others do not share. */
async function signedIn(): Promise<Visit> {
  const visit = await portal.visit(null);
  await visit.page.goto(portal.at('/gifts'));
  await typeCode(visit.page, portal.service, ADMIN);
  await visit.page.getByRole('heading', { name: 'Gifts', level: 1 }).waitFor();
  return visit;
}

const amounts = async () =>
  (await portal.service.sql<{ amount_cents: number }>('select amount_cents from orders order by order_id')).map(
    ({ amount_cents }) => amount_cents,
  );

async function write(page: Page, amount: string): Promise<void> {
  await page.goto(portal.at('/gifts/send'));
  await page.getByLabel('Email address').fill('ada@example.com');
  await page.getByLabel('Amount (USD)').fill(amount);
  await page.getByLabel('Category').selectOption('coffee');
  await page.getByLabel('Message').fill('Words that took an hour');
}

test('a gift is written on after signing in above it, and bought once', async () => {
  await using visit = await signedIn();
  const { page, complaints } = visit;
  const before = await amounts();
  await write(page, '21.00');
  await endSessions();
  await button(page, 'Review gift').click();
  await signInAbove(page, portal.service, ADMIN); // The check goes on by itself.
  await page.getByText('Balance after').waitFor();
  await page.getByText('Words that took an hour').first().waitFor();
  await endSessions();
  await button(page, 'Send gift').click();
  await button(page, 'Cancel').click();
  await page.getByRole('main').getByText('Sign in to continue.').waitFor();
  assert.deepEqual(await amounts(), before);
  await page.getByRole('main').getByRole('button', { name: 'Sign in' }).click();
  await page.getByRole('dialog', { name: 'Sign in to continue' }).waitFor();
  await look(page, 'ended-session');
  await signInAbove(page, portal.service, ADMIN);
  await button(page, 'Send gift').click();
  await page.getByText('Test gift created').waitFor();
  assert.deepEqual(await amounts(), [...before, 2_100]);
  assert.deepEqual(complaints, []);
});

test('a file of gifts is sent on after signing in above it, once', async () => {
  await using visit = await signedIn();
  const { page } = visit;
  await page.goto(portal.at('/gifts/send-many'));
  await page.getByLabel('Or paste rows').fill('email,amount,category\nmany@example.com,22,coffee');
  await button(page, 'Use pasted rows').click();
  await endSessions();
  await button(page, 'Check rows').click();
  await signInAbove(page, portal.service, ADMIN);
  await page.getByText('Balance after').waitFor();
  await endSessions();
  await button(page, 'Send 1 gift').click();
  await signInAbove(page, portal.service, ADMIN);
  await page.getByRole('heading', { name: 'Progress' }).waitFor();
  assert.equal((await portal.service.sql(`select from batches where state <> 'draft'`)).length, 1);
});

test('another person who signs in does not see what the first wrote', async () => {
  await using visit = await signedIn();
  const { page } = visit;
  await write(page, '23.00');
  await endSessions();
  await button(page, 'Review gift').click();
  await page.getByRole('link', { name: 'Sign in as someone else' }).click();
  await typeCode(page, portal.service, SECOND);
  await button(page, 'Review gift').waitFor();
  assert.equal(await page.getByLabel('Email address').inputValue(), '');
  assert.equal(await page.evaluate(`JSON.stringify({ ...sessionStorage }).includes('took an hour')`), false);
});
