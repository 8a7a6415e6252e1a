import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import type { Locator, Page } from 'playwright-core';
import { linkGift } from '../../server/test/harness/api-client.ts';
import { type OperatedService, startOperatedService } from './harness/operator-page.ts';
import { ADMIN } from './harness/portal.ts';

/** A double click, or Enter twice, does once what a single press does. */

let operated: OperatedService;
before(async () => {
  operated = await startOperatedService();
});
after(() => operated?.close());

const at = (page: string, environment = 'sandbox') =>
  `/portal/${operated.organization.organizationId}/${environment}${page}`;

/** Presses while answers are held back. Returns how many changes were sent. */
async function changesOf(page: Page, press: () => Promise<void>): Promise<number> {
  let changes = 0;
  const pressed = Promise.withResolvers<void>();
  const isChange = (url: URL) => /\/api\//.test(url.pathname);
  await page.route(isChange, async (route) => {
    if (route.request().method() !== 'GET') {
      changes++;
      await pressed.promise;
    }
    await route.continue();
  });
  await Promise.all([page.waitForRequest((request) => request.method() !== 'GET'), press()]);
  pressed.resolve();
  return changes;
}

async function assertOnce(page: Page, button: Locator, done: string): Promise<void> {
  assert.equal(await changesOf(page, () => button.dblclick()), 1);
  await page.getByText(done).waitFor();
  await page.unrouteAll({ behavior: 'wait' });
}

test('the button of a page releases a gift once', async () => {
  const { body } = await operated.organization.sandbox.order([linkGift()]);
  const giftId: string = body.gifts[0].gift_id;
  await using visit = await operated.visit(ADMIN);
  const { page } = visit;
  await page.goto(at(`/gifts/${giftId}`));
  await page.getByRole('button', { name: 'Put on hold' }).click();
  await page.getByRole('dialog').getByRole('button', { name: 'Put on hold' }).click();
  await assertOnce(page, page.getByRole('button', { name: 'Release gift' }), 'Gift released.');
});

test('the button of a dialog resets the sandbox once', async () => {
  await using visit = await operated.visit(ADMIN);
  const { page } = visit;
  await page.goto(at('/settings'));
  await page.getByRole('button', { name: 'Reset sandbox' }).click();
  const dialog = page.getByRole('dialog');
  await dialog.getByRole('textbox').fill('Test Organization');
  await assertOnce(page, dialog.getByRole('button', { name: 'Reset sandbox' }), 'Sandbox reset: ');
});

test('a form that is sent by Enter twice is sent once', async () => {
  await using visit = await operated.visit(ADMIN);
  const { page } = visit;
  await page.goto(at('/settings'));
  const name = page.getByLabel('Name', { exact: true });
  await name.fill('Renamed Organization');
  const enterTwice = async () => {
    await Promise.all([page.keyboard.press('Enter'), page.keyboard.press('Enter')]);
  };
  assert.equal(await changesOf(page, enterTwice), 1);
  await page.unrouteAll({ behavior: 'wait' });
});

test('the button of an operator’s act acts once', async () => {
  await using visit = await operated.operatorVisit();
  const { page } = visit;
  await page.goto(`/operator/organizations/${operated.organization.organizationId}`);
  await page.getByRole('button', { name: 'Suspend' }).click();
  const dialog = page.getByRole('dialog');
  await dialog.getByLabel('Reason').fill('Its bank called us.');
  await assertOnce(page, dialog.getByRole('button', { name: 'Suspend organization' }), 'Suspended “');
});
