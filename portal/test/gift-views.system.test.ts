import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import type { Page } from 'playwright-core';
import { emailGift } from '../../server/test/harness/api-client.ts';
import { assertFaultless, MEMBER, type PortalService, startPortal, takePictures } from './harness/portal.ts';

/** The order, the columns and the saved views of the list of gifts. */

let portal: PortalService;
before(async () => {
  portal = await startPortal();
  const { sandbox } = portal.organization;
  await sandbox.order([3000, 9000, 1000].map((amount) => emailGift('delivered', amount)));
  await sandbox.order([emailGift('bounced', 7000), emailGift('claimed', 5000)]);
});
after(() => portal?.close());

const table = (page: Page) => page.getByRole('table', { name: 'Gifts' });
const headings = (page: Page) => table(page).getByRole('columnheader').allTextContents();

async function pictured(page: Page, name: string): Promise<void> {
  const directory = process.env['PICTURES'];
  if (directory !== undefined) await takePictures(page, `${directory}/${name}`);
}

test('the list of gifts sorts by amount, and its address has the order', async () => {
  await using visit = await portal.visit(MEMBER);
  const { page, complaints } = visit;
  await page.goto(portal.at('/gifts'));
  await page.getByRole('combobox', { name: 'Order' }).selectOption('Largest first');
  await page.waitForURL(/\?order=largest$/);
  await table(page).getByRole('row').nth(1).getByText('$90.00').waitFor();
  const amounts = await table(page).getByText(/^\$/).allTextContents();
  assert.deepEqual(amounts, ['$90.00', '$70.00', '$50.00', '$30.00', '$10.00']);
  await page.goto(portal.at('/gifts?order=claimed'));
  await table(page).getByRole('row').nth(1).getByText('$50.00').waitFor();
  assert.deepEqual(complaints, []);
});

test('the columns that a person chose stay on the next visit', async () => {
  await using visit = await portal.visit(MEMBER);
  const { page, complaints } = visit;
  await page.goto(portal.at('/gifts'));
  await page.getByRole('button', { name: 'Columns …' }).click();
  const dialog = page.getByRole('dialog', { name: 'Columns' });
  await dialog.getByRole('checkbox', { name: 'Claimed' }).check();
  await dialog.getByRole('checkbox', { name: 'Method' }).uncheck();
  await assertFaultless(page);
  await pictured(page, 'columns');
  await dialog.getByRole('button', { name: 'Done' }).click();
  await page.waitForURL(/columns=/);
  const chosen = ['Recipient', 'Status', 'Category', 'Ordered', 'Claimed', 'Amount'];
  assert.deepEqual(await headings(page), chosen);
  await page.goto(portal.at('/gifts'));
  await table(page).waitFor();
  assert.deepEqual(await headings(page), chosen);
  await pictured(page, 'gifts');
  assert.deepEqual(complaints, []);
});
