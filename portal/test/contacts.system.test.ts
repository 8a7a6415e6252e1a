import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import type { Page } from 'playwright-core';
import { allowRequests } from '../../server/test/harness/gift-requests.ts';
import { createPortalClient } from '../../server/test/harness/portal-client.ts';
import {
  ADMIN,
  assertFaultless,
  exportCsv,
  MEMBER,
  type PortalService,
  startPortal,
  takePictures,
} from './harness/portal.ts';
import { xlsxOf } from './harness/xlsx.ts';

let portal: PortalService;
before(async () => {
  portal = await startPortal();
});
after(() => portal?.close());

test('an admin adds a contact, finds it by its tag, edits and deletes it', async () => {
  await using visit = await portal.visit(ADMIN);
  const { page, complaints, foreign } = visit;
  await page.goto(portal.at('/contacts'));
  await page.getByText('No contacts yet').waitFor();
  await page.getByRole('button', { name: 'Add a contact' }).click();
  const adding = page.getByRole('dialog', { name: 'Add a contact' });
  await adding.getByLabel('Email address or phone number').fill('ada');
  await adding.getByLabel('Name').fill('Ada Lovelace');
  await adding.getByLabel('Tags').fill('berlin, team');
  await adding.getByLabel('Birthday').fill('10.12.');
  await adding.getByRole('button', { name: 'Save contact' }).click();
  await adding.getByText('Enter an email address, or a phone number').waitFor();
  await adding.getByLabel('Email address or phone number').fill('ada@example.com');
  await assertFaultless(page);
  await adding.getByRole('button', { name: 'Save contact' }).click();
  const row = page.getByRole('row', { name: /Ada Lovelace/ });
  await row.getByText('December 10').waitFor();
  await assertFaultless(page);

  await page.getByLabel('Tag', { exact: true }).selectOption('team (1)');
  await page.waitForURL(/tag=team/);
  await page.getByLabel('Name, address or reference').fill('grace');
  await page.keyboard.press('Enter');
  await page.getByText('No contacts match these filters').waitFor();
  await page.getByRole('button', { name: 'Show all contacts' }).click();

  await page.getByRole('button', { name: 'Edit ada@example.com' }).click();
  const editing = page.getByRole('dialog', { name: 'Edit the contact' });
  assert.equal(await editing.getByLabel('Birthday').inputValue(), '12-10');
  await editing.getByLabel('First day of work').fill('2021-09-01');
  await editing.getByRole('button', { name: 'Save contact' }).click();
  await row.getByText('Sep 1, 2021').waitFor();

  await page.getByRole('button', { name: 'Delete ada@example.com' }).click();
  const question = page.getByRole('dialog', { name: 'Delete Ada Lovelace?' });
  await question.getByRole('button', { name: 'Delete contact' }).click();
  await page.getByText('No contacts yet').waitFor();
  assert.deepEqual([complaints, foreign], [[], []]);
});

const chooseFile = (page: Page, name: string, buffer: Buffer) =>
  page.getByLabel('Drop a CSV or XLSX file here').setInputFiles({ name, mimeType: 'application/octet-stream', buffer });

test('an admin imports a workbook, sees each row first, and exports the contacts', async () => {
  const directory = process.env['PICTURES'];
  await using visit = await portal.visit(ADMIN);
  const { page, complaints } = visit;
  await page.goto(portal.at('/contacts'));
  await page.getByRole('link', { name: 'Import' }).click();
  await page.getByRole('heading', { name: 'Import contacts' }).waitFor();
  if (directory !== undefined) await takePictures(page, `${directory}/contact-file`);
  const rows = [
    ['Name', 'E-Mail-Adresse', 'Abteilung', 'Geburtstag', 'Referenz'],
    ['Grace Hopper', 'grace@example.com', 'team', '09.12.1906', 'E-2'],
    ['Alan Turing', 'alan@example.com', 'team; berlin', { value: 46_196, format: 'd. mmmm' }, 'E-3'],
    ['Nobody', 'nobody@example.com', '', 'soon', ''],
    ['Wrong', 'wrong@', '', '', ''],
  ];
  await chooseFile(page, 'people.xlsx', Buffer.from(xlsxOf(rows)));
  await page.getByRole('heading', { name: 'What do the columns mean?' }).waitFor();
  assert.equal(await page.getByLabel('Birthday').inputValue(), '3');
  await assertFaultless(page);
  await page.getByRole('button', { name: 'Check rows' }).click();
  await page.getByRole('heading', { name: '2 of 4 rows need a correction' }).waitFor();
  await page.getByText('Must be an email address').waitFor();
  await assertFaultless(page);
  if (directory !== undefined) await takePictures(page, `${directory}/contact-corrections`);
  await page.getByLabel('Line 4: Birthday').fill('1. 2.');
  await page.getByRole('button', { name: 'Check corrections' }).click();
  await page.getByRole('heading', { name: '1 of 4 rows needs a correction' }).waitFor();
  await page.getByRole('button', { name: 'Leave out this row' }).click();
  await page
    .getByRole('row', { name: /Alan Turing/ })
    .getByText('June 23')
    .waitFor();
  await page.getByText('Line 5: left out by you.').waitFor();
  await assertFaultless(page);
  if (directory !== undefined) await takePictures(page, `${directory}/contact-import`);
  await page.getByRole('button', { name: 'Import 3 contacts' }).click();
  await page.getByRole('status').getByText('Added').waitFor();
  await assertFaultless(page);
  await page.getByRole('link', { name: 'Show contacts' }).click();
  await page.getByRole('row', { name: /Grace Hopper/ }).waitFor();
  if (directory !== undefined) await takePictures(page, `${directory}/contacts`);
  const { lines } = await exportCsv(page);
  assert.equal(lines.length, 4);
  assert.ok(lines.includes('grace@example.com,,Grace Hopper,,team,E-2,1906-12-09,'), lines.join('\n'));
  assert.ok(lines.includes('alan@example.com,,Alan Turing,,team; berlin,E-3,06-23,'), lines.join('\n'));
  assert.deepEqual(complaints, []);
});

const google = (...rows: string[]) =>
  Buffer.from(
    [
      'First Name,Last Name,Organization Department,Birthday,Notes,Labels,E-mail 1 - Label,E-mail 1 - Value,Anniversary',
      ...rows,
    ].join('\r\n'),
  );

test('a file of Google is asked about once, corrected and imported, and its choices are used again', async () => {
  const directory = process.env['PICTURES'];
  await using visit = await portal.visit(ADMIN);
  const { page, complaints } = visit;
  await page.goto(portal.at('/contacts/import'));
  const ada = 'Ada,Lovelace,Research,04/05/1985,,* myContacts ::: Friends,* Work,ada@google.example,6/5/2010';
  await chooseFile(page, 'contacts.csv', google(ada, 'Bo,Berg,Sales,--12-11,,* myContacts,* Work,bo@google,'));
  await page.getByRole('heading', { name: 'What do the columns mean?' }).waitFor();
  assert.ok(await page.getByRole('button', { name: 'Check rows' }).isDisabled());
  await page.getByText('Say what “Anniversary” means.').waitFor();
  await assertFaultless(page);
  if (directory !== undefined) await takePictures(page, `${directory}/contact-columns`);
  await page.getByLabel('What does “Anniversary” mean?').selectOption('Something else: not used');
  await page.getByLabel('Which date is 01/02/2027?').selectOption('2 January 2027');
  await page.getByLabel('Tags').selectOption('Organization Department');
  await page.getByRole('button', { name: 'Check rows' }).click();
  await page.getByLabel('Line 3: Email address').fill('bo@google.example');
  await page.getByRole('button', { name: 'Check corrections' }).click();
  await page.getByRole('button', { name: 'Import 2 contacts' }).click();
  await page.getByRole('link', { name: 'Show contacts' }).click();
  const row = page.getByRole('row', { name: /ada@google\.example/ });
  await row.getByText('Apr 5, 1985').waitFor();
  await row.getByText('Research').waitFor();

  const kept = await page.evaluate(() => JSON.stringify(localStorage));
  assert.match(kept, /Organization Department/);
  for (const text of ['google.example', 'Lovelace', '1985', 'contacts.csv']) assert.ok(!kept.includes(text), text);
  await page.goto(portal.at('/contacts/import'));
  await chooseFile(page, 'next.csv', google(ada, 'Cy,Cole,Sales,07/08/1990,,* myContacts,* Work,cy@google.example,'));
  await page.getByText('Your choices for it are used again.').waitFor();
  await assertFaultless(page);
  if (directory !== undefined) await takePictures(page, `${directory}/contact-recalled`);
  await page.getByRole('button', { name: 'Check rows' }).click();
  await page.getByText('As before').waitFor();
  await page.getByRole('button', { name: 'Change columns' }).click();
  await page.getByRole('button', { name: 'Forget them' }).click();
  await page.getByText('Say what “Anniversary” means.').waitFor();
  assert.doesNotMatch(await page.evaluate(() => JSON.stringify(localStorage)), /Organization Department/);
  assert.deepEqual(complaints, []);
});

test('an export of contacts is read back as the same contacts', async () => {
  const people = [
    { delivery: { method: 'phone', phone: '+12025550199' }, name: '-Ada-', tags: ['@home', '+vip', '* starred'] },
    { delivery: { method: 'email', email: 'minus@example.com' }, name: "'-Bo", external_id: '-7', birthday: '12-10' },
    {
      delivery: { method: 'email', email: 'comma@example.com' },
      name: 'a;-b',
      tags: ['Berlin, Mitte', '5" ;-x', "'=y"],
    },
    { delivery: { method: 'email', email: 'pt@example.com' }, language: 'pt-BR', work_anniversary: '2021-09-01' },
  ];
  for (const person of people) await portal.organization.sandbox.put('/v1/contacts', person);
  await using visit = await portal.visit(ADMIN);
  const { page } = visit;
  await page.goto(portal.at('/contacts'));
  const { lines } = await exportCsv(page);
  await page.goto(portal.at('/contacts/import'));
  await chooseFile(page, 'contacts-sandbox.csv', Buffer.from(lines.join('\r\n')));
  await page.getByRole('button', { name: 'Check rows' }).click();
  const count = lines.length - 1;
  await page.getByRole('button', { name: `Import ${count} contacts` }).click();
  const result = await page.getByRole('status').filter({ hasText: 'Added' }).innerText();
  assert.deepEqual(result.match(/\d+/g), ['0', '0', String(count), '0']);
});

test('a list that replaces names who is missing or has left, and deletes no one else', async () => {
  const directory = process.env['PICTURES'];
  const save = (name: string, tags: string[]) =>
    portal.organization.sandbox.put('/v1/contacts', {
      delivery: { method: 'email', email: `${name}@list.example` },
      name,
      tags,
    });
  for (const name of ['stays', 'missing', 'left', 'saved']) await save(name, ['monthly']);
  await save('outside', []);
  await using visit = await portal.visit(ADMIN);
  const { page, complaints } = visit;
  await page.goto(portal.at('/contacts/import'));
  const file = ['Email,Status,Tags', 'stays@list.example,Active,monthly', 'left@list.example,Terminated,monthly'];
  await chooseFile(page, 'monthly.csv', Buffer.from(file.join('\n')));
  await page.getByRole('button', { name: 'Check rows' }).click();
  const missing = page.getByRole('table', { name: 'Contacts that are not in the file' });
  await missing.getByRole('row', { name: /left@list\.example.*Left, as the file says/ }).waitFor();
  assert.equal(await missing.getByRole('row').count(), 2);
  await page.getByLabel('This file is the whole list of').selectOption('Contacts with the tag monthly');
  await missing.getByRole('row', { name: /missing@list\.example.*Not in the file/ }).waitFor();
  assert.equal(await missing.getByRole('row').count(), 4);
  await page.getByRole('button', { name: 'Import 1 contact', exact: true }).waitFor();
  await page.getByLabel('3 contacts below').selectOption('Delete them');
  await assertFaultless(page);
  if (directory !== undefined) await takePictures(page, `${directory}/contact-missing`);
  await portal.service.clock.jump(1_000);
  await save('saved', ['monthly', 'again']);
  await page.getByRole('button', { name: 'Import 1 contact and delete 3' }).click();
  const result = page.getByRole('status').filter({ hasText: 'Deleted' });
  assert.match(await result.innerText(), /Deleted\s+2\s+Saved since, so kept\s+1/);
  await page.goto(portal.at('/contacts?query=list.example'));
  await page.getByRole('row', { name: /stays@/ }).waitFor();
  const rows = page.getByRole('row', { name: /@list\.example/ });
  assert.deepEqual((await rows.allInnerTexts()).map((text) => /\w+@/.exec(text)?.[0]).sort(), [
    'outside@',
    'saved@',
    'stays@',
  ]);
  assert.deepEqual(complaints, []);
});

test('a member who may ask for gifts sees the contacts and no way to change them', async () => {
  const admin = await createPortalClient(portal.service, ADMIN);
  await allowRequests(admin, portal.organization);
  await portal.organization.sandbox.put('/v1/contacts', {
    delivery: { method: 'email', email: 'katherine@example.com' },
  });
  await using visit = await portal.visit(MEMBER);
  const { page, complaints } = visit;
  await page.goto(portal.at('/contacts'));
  await page.getByRole('row', { name: /katherine@example.com/ }).waitFor();
  for (const name of ['Add a contact', 'Edit katherine@example.com', 'Delete katherine@example.com'])
    assert.equal(await page.getByRole('button', { name }).count(), 0, name);
  await assertFaultless(page);
  assert.deepEqual(complaints, []);
});

test('a day whose month is not certain is asked for in words', async () => {
  await using visit = await portal.visit(ADMIN);
  const { page } = visit;
  await page.goto(portal.at('/contacts'));
  await page.getByRole('button', { name: 'Add a contact' }).click();
  const adding = page.getByRole('dialog', { name: 'Add a contact' });
  await adding.getByLabel('Email address or phone number').fill('typed@example.com');
  await adding.getByLabel('Birthday').fill('03/04/1985');
  await adding.getByRole('button', { name: 'Save contact' }).click();
  await adding.getByText('Write the month as a word, such as 3 Apr 1985.').waitFor();
  await adding.getByLabel('Birthday').fill('3 Apr 1985');
  await adding.getByRole('button', { name: 'Save contact' }).click();
  await page.getByText('typed@example.com').waitFor();
  const [contact] = await portal.service.sql(`select birthday from contacts where address = 'typed@example.com'`);
  assert.deepEqual(contact, { birthday: '1985-04-03' });
});
