import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { emailGift, gift, linkGift } from '../../server/test/harness/api-client.ts';
import { ADMIN, assertFaultless, MEMBER, type PortalService, startPortal, takePictures } from './harness/portal.ts';

/** Totals, order and acts of long lists, and the ways to a page by keyboard. */

let portal: PortalService;
const gifts = { neutral: '', link: '' };
before(async () => {
  portal = await startPortal();
  const { sandbox } = portal.organization;
  const named = (recipient_name: string) => ({ personalization: { recipient_name } });
  const { body } = await sandbox.order([gift(named('First of all')), gift(named('Ada Lovelace')), linkGift()]);
  [, gifts.neutral, gifts.link] = body.gifts.map(({ gift_id }: { gift_id: string }) => gift_id);
  for (let n = 0; n < 3; n += 1)
    await sandbox.order(Array.from({ length: 10 }, (_, m) => emailGift(`delivered+${n}${m}`, 1000)));
});
after(() => portal?.close());

test('Ctrl-K opens what is typed, and keys lead to pages until they are turned off', async () => {
  await using visit = await portal.visit(MEMBER);
  const { page, complaints } = visit;
  await page.goto(portal.at('/audit'));
  await page.getByRole('heading', { name: 'Audit log', level: 1 }).waitFor();
  await page.keyboard.press('Control+k');
  const palette = page.getByRole('dialog', { name: 'Search' });
  await palette.getByRole('combobox').and(page.locator(':focus')).waitFor();
  await page.keyboard.type('lovelace');
  await palette.getByRole('option', { name: /^Ada Lovelace/ }).waitFor();
  await assertFaultless(page);
  await page.keyboard.press('Enter');
  await page.waitForURL(new RegExp(`${gifts.neutral}$`));
  await page.keyboard.press('Control+k');
  await page.keyboard.type(gifts.link.toUpperCase());
  await page.keyboard.press('Enter');
  await page.waitForURL(new RegExp(`${gifts.link}$`));
  await palette.waitFor({ state: 'detached' });
  await page.keyboard.type('go');
  await page.getByRole('heading', { name: 'Orders', level: 1 }).waitFor();
  await page.keyboard.press('?');
  await page.getByRole('dialog', { name: 'Keyboard shortcuts' }).getByRole('checkbox').uncheck();
  await assertFaultless(page);
  await page.keyboard.press('Escape');
  await page.keyboard.type('gg?/');
  await page.getByRole('heading', { name: 'Orders', level: 1 }).waitFor();
  assert.equal(await page.getByRole('dialog').count(), 0);
  assert.deepEqual(complaints, []);
});

test('the palette tells gifts to one person apart', async () => {
  const one = (amount: number) => gift({ amount, personalization: { recipient_name: 'Grace Hopper' } });
  const { body } = await portal.organization.sandbox.order([one(1500), one(2500), one(2500)]);
  await portal.organization.sandbox.post(`/v1/gifts/${body.gifts[2].gift_id}/cancel`);
  await using visit = await portal.visit(MEMBER);
  const { page } = visit;
  await page.goto(portal.at('/audit'));
  await page.getByRole('heading', { name: 'Audit log', level: 1 }).waitFor();
  await page.keyboard.press('Control+k');
  const palette = page.getByRole('dialog', { name: 'Search' });
  await palette.getByRole('combobox').and(page.locator(':focus')).waitFor();
  await page.keyboard.type('grace hopper');
  const option = palette.getByRole('option', { name: /^Grace Hopper/ });
  for (const words of [/\$15\.00 · Sent · Nov \d+, 2026/, /\$25\.00 · Sent/, /\$25\.00 · Canceled/])
    await option.filter({ hasText: words }).waitFor();
  await assertFaultless(page);
  const directory = process.env['PICTURES'];
  if (directory !== undefined) await takePictures(page, `${directory}/palette`);
});

test('a list begins with the oldest gifts, and pages on to newer ones', async () => {
  await using visit = await portal.visit(MEMBER);
  const { page } = visit;
  const first = page.getByRole('table', { name: 'Gifts' }).getByRole('row').nth(1);
  await page.goto(portal.at('/gifts'));
  await page.getByRole('combobox', { name: 'Order' }).selectOption('Oldest first');
  await page.waitForURL(/\?order=oldest$/);
  await first.getByText('First of all').waitFor();
  await page.getByRole('button', { name: 'Newer' }).click();
  await page.getByText('Showing 11 gifts.').waitFor({ state: 'attached' });
  await page.getByRole('button', { name: 'Older' }).click();
  await first.getByText('First of all').waitFor();
});

/** How often the gifts to this start of an address were sent. */
const timesSent = async (start: string) =>
  (
    await portal.service.sql<{ n: number }>(
      `select count(*)::integer as n from deliveries where address like $1 group by gift_id order by n`,
      [`${start}%`],
    )
  ).map(({ n }) => n);

test('an admin sends again all gifts that the filter finds, and each row shows its result', async () => {
  const { sql } = portal.service;
  await sql(`update gifts set redirect_count = 1000 where address like 'delivered+00@%'`);
  await using visit = await portal.visit(ADMIN);
  const { page, complaints } = visit;
  await page.goto(portal.at('/gifts?query=delivered%2B'));
  await page.getByRole('button', { name: 'Send again …' }).click();
  const dialog = page.getByRole('dialog', { name: 'Send gifts again' });
  await dialog.getByText('1 is left out: 1 sent as often as allowed.').waitFor();
  await dialog.getByLabel('All 29').check();
  await dialog.getByLabel(/delivered\+29@/).uncheck();
  // The server refuses what the list did not know of.
  await sql(`update gifts set redirect_count = 1000 where address like 'delivered+01@%'`);
  await assertFaultless(page);
  const directory = process.env['PICTURES'];
  if (directory !== undefined) await takePictures(page, `${directory}/resend`);
  await dialog.getByRole('button', { name: 'Send 28 again' }).click();
  await dialog.getByText('27 sent again, 1 refused.').waitFor();
  await dialog.getByRole('listitem').filter({ hasText: 'delivered+02@' }).getByText('Sent again').waitFor();
  await dialog.getByRole('listitem').filter({ hasText: 'delivered+01@' }).locator('.text-bad').waitFor();
  await dialog.getByRole('button', { name: 'Send 1 again' }).waitFor();
  await assertFaultless(page);
  assert.deepEqual(await timesSent('delivered+'), [1, 1, 1, ...Array.from({ length: 27 }, () => 2)]);
  assert.deepEqual(complaints, []);
});

test('a press that a reload interrupts goes on, and sends no gift twice', async () => {
  await portal.organization.sandbox.order(Array.from({ length: 5 }, (_, n) => emailGift(`bounced+${n}`, 1000)));
  await using visit = await portal.visit(ADMIN);
  const { page } = visit;
  let asked = 0;
  // The third gift is sent, but its answer never arrives.
  await page.route('**/resend', async (route) => {
    asked += 1;
    if (asked > 3) return await route.abort();
    await route.fetch();
    return asked < 3 ? await route.fulfill({ response: await route.fetch() }) : await route.abort();
  });
  await page.goto(portal.at('/gifts?query=bounced%2B'));
  await page.getByRole('button', { name: 'Send again …' }).click();
  const dialog = page.getByRole('dialog', { name: 'Send gifts again' });
  await dialog.getByRole('button', { name: 'Send 5 again' }).click();
  await dialog.getByText('2 sent again, 0 refused.').waitFor();
  await dialog.getByText(/^Stopped: /).waitFor();
  await page.unroute('**/resend');
  await page.reload();
  await page.getByRole('button', { name: 'Send again …' }).click();
  await dialog.getByText(/3 gifts of that press are left/).waitFor();
  await dialog.getByRole('button', { name: 'Send 3 again' }).click();
  await dialog.getByText('3 sent again, 0 refused.').waitFor();
  assert.deepEqual(await timesSent('bounced+'), [2, 2, 2, 2, 2]);
});
