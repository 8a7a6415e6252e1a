import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { DAY_MS } from '../../server/src/platform/base/id-time.ts';
import { emailGift, gift, linkGift } from '../../server/test/harness/api-client.ts';
import { until } from '../../server/test/harness/server-process.ts';
import { ADMIN, assertFaultless, MEMBER, type PortalService, startPortal } from './harness/portal.ts';

let portal: PortalService;
before(async () => {
  portal = await startPortal();
  const { sandbox } = portal.organization;
  const longAddress = `${'very.long.'.repeat(6)}x@sandbox.gift.test`;
  for (const gifts of [
    [emailGift('delivered', 10_000), emailGift('opened', 5000), linkGift(2500)],
    [emailGift('bounced', 1200), emailGift('claimed', 5000), emailGift('spent', 5000)],
    [
      ...Array.from({ length: 8 }, () => emailGift('delivered', 50_000)),
      emailGift('bounced', 50_000),
      gift({ amount: 50_000, delivery: { method: 'email', email: longAddress } }),
    ],
  ])
    assert.equal((await sandbox.order(gifts)).status, 201);
});
after(() => portal?.close());

test('the overview shows a low balance and failed deliveries and links to both', async () => {
  await using visit = await portal.visit(ADMIN);
  const { page, complaints, foreign } = visit;
  await page.goto(portal.at(''));
  await page.getByText('$4,713.00', { exact: true }).waitFor();
  const attention = page.getByRole('region', { name: 'Needs attention' });
  await attention.getByText('Low balance').waitFor();
  await attention.getByText('2 failed deliveries').waitFor();
  await attention.getByRole('link', { name: 'bounced@sandbox.gift.test' }).first().click();
  await page.waitForURL(/\/sandbox\/gifts\/gift_[0-9a-z]{26}$/);
  // The URL changes before the page does; a click in between would be lost.
  await page.getByRole('heading', { name: 'Timeline' }).waitFor();
  await page.goBack();
  await attention.getByRole('link', { name: 'Show all failed' }).click();
  await page.waitForURL(/\/sandbox\/gifts\?status=failed$/);
  await page.getByRole('table', { name: 'Gifts' }).waitFor();
  await page.goBack();
  await attention.getByRole('link', { name: 'Add funds' }).click();
  await page.waitForURL(/\/sandbox\/balance$/);
  assert.deepEqual([complaints, foreign], [[], []]);
});

test('orders, their value and the gift status are charts and tables', async () => {
  await using visit = await portal.visit(MEMBER);
  const { page, complaints } = visit;
  await page.goto(portal.at(''));
  const orders = page.getByRole('region', { name: 'Orders', exact: true });
  await orders
    .getByRole('img', { name: 'Value of orders per day; $5,287.00 in 30 days.' })
    .locator('svg path')
    .waitFor();
  await orders.getByRole('img', { name: 'Orders per day; 3 in 30 days.' }).locator('svg path').waitFor();
  await orders.getByRole('button', { name: 'Show as table' }).click();
  const byDay = orders.getByRole('table', { name: 'Orders and their value per day' });
  await byDay.getByRole('row', { name: 'Nov 21, 2026 3 $5,287.00' }).waitFor();
  assert.equal(await byDay.getByRole('row').count(), 31);
  await orders.getByRole('button', { name: 'Show as chart' }).click();

  const deliveries = page.getByRole('region', { name: 'Deliveries' });
  const picture = deliveries.getByRole('img', {
    name: 'Gifts per day by status. Claimed: 2, Opened: 1, Not opened: 11, Canceled: 0, Failed: 2.',
  });
  await deliveries.getByRole('row', { name: 'Failed 2 13%' }).waitFor();
  await deliveries.getByText('9 delivered, 1 not yet delivered, 1 by link').waitFor();
  await picture.scrollIntoViewIfNeeded();
  // Repeat until the chart has measured itself and reacts.
  await until(async () => {
    const box = await picture.locator('svg').first().boundingBox();
    assert.ok(box);
    await page.mouse.move(0, 0);
    await page.mouse.move(box.x + box.width - 12, box.y + box.height / 2);
    return await picture.getByText('Nov 21, 2026').isVisible();
  }, 'the day is named');
  await deliveries.getByRole('button', { name: 'Show as table' }).click();
  await deliveries.getByRole('row', { name: 'Nov 21, 2026 2 1 11 0 2' }).waitFor();
  assert.deepEqual(complaints, []);
});

test('the overview has a range, with the period before beside it', async () => {
  await using visit = await portal.visit(MEMBER);
  const { page } = visit;
  await page.goto(portal.at(''));
  const range = page.getByRole('navigation', { name: 'Days' });
  await range.getByRole('link', { name: '7 days' }).click();
  await page.waitForURL(/\?days=7$/);
  const orders = page.getByRole('region', { name: 'Orders', exact: true });
  await orders.getByText('Last 7 days (UTC).').waitFor();
  await orders.getByText('before: $0.00').waitFor();
  await page.reload();
  await orders.getByRole('img', { name: 'Orders per day; 3 in 7 days.' }).waitFor();
  assert.deepEqual(await range.locator('[aria-current=page]').allTextContents(), ['7 days']);
});

test('an admin sends failed gifts again from the overview', async () => {
  await using visit = await portal.visit(ADMIN);
  const { page } = visit;
  await page.goto(portal.at(''));
  await page.getByRole('button', { name: 'Send again …' }).click();
  const dialog = page.getByRole('dialog', { name: 'Send gifts again' });
  await dialog.getByRole('button', { name: 'Send 2 again' }).click();
  await dialog.getByText('2 sent again, 0 refused.').waitFor();
});

test('the overview works if its charts cannot be loaded', async () => {
  await using visit = await portal.visit(MEMBER);
  const { page } = visit;
  await page.route('**/assets/overview-charts-*', (route) => route.abort());
  await page.goto(portal.at(''));
  const deliveries = page.getByRole('region', { name: 'Deliveries' });
  await deliveries.getByText('Could not load the chart. Use the table or reload the page.').waitFor();
  await page.getByText('$4,713.00', { exact: true }).waitFor();
  await deliveries.getByRole('button', { name: 'Show as table' }).click();
  await deliveries.getByRole('row', { name: 'Nov 21, 2026 2 1 11 0 2' }).waitFor();
});

test('a new organization gets a command for its first order that works', async () => {
  await using visit = await portal.visit(MEMBER);
  const { page, complaints } = visit;
  await page.goto(portal.at('', 'live'));
  const steps = page.getByRole('region', { name: 'First steps' });
  await steps.getByRole('listitem').filter({ hasText: 'Create a key (done)' }).waitFor();
  await steps.getByRole('listitem').filter({ hasText: 'Add funds (done)' }).waitFor();
  await page.getByText('No orders yet').waitFor();
  await steps.getByRole('button', { name: 'Copy command' }).click();
  const command = (await page.evaluate('navigator.clipboard.readText()')) as string;
  const [, url = '', body = ''] = /^curl -s -w '\\n' '(\S+)' \\\n[\s\S]+ -d '(.+)'$/.exec(command) ?? [];
  const headers = Object.fromEntries(
    [...command.matchAll(/-H '([^:]+): ([^']+)'/g)].map(([, name = '', value = '']) => [name, value]),
  );
  assert.deepEqual(headers, {
    Authorization: 'Bearer YOUR_KEY',
    'Idempotency-Key': 'my-first-order',
    'Content-Type': 'application/json',
  });
  const { keys } = portal.organization;
  const answer = await fetch(url, {
    method: 'POST',
    headers: { ...headers, Authorization: `Bearer ${keys.live}` },
    body,
  });
  assert.equal(answer.status, 201);
  const { gifts } = (await answer.json()) as { gifts: { delivery: unknown }[] };
  assert.deepEqual(gifts[0]?.delivery, { method: 'email', email: MEMBER, status: 'sent' });
  await page.reload();
  await page.getByRole('region', { name: 'Deliveries' }).waitFor();
  assert.equal(await steps.count(), 0);
  assert.deepEqual(complaints, []);
});

test('the overview passes axe in every size and theme', async () => {
  const stranger = await portal.service.organization({ sandbox: 0 });
  await using visit = await portal.visit(ADMIN);
  const { page } = visit;
  await page.goto(portal.at(''));
  await page
    .getByRole('img', { name: /Gifts per day/ })
    .locator('svg path')
    .first()
    .waitFor();
  await assertFaultless(page);
  for (const panel of ['Orders', 'Deliveries'])
    await page.getByRole('button', { name: `Show as table (${panel})` }).click();
  await assertFaultless(page);
  await page.goto(portal.at('').replace(portal.organization.organizationId, stranger.organizationId));
  await page.getByRole('region', { name: 'First steps' }).waitFor();
  await assertFaultless(page);
});

test('amounts are in the currency', async () => {
  const inPounds = await portal.service.second({ CURRENCY: 'GBP' });
  await using visit = await portal.visit(ADMIN);
  const { page } = visit;
  await page.goto(inPounds.url + portal.at(''));
  await page.getByText('£4,713.00', { exact: true }).waitFor();
  await page.getByRole('img', { name: 'Value of orders per day; £5,287.00 in 30 days.' }).waitFor();
  await page.goto(inPounds.url + portal.at('/balance'));
  await page.getByRole('cell', { name: '+£10,000.00' }).waitFor();
});

test('a balance that has been empty for over a week needs attention', async () => {
  const { sandbox } = portal.organization;
  assert.equal((await sandbox.order(Array.from({ length: 10 }, () => linkGift(47_130)))).status, 201);
  await portal.service.clock.jump(8 * DAY_MS);
  await using visit = await portal.visit(ADMIN);
  const { page } = visit;
  await page.goto(portal.at(''));
  const attention = page.getByRole('region', { name: 'Needs attention' });
  await attention.getByText('Empty. New orders are declined.').waitFor();
  await attention.getByRole('link', { name: 'Add funds' }).waitFor();
});
