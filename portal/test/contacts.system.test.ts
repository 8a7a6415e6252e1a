import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
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

test('an admin imports a workbook, sees each row first, and exports the contacts', async () => {
  const directory = process.env['PICTURES'];
  await using visit = await portal.visit(ADMIN);
  const { page, complaints } = visit;
  await page.goto(portal.at('/contacts'));
  await page.getByRole('link', { name: 'Import' }).click();
  await page.getByRole('heading', { name: 'Import contacts' }).waitFor();
  const rows = [
    ['Name', 'E-Mail-Adresse', 'Abteilung', 'Geburtstag', 'Referenz'],
    ['Grace Hopper', 'grace@example.com', 'team', '09.12.1906', 'E-2'],
    ['Alan Turing', 'alan@example.com', 'team; berlin', '23.6.', 'E-3'],
    ['Nobody', 'nobody@example.com', '', 'soon', ''],
    ['Wrong', 'wrong@', '', '', ''],
  ];
  const buffer = Buffer.from(await xlsxOf(rows));
  const mimeType = 'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet';
  await page.getByLabel('File', { exact: true }).setInputFiles({ name: 'people.xlsx', mimeType, buffer });
  await page
    .getByRole('row', { name: /Alan Turing/ })
    .getByText('June 23')
    .waitFor();
  await page
    .getByRole('row', { name: /Birthday/ })
    .getByText('Enter a day')
    .waitFor();
  await assertFaultless(page);
  if (directory !== undefined) await takePictures(page, `${directory}/contact-import`);
  await page.getByRole('button', { name: 'Import 3 contacts' }).click();
  await page.getByRole('status').getByText('Added').waitFor();
  await page.getByRole('row', { name: /email must be an email address/ }).waitFor();
  await assertFaultless(page);
  await page.getByRole('link', { name: 'Show contacts' }).click();
  await page.getByRole('row', { name: /Grace Hopper/ }).waitFor();
  if (directory !== undefined) await takePictures(page, `${directory}/contacts`);
  const { lines } = await exportCsv(page);
  assert.equal(lines.length, 3);
  assert.ok(lines.includes('grace@example.com,,Grace Hopper,,team,E-2,1906-12-09,'), lines.join('\n'));
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
