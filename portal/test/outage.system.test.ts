import assert from 'node:assert/strict';
import { after, afterEach, before, test } from 'node:test';
import type { Page } from 'playwright-core';
import { linkGift } from '../../server/test/harness/api-client.ts';
import { allowConnections } from '../../server/test/harness/test-database.ts';
import { type OperatedService, startOperatedService } from './harness/operator-page.ts';
import { ADMIN, assertFaultless, look } from './harness/portal.ts';

/** What pages show while PostgreSQL answers no one, and that they load by themselves afterwards. */

let operated: OperatedService;
before(async () => {
  operated = await startOperatedService();
  await operated.organization.sandbox.order([linkGift()]);
});
afterEach(() => allow(true));
after(() => operated?.close());

const allow = (isAllowed: boolean) => allowConnections(operated.service.target, isAllowed);
const at = (page: string) => `/portal/${operated.organization.organizationId}/sandbox${page}`;

const SENTENCE = 'The service is not available at the moment.';

async function assertUnread(page: Page): Promise<void> {
  await page.getByText(`${SENTENCE} This page loads by itself when it is back.`).first().waitFor();
  assert.equal(await page.getByText('created or charged').count(), 0);
}

test('lists that are opened during an outage say so, keep the menu, and load by themselves', async () => {
  await using visit = await operated.visit(ADMIN);
  const { page } = visit;
  await page.clock.install();
  await page.goto(at('/balance'));
  await page.getByTestId('balance').waitFor();
  await allow(false);
  // Who has signed in is read again after a minute.
  await page.clock.fastForward(61_000);
  const changes: string[] = [];
  page.on('request', (request) => request.method() !== 'GET' && changes.push(request.url()));
  for (const name of ['Gifts', 'Approvals']) {
    await page.getByRole('link', { name, exact: true }).first().click();
    await page.getByRole('heading', { name, level: 1 }).waitFor();
    await assertUnread(page);
    await page.getByRole('navigation').getByRole('link', { name: 'Settings' }).waitFor();
    await assertFaultless(page);
  }
  await look(page, 'outage-approvals');
  await allow(true);
  await page.getByText('No requests yet').waitFor();
  assert.deepEqual(changes, []);
});

test('a page that is opened during an outage loads by itself', async () => {
  await using visit = await operated.visit(ADMIN);
  const { page } = visit;
  await allow(false);
  await page.goto(at('/gifts'));
  await assertUnread(page);
  await look(page, 'outage-opened');
  await allow(true);
  await page.getByRole('table', { name: 'Gifts' }).waitFor();
});

test('the operator’s page loads by itself', async () => {
  await using visit = await operated.operatorVisit();
  const { page } = visit;
  await page.goto('/operator/organizations');
  await page.getByRole('link', { name: 'Test Organization' }).waitFor();
  await allow(false);
  await page.getByRole('link', { name: 'Work' }).first().click();
  await assertUnread(page);
  await allow(true);
  await page.getByText(SENTENCE).first().waitFor({ state: 'detached' });
});

test('the sign-in says that the service is not available', async () => {
  await using visit = await operated.visit(null);
  const { page } = visit;
  await page.goto('/portal/sign-in');
  await page.getByLabel('Email address').fill(ADMIN);
  await allow(false);
  await page.getByRole('button', { name: 'Send code' }).click();
  await page.getByText(`${SENTENCE} Try again in a minute.`).waitFor();
});
