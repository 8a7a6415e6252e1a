import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import { after, before, test } from 'node:test';
import type { Locator, Page } from 'playwright-core';
import { type MailServer, startMailServer, workUntil } from '../../server/test/harness/mail-server.ts';
import { encodeBytes } from './files/encode.ts';
import { ADMIN, assertFaultless, type PortalService, startPortal, takePictures } from './harness/portal.ts';
import { workbookOf } from './harness/xlsx.ts';

let mail: MailServer;
let portal: PortalService;
before(async () => {
  mail = await startMailServer();
  portal = await startPortal({ SMTP_URL: mail.url, MAIL_FROM: 'gifts@bestow.example' });
});
after(async () => {
  await portal?.close();
  await mail?.close();
});

const pictures = (page: Page, name: string) => {
  const directory = process.env['PICTURES'];
  return directory === undefined ? undefined : takePictures(page, `${directory}/${name}`);
};

async function openSendMany(page: Page, environment: 'live' | 'sandbox'): Promise<Locator> {
  await page.goto(portal.at('/gifts/send-many', environment));
  return page.getByLabel('Drop a CSV or XLSX file here');
}

const csvFile = (name: string, buffer: Buffer) => ({ name, mimeType: 'text/csv', buffer });

/** Every row of the review, found by scrolling. */
async function readReview(page: Page): Promise<Map<number, string>> {
  const list = page.getByRole('region', { name: 'Rows', exact: true });
  const rows = new Map<number, string>();
  for (let top = 0; ; top += 300) {
    await list.evaluate((element, to) => element.scrollTo(0, to), top);
    await page.waitForTimeout(50);
    // All at once: a row that leaves the page meanwhile could not be asked.
    const inSight = await list
      .getByRole('listitem')
      .evaluateAll((items) => items.map((item) => [item.ariaPosInSet, (item as HTMLElement).innerText] as const));
    for (const [position, text] of inSight) rows.set(Number(position), text.replace(/\s+/g, ' '));
    if (await list.evaluate((element) => element.scrollTop + element.clientHeight >= element.scrollHeight - 1))
      return rows;
  }
}

test('what the review of a file of Excel shows is what is mailed, and nothing else', async () => {
  await using visit = await portal.visit(ADMIN);
  const { page, complaints, foreign } = visit;
  const file = await openSendMany(page, 'live');
  const people = Array.from({ length: 30 }, (_, n) => ({
    email: `person${n}@firma.example`,
    name: `Jürgen Groß ${n}`,
    message: `Schöne Grüße, Nummer ${n}: für dich!`,
    amount: n % 2 === 0 ? '25,00' : '30',
  }));
  const lines = [
    'E-Mail;Name;Betrag;Kategorie;Nachricht',
    ...people.map(({ email, name, amount, message }) => `${email};${name};${amount};coffee;${message}`),
    'minus@firma.example;Minus;-25,00;coffee;Nicht senden',
  ];
  await file.setInputFiles(csvFile('Weihnachten.csv', encodeBytes(lines.join('\r\n'), 'windows-1252')));
  await page.getByRole('heading', { name: 'Which words are right?' }).waitFor();
  await assertFaultless(page);
  await pictures(page, 'file-letters');
  assert.ok(await page.getByRole('button', { name: 'Continue' }).isDisabled());
  await page.getByRole('radio', { name: /Jürgen Groß.*Western Europe, Windows/s }).check();
  await page.getByRole('button', { name: 'Continue' }).click();
  await page.getByRole('button', { name: 'Check rows' }).click();
  await page.getByRole('heading', { name: '1 of 31 rows needs a correction' }).waitFor();
  await page.getByRole('button', { name: 'Leave out this row' }).click();
  await page.getByText('Line 32: left out by you.').waitFor();
  for (const text of ['Rows', '15 gifts of $25.00', '15 gifts of $30.00', '$825.00'])
    await page.getByText(text, { exact: true }).first().waitFor();
  await page.getByRole('button', { name: /person7@firma\.example/ }).click();
  const letter = page.frameLocator('iframe[title="Preview of the email"]');
  await letter.getByText('Nummer 7: für dich!').waitFor();
  await assertFaultless(page);
  await pictures(page, 'file-review');
  const shown = await readReview(page);
  assert.equal(shown.size, people.length);
  await page.getByLabel('I know that they buy nothing').check();
  await page.getByRole('button', { name: 'Send 30 gifts' }).click();
  const mails = () => mail.received.filter(({ to }) => to.some((address) => address.endsWith('@firma.example')));
  await workUntil(portal.service, () => mails().length >= people.length, 'every person has a mail');
  await page.getByText('30 of 30 gifts bought').waitFor();
  assert.deepEqual(
    mails()
      .map(({ to, email: { text = '' } }) => [to.join(), /Schöne Grüße, Nummer \d+: für dich!/.exec(text)?.[0]])
      .sort(),
    people.map(({ email, message }) => [email, message]).sort(),
  );
  for (const [index, { email, name, message }] of people.entries()) {
    const row = shown.get(index + 1) ?? '';
    for (const text of [email, name, message, index % 2 === 0 ? '$25.00' : '$30.00'])
      assert.ok(row.includes(text), row);
  }
  assert.deepEqual([complaints, foreign], [[], []]);
});

test('a workbook with sheets, hidden rows and a title asks, and its links can be taken away', async () => {
  await using visit = await portal.visit(ADMIN);
  const { page } = visit;
  const file = await openSendMany(page, 'sandbox');
  const headings = ['name', 'amount', 'method'];
  const rows = [['Cards for the party'], [], headings, ['Ada', 25, 'link'], ['Bo', 25, 'link'], ['Cy', 30, 'link']];
  const buffer = workbookOf([
    { name: 'Last year', rows: [headings, ['Old', 50, 'link']], isHidden: true },
    { name: 'Party', rows, hiddenRows: [5] },
    { name: 'Other', rows: [headings, ['Else', 40, 'link']] },
  ]);
  await file.setInputFiles({ name: 'party.xlsx', mimeType: 'application/octet-stream', buffer });
  await page.getByText('party.xlsx, sheet “Party”: 3 rows.').waitFor();
  assert.match(await page.getByLabel('Sheet').innerText(), /^Party \(5 lines\)\s+Other \(2 lines\)$/);
  assert.ok(await page.getByRole('button', { name: 'Check rows' }).isDisabled());
  await page.getByLabel('Category for all').selectOption('coffee');
  await page.getByLabel('1 hidden row: leave out or take?').selectOption('Leave it out');
  await assertFaultless(page);
  await pictures(page, 'file-questions');
  await page.getByRole('button', { name: 'Check rows' }).click();
  await page.getByText('Line 1: above the headings.').waitFor();
  await page.getByText('Line 5: hidden in the sheet.').waitFor();
  await page.getByRole('button', { name: 'Send 2 gifts' }).click();
  await workUntil(portal.service, () => page.getByText('2 of 2 gifts bought').isVisible(), 'the gifts were bought');
  await page.getByRole('button', { name: 'Download links' }).click();
  const [download] = await Promise.all([
    page.waitForEvent('download'),
    page.getByRole('dialog').getByRole('button', { name: 'Download links' }).click(),
  ]);
  const links = (await readFile(await download.path(), 'utf8')).match(/http\S+\/g\/[\w-]+/g) ?? [];
  assert.equal(new Set(links).size, 2);
  await page.goto(links[0] ?? '');
  await page.getByText('Ada').first().waitFor();
});

/** Presses the tabulator, or Shift with it, until the element has the focus. */
async function tabTo(page: Page, element: Locator, key = 'Tab'): Promise<void> {
  for (let presses = 0; presses < 80; presses += 1) {
    if (await element.evaluate((node) => node === document.activeElement)) return;
    await page.keyboard.press(key);
  }
  assert.fail('The element cannot be reached by the keyboard.');
}

test('a list is pasted, answered, corrected, reviewed and sent with the keyboard only', async () => {
  await using visit = await portal.visit(ADMIN);
  const { page } = visit;
  await openSendMany(page, 'sandbox');
  const press = async (name: string | RegExp, key = 'Tab') => {
    const button = page.getByRole('button', { name });
    await button.waitFor();
    await tabTo(page, button, key);
    await page.keyboard.press('Enter');
  };
  await tabTo(page, page.getByLabel('Or paste rows'));
  await page.keyboard.insertText('key1@example.com\t25\tcoffee\nkey2@example.com\t25k\tcoffee\n');
  await press('Use pasted rows');
  const choose = async (label: string, text: string) => {
    const field = page.getByLabel(label, { exact: true });
    await field.waitFor();
    await tabTo(page, field);
    await page.keyboard.type(text);
    await page.keyboard.press('Tab');
  };
  await choose('Is one of these lines the headings?', 'No');
  await choose('Email address', 'key1');
  await choose('Amount', '25');
  await choose('Category', 'coffee');
  await press('Check rows');
  const amount = page.getByLabel('Line 2: Amount');
  await amount.waitFor();
  await tabTo(page, amount);
  await page.keyboard.press('Control+A');
  await page.keyboard.type('30');
  await press('Check corrections');
  const search = page.getByLabel('Find a row');
  await search.waitFor();
  await tabTo(page, search);
  await page.keyboard.type('key2');
  await page.getByText('1 row found').waitFor();
  await press(/key2@example\.com/);
  // The page ends after the preview: back to the button above the rows.
  await press('Send 2 gifts', 'Shift+Tab');
  await workUntil(portal.service, () => page.getByText('2 of 2 gifts bought').isVisible(), 'the gifts were bought');
});

test('a workbook is read beside the page, and one that spans too much is refused with a sentence', async () => {
  await using visit = await portal.visit(ADMIN);
  const { page } = visit;
  const file = await openSendMany(page, 'sandbox');
  const rows = [
    ['email', 'amount', 'category'],
    ['far@example.com', 25, 'coffee'],
  ];
  const upload = (lastRows: string) =>
    file.setInputFiles({
      name: 'far.xlsx',
      mimeType: 'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet',
      buffer: workbookOf([{ name: 'People', rows, lastRows }]),
    });
  await upload('<row r="9"><c r="XFD9"><v>1</v></c></row>');
  await page.getByText('something in column XFD; at most 500 columns are read.').waitFor();
  const started = page.waitForEvent('worker');
  await upload('<row r="1048576"><c r="XFD1048576" s="0"/></row>');
  assert.match((await started).url(), /\/portal\/assets\/file-worker-/);
  await page.getByRole('button', { name: 'Check rows' }).click();
  await page.getByRole('button', { name: 'Send 1 gift' }).waitFor();
});

test('ten thousand rows are reviewed with only those in sight in the page', async () => {
  await using visit = await portal.visit(ADMIN);
  const { page } = visit;
  const file = await openSendMany(page, 'sandbox');
  const rows = Array.from({ length: 10_000 }, (_, n) => `many${n}@example.com,10,coffee,Person ${n}`);
  await file.setInputFiles(csvFile('all.csv', Buffer.from(['email,amount,category,name', ...rows].join('\n'))));
  await page.getByRole('button', { name: 'Check rows' }).click();
  await page.getByText('10,000 rows', { exact: true }).waitFor();
  const list = page.getByRole('region', { name: 'Rows', exact: true });
  assert.ok((await list.getByRole('listitem').count()) < 60);
  await list.evaluate((element) => element.scrollTo(0, element.scrollHeight));
  await page.getByText('many9999@example.com').first().waitFor();
  await page.getByLabel('Find a row').fill('person 5000');
  await page.getByText('1 row found').waitFor();
  await assertFaultless(page);
});
