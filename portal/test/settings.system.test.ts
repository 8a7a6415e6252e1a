import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import type { Page } from 'playwright-core';
import { PHONE } from './harness/browser.ts';
import { ADMIN, assertFaultless, look, MEMBER, type PortalService, startPortal } from './harness/portal.ts';

let portal: PortalService;
before(async () => {
  portal = await startPortal();
});
after(() => portal?.close());

/** The chosen words of each select that are wider than it. */
const cutOff = (page: Page): Promise<string[]> =>
  page.locator('main select').evaluateAll((selects) =>
    selects.flatMap((one) => {
      const select = one as HTMLSelectElement;
      const { font, paddingLeft, paddingRight } = getComputedStyle(select);
      const pen = document.createElement('canvas').getContext('2d') as CanvasRenderingContext2D;
      pen.font = font;
      const room = select.clientWidth - Number.parseFloat(paddingLeft) - Number.parseFloat(paddingRight);
      return [...select.options].flatMap(({ text }) => (pen.measureText(text).width > room ? [text] : []));
    }),
  );

test('no choice of the forms “Send a gift” and “Settings” is cut off on a phone', async () => {
  await using visit = await portal.visit(ADMIN, { viewport: PHONE });
  const { page } = visit;
  await page.goto(portal.at('/gifts/send'));
  await page.getByLabel('Language').waitFor();
  assert.deepEqual(await cutOff(page), []);
  await page.goto(portal.at('/settings'));
  await page.getByLabel('Language of pages').waitFor();
  assert.deepEqual(await cutOff(page), []);
});

test('each panel of the settings saves what its title says, and keeps what is typed in the others', async () => {
  await using visit = await portal.visit(ADMIN);
  const { page, complaints } = visit;
  await page.goto(portal.at('/settings'));
  const panel = (name: string) => page.getByRole('region', { name, exact: true });
  const expiry = panel('Unclaimed gifts').getByLabel('Days until an unclaimed gift expires');
  await panel('Messages and gift pages').getByLabel('Language of pages').selectOption('German');
  await expiry.fill('60');
  await panel('Reminders').getByLabel('Remind recipients').fill('7, 21');
  await panel('Reminders').getByRole('button', { name: 'Save' }).click();
  await page.getByText('Saved for later orders.').first().waitFor();
  assert.equal(await expiry.inputValue(), '60');
  await panel('Unclaimed gifts').getByRole('button', { name: 'Save' }).click();
  await page.getByText('Saved for later orders.').nth(1).waitFor();
  await look(page, 'settings');

  await using member = await portal.visit(MEMBER);
  await member.page.goto(portal.at('/settings'));
  await member.page.getByText('Gifts expire after 60 days.').waitFor();
  await member.page.getByText('Recipients are reminded after these days: 7, 21.').waitFor();
  await member.page.getByText('Language: the browser’s.').waitFor();
  await assertFaultless(member.page);
  assert.deepEqual([complaints, member.complaints], [[], []]);
});
