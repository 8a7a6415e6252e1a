import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import type { Page } from 'playwright-core';
import { emailGift, gift, linkGift } from '../../server/test/harness/api-client.ts';
import { until } from '../../server/test/harness/server-process.ts';
import {
  ADMIN,
  assertFaultlessPages,
  findFaults,
  type PortalService,
  startPortal,
  takePictures,
} from './harness/portal.ts';

const HOUR_MS = 3_600_000;
const PAGE = 25;

let portal: PortalService;
/** 28 sandbox orders, one each hour, newest first. */
let orderIds: string[];
before(async () => {
  portal = await startPortal();
  const { service, organization } = portal;
  orderIds = [];
  for (let n = 0; n < 28; n += 1) {
    const { body } = await organization.sandbox.order([linkGift()], `import ${n}`);
    orderIds.unshift(body.order_id);
    await service.clock.jump(HOUR_MS);
  }
});
after(() => portal?.close());

const rows = (page: Page) => page.getByRole('table', { name: 'Orders' }).getByRole('row');
/** Waits for the number of rows in the status for screen readers. */
const waitForRows = (page: Page, count: number) =>
  page.getByText(`Showing ${count} ${count === 1 ? 'order' : 'orders'}.`).waitFor({ state: 'attached' });
const shownIds = async (page: Page) =>
  (await rows(page).allInnerTexts()).flatMap((text) => text.match(/ord_\w+/) ?? []);
const addressOf = (page: Page) => new URL(page.url()).search;

test('orders are paged, and the URL keeps the page', async () => {
  await using visit = await portal.visit();
  const { page, complaints, foreign } = visit;
  await page.goto(portal.at('/orders'));
  await waitForRows(page, PAGE);
  assert.deepEqual(await shownIds(page), orderIds.slice(0, PAGE));
  await page.getByRole('button', { name: 'Older' }).click();
  await waitForRows(page, 3);
  assert.deepEqual(await shownIds(page), orderIds.slice(PAGE));
  assert.equal(addressOf(page), `?after=${orderIds[PAGE - 1]}`);
  await page.reload();
  await waitForRows(page, 3);
  assert.ok(await page.getByRole('button', { name: 'Older' }).isDisabled());
  await page.getByRole('button', { name: 'Newer' }).click();
  await waitForRows(page, PAGE);
  await page.goBack();
  await waitForRows(page, 3);
  assert.deepEqual([complaints, foreign], [[], []]);
});

test('an order is found by id, idempotency key and days in the person’s time zone', async () => {
  // UTC+9: the fourth order, at 15:00 UTC, is the first of 22 November.
  await using visit = await portal.visit(ADMIN, { timezoneId: 'Asia/Tokyo' });
  const { page } = visit;
  const search = async (text: string) => {
    await page.getByRole('searchbox', { name: 'Find an order' }).fill(text);
    await page.keyboard.press('Enter');
  };
  await page.goto(portal.at(`/orders?after=${orderIds[3]}`));
  await search(orderIds[9] ?? '');
  await waitForRows(page, 1);
  assert.deepEqual(await shownIds(page), [orderIds[9]]);
  assert.equal(addressOf(page), `?query=${orderIds[9]}`);
  await search('import 4');
  await page.getByRole('cell', { name: new RegExp(orderIds.at(-5) ?? '') }).waitFor();
  await search('import');
  await page.getByText('No orders match these filters').waitFor();
  await page.getByRole('button', { name: 'Show all orders' }).click();
  await waitForRows(page, PAGE);

  await page.getByLabel('To', { exact: true }).fill('2026-11-21');
  await waitForRows(page, 3);
  assert.deepEqual(await shownIds(page), orderIds.slice(-3));
  await page.getByLabel('From', { exact: true }).fill('2026-11-22');
  // A filter is added to those that the list is shown by.
  await page.getByText('No orders match these filters').waitFor();
  await page.getByLabel('To', { exact: true }).fill('2026-11-22');
  await waitForRows(page, 24);
  assert.deepEqual(await shownIds(page), orderIds.slice(1, 25));
  assert.equal(addressOf(page), '?to=2026-11-22&from=2026-11-22');
  await page.getByRole('button', { name: 'Clear filters' }).click();
  await waitForRows(page, PAGE);
  assert.equal(addressOf(page), '');
});

test('a date typed digit by digit filters only when it is complete', async () => {
  await using visit = await portal.visit();
  const { page } = visit;
  await page.goto(portal.at('/orders'));
  const from = page.getByLabel('From', { exact: true });
  await from.pressSequentially('11222026');
  await page.waitForURL(/orders\?from=2026-11-22$/);
  assert.equal(await from.inputValue(), '2026-11-22');
  await page.getByRole('button', { name: 'Clear filters' }).waitFor();
  // The digits of the year added no history entries.
  await page.goBack();
  await page.getByRole('button', { name: 'Clear filters' }).waitFor({ state: 'detached' });
  await waitForRows(page, PAGE);
  assert.equal(addressOf(page), '');
  await until(async () => (await from.inputValue()) === '', 'the field is empty');
  const isHalf = () => page.evaluate(`document.querySelector('input[type=date]').validity.badInput`);
  for (const half of ['1122', '11222']) {
    await from.blur();
    await from.pressSequentially(half);
    assert.deepEqual([await isHalf(), await from.inputValue()], half.length > 4 ? [false, '0002-11-22'] : [true, '']);
    await from.blur();
    assert.deepEqual([await isHalf(), await from.inputValue(), addressOf(page)], [false, '', '']);
  }
  await page.setViewportSize({ width: 360, height: 780 });
  await page.getByRole('button', { name: 'Filters' }).click();
  const box = await from.boundingBox();
  assert.ok(box !== null && box.width > 150, 'the whole day is seen on a small phone');
});

test('a filter keeps the typed search, and “Clear filters” removes it', async () => {
  await using visit = await portal.visit();
  const { page } = visit;
  const search = page.getByRole('searchbox', { name: 'Find an order' });
  await page.goto(portal.at('/orders'));
  await search.fill('import 4');
  await page.getByLabel('From', { exact: true }).fill('2026-11-21');
  await waitForRows(page, 1);
  assert.equal(addressOf(page), '?query=import+4&from=2026-11-21');
  await page.goto(portal.at('/orders?from=2026-11-22'));
  await search.fill('import 4');
  await page.getByRole('button', { name: 'Clear filters' }).click();
  await waitForRows(page, PAGE);
  assert.equal(await search.inputValue(), '');
  assert.equal(addressOf(page), '');
});

test('an order’s page shows its gifts as soon as they are created', async () => {
  const { service, organization } = portal;
  const ada = gift({ amount: 4000, personalization: { recipient_name: 'Ada' }, delivery: email('ada@example.com') });
  const { body } = await organization.live.order([ada, linkGift()], 'live key');
  const sandbox = await organization.sandbox.order([emailGift('bounced'), emailGift('processing'), linkGift()], 'slow');
  await using visit = await portal.visit();
  const { page, complaints } = visit;
  await page.goto(portal.at('/orders', 'live'));
  await page.getByRole('link', { name: body.order_id }).click();
  await page.getByRole('heading', { name: 'Order of $65.00', level: 1 }).waitFor();
  const details = page.getByRole('main');
  for (const text of ['Processed', 'admin@example.com', 'live key', /^bestow-…/, '$9,935.00', /^led_/])
    await details.getByText(text, { exact: true }).waitFor();
  await page.getByRole('button', { name: 'Copy order ID' }).click();
  assert.equal(await page.evaluate('navigator.clipboard.readText()'), body.order_id);
  await page.getByRole('link', { name: 'Ada ada@example.com' }).click();
  await page.waitForURL(`**${portal.at(`/gifts/${body.gifts[0].gift_id}`, 'live')}`);

  await page.goto(portal.at(`/orders/${sandbox.body.order_id}`));
  await details.getByText('Processing', { exact: true }).waitFor();
  await page.getByText('2 more gifts will appear here within a minute.').waitFor();
  const gifts = page.getByRole('table', { name: 'Gifts of the order' }).getByRole('row');
  assert.equal(await gifts.count(), 2);
  await gifts.getByText('Failed').waitFor();
  await service.clock.advance(25_000);
  await details.getByText('Processed', { exact: true }).waitFor();
  assert.equal(await gifts.count(), 4);
  assert.deepEqual(complaints, []);
});

const email = (address: string) => ({ method: 'email', email: address });

test('the order pages pass axe in every size and theme', async () => {
  const { sandbox } = portal.organization;
  const gifts = [linkGift(), gift({ personalization: { recipient_name: 'Maximiliane '.repeat(16).trim() } })];
  const { body } = await sandbox.order(gifts, 'x'.repeat(255));
  await using visit = await portal.visit();
  const { page, complaints } = visit;
  await assertFaultlessPages(page, [
    [portal.at('/orders'), '$25.00'],
    [portal.at('/orders?query=nothing'), 'No orders match these filters'],
    [portal.at(`/orders/${body.order_id}`), 'Order of $50.00'],
    [portal.at('/orders/ord_x'), 'Order not found'],
  ]);
  assert.deepEqual(complaints, []);
});

test('a lost cursor leads to the empty list after a reset of the sandbox', async () => {
  await portal.organization.sandbox.post('/v1/sandbox/reset');
  await using visit = await portal.visit();
  const { page } = visit;
  await page.goto(portal.at(`/orders?after=${orderIds[3]}`));
  await page.getByText('No orders yet').waitFor();
  assert.equal(addressOf(page), '');
  assert.deepEqual(await findFaults(page), []);
});

test('references are on the pages of an order and its gift, and find both', async () => {
  const directory = process.env['PICTURES'];
  const references = { external_id: 'Summer-2026/77', metadata: { team: 'Field sales', city: 'Bern' } };
  const { body } = await portal.organization.live.post(
    '/v1/orders',
    { gifts: [{ ...linkGift(), ...references, external_id: 'row 7' }], ...references },
    { 'Idempotency-Key': 'referred' },
  );
  await using visit = await portal.visit();
  const { page, complaints } = visit;
  for (const [list, field, id, external] of [
    ['orders', 'Find an order', body.order_id, 'Summer-2026/77'],
    ['gifts', 'ID, address or name', body.gifts[0].gift_id, 'row 7'],
  ] as const) {
    await page.goto(portal.at(`/${list}`, 'live'));
    await page.getByRole('searchbox', { name: field }).fill('field SALES');
    await page.keyboard.press('Enter');
    await page.getByText(/^Showing 1 /).waitFor({ state: 'attached' });
    await page.goto(portal.at(`/${list}/${id}`, 'live'));
    await page.getByRole('definition').getByText(external).waitFor();
    await page.getByRole('listitem').filter({ hasText: 'team Field sales' }).waitFor();
    assert.deepEqual(await findFaults(page), []);
    if (directory !== undefined) await takePictures(page, `${directory}/references-${list}`);
  }
  assert.deepEqual(complaints, []);
});
