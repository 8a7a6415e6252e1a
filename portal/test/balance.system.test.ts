import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import type { Page } from 'playwright-core';
import { addFunds } from '../../server/src/core/balances/change-balance.ts';
import { warnOfLowBalances } from '../../server/src/core/balances/warn-of-low-balances.ts';
import { linkGift } from '../../server/test/harness/api-client.ts';
import { OPERATOR } from '../../server/test/harness/operator.ts';
import { ADMIN, assertFaultless, exportCsv, MEMBER, type PortalService, startPortal } from './harness/portal.ts';

const ORDERS = 30;
const DAY_MS = 86_400_000;

let portal: PortalService;
before(async () => {
  portal = await startPortal({ FUNDING_INSTRUCTIONS: 'Example Bank\nIBAN DE00 1234' });
  const { service, organization } = portal;
  for (let n = 0; n < ORDERS; n += 1) {
    // The last two orders are in December, for a second statement.
    if (n === ORDERS - 2) await service.clock.jump(14 * DAY_MS);
    assert.equal((await organization.sandbox.order([linkGift(1000)])).status, 201);
  }
  const { organizationId } = organization;
  const transfer = { amountCents: 123_456, reference: 'invoice-17', note: `${'A long note '.repeat(20)}🎁` };
  await addFunds(service.service.deps, { organizationId, environment: 'sandbox', ...transfer, actor: OPERATOR });
});
after(() => portal?.close());

const entries = (page: Page) => page.getByRole('table', { name: 'Ledger entries, newest first' });

test('an admin adds test funds and sees them in the balance and the ledger', async () => {
  await using visit = await portal.visit(ADMIN);
  const { page, complaints, foreign } = visit;
  await page.goto(portal.at('/balance'));
  await page.getByText('$10,934.56', { exact: true }).first().waitFor();
  await page.getByRole('button', { name: 'Add test funds' }).click();
  const dialog = page.getByRole('dialog', { name: 'Add test funds' });
  const add = dialog.getByRole('button', { name: 'Add test funds' });
  const amount = dialog.getByLabel('Amount (USD)');
  for (const wrong of ['', '0', '-5', '1.234', '1000000.01', 'ten']) {
    await amount.fill(wrong);
    assert.ok(await add.isDisabled(), wrong);
  }
  await amount.blur();
  await dialog.getByText('Enter an amount such as 1250.00. Up to $1,000,000 at a time.').waitFor();
  await amount.fill('1,250.5');
  await add.click();
  await page.getByText('$1,250.50 of test funds added.', { exact: true }).waitFor();
  await page.getByTestId('balance').getByText('$12,185.06').waitFor();
  const [, newest] = await entries(page).getByRole('row').all();
  assert.match(
    (await newest?.innerText()) ?? '',
    /^Funds added\s*Test funds\s+\w+ \d+, 2026.*\+\$1,250\.50\s+\$12,185\.06/s,
  );
  assert.deepEqual([complaints, foreign], [[], []]);
});

test('the ledger is filtered, paged, kept in the URL and exported', async () => {
  await using visit = await portal.visit(MEMBER);
  const { page, complaints } = visit;
  await page.goto(portal.at('/balance'));
  const rows = entries(page).getByRole('row');
  await page.getByRole('button', { name: 'Older' }).click();
  await page.waitForURL(/[?&]after=led_/);
  await entries(page).getByRole('cell', { name: '+$10,000.00' }).waitFor();
  await page.reload();
  await entries(page).getByRole('cell', { name: '+$10,000.00' }).waitFor();
  await page.getByLabel('Kind').selectOption('Order');
  await page.waitForURL(/balance\?kind=order$/);
  await page.getByRole('button', { name: 'Older' }).click();
  await page.waitForURL(/kind=order&after=led_/);
  await entries(page).getByRole('cell', { name: '$9,970.00' }).waitFor();
  await page.getByRole('button', { name: 'Newer' }).click();
  await page.waitForURL(/kind=order&before=led_/);
  await page.getByLabel('From').fill('2026-12-01');
  await page.waitForURL(/balance\?kind=order&from=2026-12-01$/);
  await page.getByRole('button', { name: 'Older' }).waitFor({ state: 'detached' });
  assert.equal(await rows.count(), 3);
  const { name, lines } = await exportCsv(page);
  assert.deepEqual([name, lines.length], ['balance-sandbox.csv', 3]);
  for (const line of lines.slice(1))
    assert.match(line, /^led_\w+,2026-12-05T[\d:.]+Z,order,-10\.00,\d+\.\d\d,ord_\w+,,,$/);
  await page.getByLabel('To', { exact: true }).fill('2026-12-02');
  await page.getByText('No entries match these filters').waitFor();
  await page.getByRole('button', { name: 'Clear filters' }).click();
  await page.waitForURL(/balance$/);
  await rows.nth(25).waitFor();
  await rows.getByRole('link', { name: /^ord_/ }).first().click();
  await page.waitForURL(/\/sandbox\/orders\/ord_[0-9a-z]{26}$/);
  assert.deepEqual(complaints, []);
});

test('an admin sets, changes and turns off the low-balance alert', async () => {
  await using visit = await portal.visit(ADMIN);
  const { page, complaints } = visit;
  await page.goto(portal.at('/balance', 'live'));
  const panel = page.getByRole('region', { name: 'Low-balance alert' });
  const dialog = page.getByRole('dialog', { name: 'Low-balance alert' });
  await panel.getByText('Off', { exact: true }).waitFor();
  await panel.getByRole('button', { name: 'Set an amount' }).click();
  await dialog.getByLabel('Alert below (USD)').fill('20000');
  await dialog.getByRole('button', { name: 'Save' }).click();
  await panel.getByText('falls below $20,000.00').waitFor();
  // The balance is already below. A job does this once a minute.
  await warnOfLowBalances(portal.service.service.deps);
  await page.reload();
  await panel.getByText('Last alert sent').waitFor();
  await panel.getByRole('button', { name: 'Change' }).click();
  assert.equal(await dialog.getByLabel('Alert below (USD)').inputValue(), '20000.00');
  await dialog.getByLabel('Alert below (USD)').fill('500');
  await dialog.getByRole('button', { name: 'Save' }).click();
  await panel.getByText('falls below $500.00').waitFor();
  await panel.getByRole('button', { name: 'Change' }).click();
  await dialog.getByRole('button', { name: 'Turn off' }).click();
  await panel.getByText('Off', { exact: true }).waitFor();
  assert.deepEqual(complaints, []);
});

test('a change of the mode keeps no list and no open dialog', async () => {
  await using visit = await portal.visit(ADMIN);
  const { page, complaints } = visit;
  await page.goto(portal.at('/balance', 'live'));
  await entries(page).waitFor();
  const { sql } = portal.service;
  await sql('begin');
  await sql('lock table ledger_entries in access exclusive mode');
  await page.getByRole('link', { name: 'Sandbox', exact: true }).click();
  await page.getByText('Test data. No money moves and no messages are sent.').waitFor();
  assert.equal(await entries(page).count(), 0);
  await sql('commit');
  await entries(page).getByText('invoice-17').waitFor();

  await page.getByRole('button', { name: 'Set an amount' }).click();
  await page.getByRole('dialog').waitFor();
  await page.goBack();
  await page.getByText('Live balance', { exact: true }).waitFor();
  assert.equal(await page.getByRole('dialog').count(), 0);
  await entries(page).waitFor();
  assert.deepEqual(complaints, []);
});

test('the live balance shows how to add funds and takes no test funds', async () => {
  await using visit = await portal.visit(ADMIN);
  const { page } = visit;
  await page.goto(portal.at('/balance', 'live'));
  const panel = page.getByRole('region', { name: 'Add funds' });
  await panel.getByText('Example Bank').waitFor();
  assert.match(await panel.innerText(), /Example Bank\nIBAN DE00 1234/);
  await panel.getByRole('button', { name: 'Copy reference' }).click();
  assert.equal(await page.evaluate('navigator.clipboard.readText()'), portal.organization.organizationId);
  assert.equal(await page.getByRole('button', { name: 'Add test funds' }).count(), 0);
});

test('a statement shows opening and closing balance and prints without navigation', async () => {
  await using visit = await portal.visit(MEMBER);
  const { page, complaints } = visit;
  await page.goto(portal.at('/balance'));
  await page.getByRole('region', { name: 'Monthly statements' }).getByRole('link', { name: 'November 2026' }).click();
  await page.getByRole('heading', { name: 'Statement, November 2026', level: 1 }).waitFor();
  const summary = page.getByRole('table', { name: 'From the opening to the closing balance' });
  for (const name of [
    'Opening balance $0.00',
    'Funds added (1) +$10,000.00',
    'Corrections (0) $0.00',
    'Orders (28) -$280.00',
    'Closing balance $9,720.00',
  ])
    await summary.getByRole('row', { name, exact: true }).waitFor();
  assert.equal(await page.getByRole('table', { name: 'Entries, oldest first' }).getByRole('row').count(), 30);
  await page.evaluate('window.print = () => { document.title = "printed" }');
  await page.getByRole('button', { name: 'Print' }).click();
  assert.equal(await page.title(), 'printed');

  await page.emulateMedia({ media: 'print', colorScheme: 'dark' });
  for (const hidden of [
    page.getByRole('navigation', { name: 'Portal' }),
    page.getByRole('button', { name: 'Print' }),
    page.getByRole('link', { name: 'Export CSV' }),
    page.getByRole('link', { name: 'Back to the balance' }),
    page.getByText('Only admins can make changes'),
  ])
    assert.ok(!(await hidden.isVisible()), String(hidden));
  await page.getByText(portal.organization.organizationId).waitFor();
  assert.equal(await page.evaluate('getComputedStyle(document.body).color'), 'rgb(42, 27, 33)', 'ink on white');
  const sheet = await page.getByRole('article').boundingBox();
  assert.ok((sheet?.width ?? 0) > 1_000, `the sheet uses the width of the paper: ${sheet?.width}`);
  assert.deepEqual(complaints, []);
});

test('the balance pages pass axe in every size and theme', async () => {
  const stranger = await portal.service.organization({ sandbox: 0, live: 0 });
  const atStranger = (path: string) =>
    portal.at(path).replace(portal.organization.organizationId, stranger.organizationId);
  await using visit = await portal.visit(ADMIN);
  const { page } = visit;
  for (const [address, ready] of [
    [portal.at('/balance', 'live'), entries(page)],
    [portal.at('/balance/statements/2026-12'), page.getByRole('rowheader', { name: 'Closing balance' })],
    [atStranger('/balance'), page.getByText('No entries yet')],
    [atStranger('/balance/statements/2020-02'), page.getByText('No entries this month')],
    [portal.at('/balance'), entries(page)],
  ] as const) {
    await page.goto(address);
    await ready.waitFor();
    await assertFaultless(page);
  }
  await page.getByRole('button', { name: 'Add test funds' }).click();
  await page.getByRole('dialog').waitFor();
  await assertFaultless(page);
});
