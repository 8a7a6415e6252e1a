import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import { after, before, test } from 'node:test';
import { workUntil } from '../../server/test/harness/mail-server.ts';
import { PHONE } from './harness/browser.ts';
import { ADMIN, assertFaultless, MEMBER, type PortalService, startPortal, takePictures } from './harness/portal.ts';
import { xlsxOf } from './harness/xlsx.ts';

let portal: PortalService;
before(async () => {
  portal = await startPortal();
});
after(() => portal?.close());

const orders = () =>
  portal.service.sql<{ idempotency_key: string; amount_cents: number }>(
    'select idempotency_key, amount_cents from orders order by order_id',
  );

test('an admin drops a file, corrects it, leaves a duplicate out and sends it', async () => {
  await using visit = await portal.visit(ADMIN, { viewport: PHONE });
  const { page, complaints, foreign } = visit;
  await page.goto(portal.at('/gifts'));
  await page.getByRole('link', { name: 'Send', exact: true }).click();
  await page.getByRole('link', { name: 'Send many' }).click();
  await page.getByText('Drop a CSV or XLSX file here').waitFor();
  await assertFaultless(page);
  const people = Array.from({ length: 12 }, (_, n) => [
    `person${n + 1}@example.com`,
    `Person ${n + 1}`,
    '25.00',
    'coffee',
  ]);
  const lines = [
    ['E-mail', 'Full name', 'Worth', 'Category'],
    ...people,
    ['person1@EXAMPLE.com', 'Again', '25', 'coffee'],
    ['wrong', 'Wrong', '25', 'books'],
    ['cheap@example.com', 'Cheap', '2', 'books'],
  ];
  await page.getByLabel('Drop a CSV or XLSX file here').setInputFiles({
    name: 'people.csv',
    mimeType: 'text/csv',
    buffer: Buffer.from(lines.map((line) => line.join(';')).join('\r\n')),
  });
  await page.getByRole('heading', { name: 'What do the columns mean?' }).waitFor();
  assert.equal(await page.getByLabel('Email address', { exact: true }).inputValue(), '0');
  await page.getByLabel('Amount', { exact: true }).selectOption({ label: 'Worth' });
  await assertFaultless(page);
  await page.getByRole('button', { name: 'Check rows' }).click();
  await page.getByRole('heading', { name: '2 of 15 rows need a correction' }).waitFor();
  await page.getByText('Must be an email address such as').waitFor();
  await assertFaultless(page);
  await page.getByLabel('Line 15: Email address').fill('right@example.com');
  await page.getByRole('button', { name: 'Check corrections' }).click();
  await page.getByRole('heading', { name: '1 of 15 rows needs a correction' }).waitFor();
  await page.getByRole('button', { name: 'Leave out line 16' }).click();
  await page.getByText('1 row may be a second gift to the same person').waitFor();
  assert.ok(await page.getByRole('button', { name: 'Send 14 gifts' }).isDisabled());
  await page.getByRole('button', { name: 'Leave out 1 row' }).click();
  await page.getByText('$325.00').first().waitFor();
  await page.getByText('Balance after').waitFor();
  assert.deepEqual(await orders(), []);
  await assertFaultless(page);
  await page.getByRole('button', { name: 'Send 13 gifts' }).click();
  await page.getByRole('heading', { name: 'Progress' }).waitFor();
  await workUntil(
    portal.service,
    () => page.getByText('13 of 13 gifts bought').isVisible(),
    'the page shows that every gift was bought',
  );
  await page.getByText('Done', { exact: true }).waitFor();
  await assertFaultless(page);
  assert.deepEqual(
    (await orders()).map(({ idempotency_key, amount_cents }) => [idempotency_key.slice(-2), amount_cents]),
    [
      ['_1', 25_000],
      ['_2', 7_500],
    ],
  );
  const [download] = await Promise.all([
    page.waitForEvent('download'),
    page.getByRole('link', { name: 'Download results' }).click(),
  ]);
  assert.match(await readFile(await download.path(), 'utf8'), /\r\n13,placed,gift_\w+,ord_\w+,sent,\w+,25\.00,books/);
  await page.getByRole('button', { name: 'Cancel unclaimed gifts' }).click();
  await page.getByRole('dialog').getByRole('button', { name: 'Cancel unclaimed gifts' }).click();
  await workUntil(
    portal.service,
    async () => (await page.getByText('Canceled', { exact: true }).count()) === 13,
    'the page shows the canceled gifts',
  );
  assert.deepEqual([complaints, foreign], [[], []]);
});

test('Excel files and pasted cells are read; a batch beyond the balance is not sent', async () => {
  await using visit = await portal.visit(ADMIN);
  const { page } = visit;
  const before = (await orders()).length;
  await page.goto(portal.at('/gifts/send-many'));
  await page.getByLabel('Drop a CSV or XLSX file here').setInputFiles({
    name: 'people.xlsx',
    mimeType: 'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet',
    buffer: xlsxOf([
      ['email', 'amount'],
      ['excel@example.com', 12.5],
    ]),
  });
  await page.getByLabel('Category for all').selectOption('coffee');
  await page.getByRole('button', { name: 'Check rows' }).click();
  await page.getByText('$12.50').first().waitFor();
  await page.getByRole('button', { name: 'Change columns' }).click();
  await page.getByRole('button', { name: 'Other file' }).click();
  const cells = Array.from({ length: 30 }, (_, n) => `pasted${n}@example.com\t500`);
  await page.getByLabel('Or paste rows').fill(['email\tamount', ...cells].join('\n'));
  await page.getByRole('button', { name: 'Use pasted rows' }).click();
  await page.getByLabel('Category for all').selectOption('coffee');
  await page.getByRole('button', { name: 'Check rows' }).click();
  await page.getByText('The balance does not cover these gifts').waitFor();
  assert.ok(await page.getByRole('button', { name: 'Send 30 gifts' }).isDisabled());
  assert.equal((await orders()).length, before);
});

test('gifts of a file are scheduled, by their row or for all, and links exist at once', async () => {
  const directory = process.env['PICTURES'];
  const inDays = (days: number) => new Date(Date.now() + days * 86_400_000).toISOString().slice(0, 16);
  const forAll = inDays(20);
  const planned = `${inDays(9).slice(0, 10)} 09:30`;
  const lines = [
    'email,send on,method',
    'all@example.com,,',
    `row@example.com,${planned},`,
    ',,link',
    'never@example.com,tomorrow,',
  ];
  await using visit = await portal.visit(ADMIN);
  const { page } = visit;
  await page.goto(portal.at('/gifts/send-many'));
  await page.getByLabel('Or paste rows').fill(lines.join('\n'));
  await page.getByRole('button', { name: 'Use pasted rows' }).click();
  await page.getByLabel('Amount for all').fill('12.50');
  await page.getByLabel('Category for all').selectOption('coffee');
  await page.getByLabel('When we send them').selectOption('Later');
  assert.ok(await page.getByRole('button', { name: 'Check rows' }).isDisabled());
  await page.getByLabel('Date and time').fill(forAll);
  await assertFaultless(page);
  if (directory !== undefined) await takePictures(page, `${directory}/many-columns`);
  await page.getByRole('button', { name: 'Check rows' }).click();
  await page.getByText('Enter a date and a time, such as 2026-12-24 09:00.').waitFor();
  await page.getByLabel('Line 5: Send at').fill('2027-02-31 08:00');
  await page.getByRole('button', { name: 'Check corrections' }).click();
  await page.getByText('Enter a date and a time, such as 2026-12-24 09:00.').waitFor();
  await page.getByLabel('Line 5: Send at').fill('2027-02-01T08:00:00+01:00');
  await page.getByRole('button', { name: 'Check corrections' }).click();
  await page.getByText('Sent later').waitFor();
  if (directory !== undefined) await takePictures(page, `${directory}/many-review`);
  await page.getByRole('button', { name: 'Send 4 gifts' }).click();
  await workUntil(portal.service, () => page.getByText('4 of 4 gifts bought').isVisible(), 'every gift was bought');
  const { body } = await portal.organization.sandbox.get('/v1/gifts?limit=4');
  assert.deepEqual(
    body.data.map(({ scheduled_for }: { scheduled_for?: string }) => scheduled_for?.slice(0, 16)).reverse(),
    [forAll, planned.replace(' ', 'T'), undefined, '2027-02-01T07:00'],
  );
});

test('members who are not admins see sent files and no form', async () => {
  await using visit = await portal.visit(MEMBER);
  const { page } = visit;
  await page.goto(portal.at('/gifts/send-many'));
  await page.getByText('Your role does not include sending gifts').waitFor();
  await page.goto(portal.at('/gifts/files'));
  await page.getByRole('link', { name: 'people.csv' }).click();
  await page.getByRole('heading', { name: 'Progress' }).waitFor();
  assert.equal(await page.getByRole('button', { name: 'Cancel unclaimed gifts' }).count(), 0);
});
