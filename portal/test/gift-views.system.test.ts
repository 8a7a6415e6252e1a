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

test('a saved view opens by its name and its link, on another machine too', async () => {
  let link = '';
  {
    await using visit = await portal.visit(MEMBER);
    const { page, complaints } = visit;
    await page.goto(portal.at('/gifts?status=sent&order=largest&columns=status,sender,amount'));
    await page.getByRole('button', { name: 'Views …' }).click();
    const dialog = page.getByRole('dialog', { name: 'Saved views' });
    await dialog.getByLabel('Name of the present view').fill('Large and not opened');
    await dialog.getByRole('button', { name: 'Save view' }).click();
    await dialog.waitFor({ state: 'detached' });
    await page.getByRole('navigation', { name: 'Saved views' }).locator('[aria-current=page]').waitFor();
    await page.getByRole('button', { name: 'Views …' }).click();
    await dialog.getByRole('button', { name: 'Rename “Large and not opened”' }).click();
    await dialog.getByLabel('New name of “Large and not opened”').fill('To call');
    await dialog.getByRole('button', { name: 'Rename', exact: true }).click();
    await dialog.getByRole('button', { name: 'Copy link of “To call”' }).click();
    await dialog.getByText('Copied').waitFor({ state: 'attached' });
    link = (await page.evaluate('navigator.clipboard.readText()')) as string;
    await assertFaultless(page);
    await pictured(page, 'views');
    assert.deepEqual(complaints, []);
  }
  await using other = await portal.visit(MEMBER);
  const { page } = other;
  await page.goto(portal.at('/gifts'));
  await page.getByRole('navigation', { name: 'Saved views' }).getByRole('link', { name: 'To call' }).click();
  await page.waitForURL(/status=sent/);
  const isShown = async () => {
    await page.getByText('Showing 3 gifts.').waitFor({ state: 'attached' });
    assert.deepEqual(await headings(page), ['Recipient', 'Status', 'Sender', 'Amount']);
    assert.deepEqual(await table(page).getByText(/^\$/).allTextContents(), ['$90.00', '$30.00', '$10.00']);
  };
  await isShown();
  await pictured(page, 'view');
  await page.goto(link);
  await isShown();
  await page.getByRole('button', { name: 'Views …' }).click();
  await page.getByRole('button', { name: 'Remove “To call”' }).click();
  await page.getByRole('navigation', { name: 'Saved views' }).waitFor({ state: 'detached' });
});
