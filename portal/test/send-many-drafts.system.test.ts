import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import type { Page } from 'playwright-core';
import { ADMIN, look, type PortalService, startPortal } from './harness/portal.ts';

let portal: PortalService;
before(async () => {
  portal = await startPortal();
});
after(() => portal?.close());

const batches = async () =>
  (
    await portal.service.sql<{ amount_cents: number }>(
      `select amount_cents::integer from batches where state <> 'draft' order by batch_id`,
    )
  ).map(({ amount_cents }) => amount_cents);

const openFile = async (page: Page) => {
  await page.goto(portal.at('/gifts/send-many'));
  await page.getByText('Drop a CSV or XLSX file here').waitFor();
};

const choose = (page: Page, name: string, lines: readonly string[]) =>
  page.getByLabel('Drop a CSV or XLSX file here').setInputFiles({
    name,
    mimeType: 'text/csv',
    buffer: Buffer.from(['email,amount,category', ...lines].join('\n')),
  });

const button = (page: Page, name: string) => page.getByRole('button', { name, exact: true });

/** Chooses a file whose rows are right, up to its review. */
async function review(page: Page, name: string, lines: readonly string[]): Promise<void> {
  await openFile(page);
  await choose(page, name, lines);
  await button(page, 'Check rows').click();
  await page.getByText('Balance after').waitFor();
}

test('a file with its answers and corrections survives reload, menu and “back”', async () => {
  await using visit = await portal.visit(ADMIN);
  const { page, complaints } = visit;
  const before = await batches();
  await openFile(page);
  await page.getByLabel('Or paste rows').fill('email\npasted@example.com');
  await page.reload();
  assert.match(await page.getByLabel('Or paste rows').inputValue(), /pasted@/);
  await choose(page, 'begun.csv', ['one@example.com,10,', 'two@example.com,2,coffee']);
  await page.getByLabel('Message for all').fill('Kept for all');
  await page.getByLabel('Category for all').selectOption('books');
  await page.reload();
  assert.equal(await page.getByLabel('Message for all').inputValue(), 'Kept for all');
  await button(page, 'Check rows').click();
  const wrong = page.getByLabel('Line 3: Amount');
  await wrong.fill('11');
  await page.getByRole('link', { name: 'Balance' }).click();
  await page.getByRole('heading', { name: 'Balance', level: 1 }).waitFor();
  await page.goBack();
  assert.equal(await wrong.inputValue(), '11');
  await page.reload();
  assert.equal(await wrong.inputValue(), '11');
  await button(page, 'Check corrections').click();
  await page.getByText('Balance after').waitFor();
  await page.goBack();
  await button(page, 'Check rows').waitFor();
  await page.goBack();
  await page.getByText('You have begun begun.csv').waitFor();
  await look(page, 'many-begun');
  await button(page, 'Go on').click();
  await page.getByText('“Kept for all”').first().waitFor();
  await page.reload();
  await button(page, 'Send 2 gifts').click();
  await page.getByRole('heading', { name: 'Progress' }).waitFor();
  assert.deepEqual(await batches(), [...before, 2_100]);
  await openFile(page);
  assert.equal(await page.getByText('You have begun').count(), 0);
  assert.deepEqual(complaints, []);
});

test('rows whose answer was lost are sent once, also after a reload', async () => {
  await using visit = await portal.visit(ADMIN);
  const { page } = visit;
  const before = await batches();
  await review(page, 'lost.csv', ['lost@example.com,12,coffee']);
  await page.route('**/start', async (route) => {
    await route.fetch();
    await route.abort('connectionreset');
  });
  await button(page, 'Send 1 gift').click();
  await page.getByText('No answer arrived').waitFor();
  await page.unroute('**/start');
  await page.reload();
  await page.getByText('No answer arrived').waitFor();
  await look(page, 'many-unanswered');
  assert.equal(await button(page, 'Change columns').count(), 0);
  // Another file would be bought beside it.
  await page.goto(portal.at('/gifts/send-many'));
  await button(page, 'Send again').click();
  await page.getByRole('heading', { name: 'Progress' }).waitFor();
  assert.deepEqual(await batches(), [...before, 1_200]);
});

test('rows change after a lost answer only once it is sure that they were not sent', async () => {
  await using visit = await portal.visit(ADMIN);
  const { page } = visit;
  const before = await batches();
  await review(page, 'late.csv', ['late@example.com,13,coffee']);
  let start = () => Promise.resolve(0);
  await page.route('**/start', async (route) => {
    start = async () => (await route.fetch()).status();
    await route.abort('connectionreset');
  });
  await button(page, 'Send 1 gift').click();
  await button(page, 'Find out whether they were sent').click();
  await page.getByText('Nothing was sent.').waitFor();
  await look(page, 'many-settled');
  await page.unroute('**/start');
  assert.equal(await start(), 422, 'the start that arrives late');
  await button(page, 'Send 1 gift').click();
  await page.getByRole('heading', { name: 'Progress' }).waitFor();
  assert.deepEqual(await batches(), [...before, 1_300]);

  await review(page, 'sent.csv', ['sent@example.com,14,coffee']);
  await page.route('**/start', async (route) => {
    await route.fetch();
    await route.abort('connectionreset');
  });
  await button(page, 'Send 1 gift').click();
  await button(page, 'Find out whether they were sent').click();
  await page.getByRole('heading', { name: 'Progress' }).waitFor();
  assert.deepEqual(await batches(), [...before, 1_300, 1_400]);
});

test('a form whose rows did not fit into the browser is settled before another file is chosen', async () => {
  await using visit = await portal.visit(ADMIN);
  const { page } = visit;
  const before = await batches();
  await review(page, 'narrow.csv', ['narrow@example.com,19,coffee']);
  await page.route('**/start', async (route) => {
    await route.fetch();
    await route.abort('connectionreset');
  });
  await button(page, 'Send 1 gift').click();
  await page.getByText('No answer arrived').waitFor();
  await page.evaluate(
    `for (const key of Object.keys(sessionStorage)) if (/many\\.(file|rows)$/.test(key)) sessionStorage.removeItem(key)`,
  );
  await page.goto(portal.at('/gifts/send-many'));
  await page.getByText('1 gift of “narrow.csv”, $19.00, may already be sent').waitFor();
  await look(page, 'many-without-rows');
  assert.equal(await button(page, 'Send again').count(), 0);
  await button(page, 'Find out whether they were sent').click();
  await page.getByRole('heading', { name: 'Progress' }).waitFor();
  assert.deepEqual(await batches(), [...before, 1_900]);
});

test('a sending that ends while another page is open says so there', async () => {
  await using visit = await portal.visit(ADMIN);
  const { page } = visit;
  const before = await batches();
  for (const isRefused of [false, true]) {
    await review(page, 'left.csv', [`left${isRefused}@example.com,15,coffee`]);
    const held = Promise.withResolvers<void>();
    await page.route('**/start', async (route) => {
      await held.promise;
      await (isRefused
        ? route.fulfill({ status: 422, json: { error: { code: 'refused', message: 'Not now.' } } })
        : route.continue());
    });
    await button(page, 'Send 1 gift').click();
    await page.getByRole('button', { name: 'Uploading…' }).waitFor();
    await page.getByRole('link', { name: 'Balance' }).click();
    await page.getByRole('heading', { name: 'Balance', level: 1 }).waitFor();
    // The page shows what goes on; another look at it changes nothing.
    await page.goBack();
    await page.getByRole('button', { name: 'Uploading…' }).waitFor();
    await page.getByRole('link', { name: 'Balance' }).click();
    await page.getByRole('heading', { name: 'Balance', level: 1 }).waitFor();
    held.resolve();
    await page
      .getByText(
        isRefused ? 'Failed: what you began on “Send many”. Not now.' : 'The gifts of “left.csv” are being sent.',
      )
      .waitFor();
    assert.match(page.url(), /balance$/);
    await page.unroute('**/start');
    await page.goBack();
    await (isRefused ? button(page, 'Send 1 gift') : page.getByText('Drop a CSV')).waitFor();
    assert.deepEqual(await batches(), [...before, 1_500]);
  }
});

const formIdIn = (page: Page) =>
  page.evaluate(
    `Object.keys(sessionStorage).map((key) => JSON.parse(sessionStorage.getItem(key)).formId).find((id) => id !== undefined)`,
  );

test('a tab that is duplicated has the same form, which is sent once', async () => {
  await using visit = await portal.visit(ADMIN);
  const { page, context } = visit;
  const before = await batches();
  await review(page, 'copied.csv', ['copied@example.com,18,coffee']);
  const opened = context.waitForEvent('page');
  // As “Duplicate tab” does, it copies the storage of the tab.
  await page.evaluate('void window.open(location.href)');
  const copy = await opened;
  await copy.getByText('Balance after').waitFor();
  assert.equal(await formIdIn(page), await formIdIn(copy));
  for (const tab of [page, copy]) {
    await button(tab, 'Send 1 gift').click();
    await tab.getByRole('heading', { name: 'Progress' }).waitFor();
  }
  assert.deepEqual(await batches(), [...before, 1_800]);
});

test('each tab has its own file and form', async () => {
  await using visit = await portal.visit(ADMIN);
  const { page, context } = visit;
  const before = await batches();
  await review(page, 'first.csv', ['first@example.com,16,coffee']);
  const other = await context.newPage();
  await openFile(other);
  assert.equal(await other.getByText('You have begun').count(), 0);
  await review(other, 'second.csv', ['second@example.com,17,coffee']);
  assert.notEqual(await formIdIn(page), await formIdIn(other));
  for (const tab of [page, other]) {
    await tab.reload();
    await button(tab, 'Send 1 gift').click();
    await tab.getByRole('heading', { name: 'Progress' }).waitFor();
  }
  assert.deepEqual(await batches(), [...before, 1_600, 1_700]);
});

test('ten thousand rows are kept; what does not fit is said', async () => {
  await using visit = await portal.visit(ADMIN);
  const { page } = visit;
  const rows = Array.from({ length: 10_000 }, (_, n) => `recipient.number${n}@company.example.com,10,coffee`);
  await openFile(page);
  await choose(page, 'large.csv', rows);
  await page.getByText('large.csv: 10,000 rows.').waitFor();
  await page.getByLabel('Message for all').fill('A short message that every row has.');
  await button(page, 'Check rows').click();
  await page.getByText('The balance does not cover these gifts').waitFor();
  assert.equal(await page.getByText('no room').count(), 0);
  await page.reload();
  await page.getByText('The balance does not cover these gifts').waitFor();
  await button(page, 'Change columns').click();
  await page.getByLabel('Message for all').fill('Long. '.repeat(80));
  await button(page, 'Check rows').click();
  await page.getByText('Your browser has no room to keep this').waitFor();
});
