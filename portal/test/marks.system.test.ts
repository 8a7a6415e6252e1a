import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { workUntil } from '../../server/test/harness/mail-server.ts';
import { ADMIN, assertFaultless, look, type PortalService, startPortal } from './harness/portal.ts';

/** Marks such as `{first_name}` in messages, filled before a person sends. */

let portal: PortalService;
before(async () => {
  portal = await startPortal();
  for (const [name, language] of [
    ['Ada Lovelace', 'de'],
    ['Grace Hopper', null],
  ] as const) {
    const email = `${name.slice(0, 3).toLowerCase()}@example.com`;
    const contact = { delivery: { method: 'email', email }, name, language, tags: ['team'] };
    assert.equal((await portal.organization.sandbox.put('/v1/contacts', contact)).status, 201);
  }
});
after(() => portal?.close());

const gifts = () =>
  portal.service.sql<{ address: string; message: string; language: string | null }>(
    'select address, message, language from gifts order by address',
  );

test('a gift alone is written with marks, which the preview and the review show filled', async () => {
  await using visit = await portal.visit(ADMIN);
  const { page, complaints } = visit;
  await page.goto(portal.at('/gifts/send'));
  await page.getByLabel('Email address').fill('alan@example.com');
  await page.getByLabel('Category').selectOption('coffee');
  const message = page.getByLabel('Message (optional)');
  await message.fill('Dear !');
  await message.press('End');
  await message.press('ArrowLeft');
  await page.getByRole('button', { name: '{first_name}' }).click();
  assert.equal(await message.inputValue(), 'Dear {first_name}!');
  await page.getByRole('button', { name: 'Review gift' }).click();
  await page.getByText('Enter a name: the message has {first_name}.').waitFor();
  await assertFaultless(page);
  await page.getByLabel('Recipient’s name (optional)').fill('Alan Turing');
  await look(page, 'marks-send');
  await page.getByRole('button', { name: 'Review gift' }).click();
  await page.getByText('Dear Alan!').first().waitFor();
  await page.getByRole('button', { name: 'Send gift' }).click();
  await page.getByText('Test gift created').waitFor();
  assert.deepEqual(await gifts(), [{ address: 'alan@example.com', message: 'Dear Alan!', language: null }]);
  assert.deepEqual(complaints, []);
});

test('a template with a word that is no mark is refused, and one with marks is saved', async () => {
  await using visit = await portal.visit(ADMIN);
  const { page } = visit;
  await page.goto(portal.at('/gifts/templates'));
  await page.getByRole('button', { name: 'Add a template' }).click();
  const adding = page.getByRole('dialog', { name: 'Add a template' });
  await adding.getByLabel('Name of the template').fill('Thanks');
  await adding.getByLabel('Amount').fill('25');
  await adding.getByLabel('Category').selectOption('coffee');
  await adding.getByLabel('Message').fill('Thank you, {fristname}!');
  await adding.getByRole('button', { name: 'Save template' }).click();
  await adding.getByText('{fristname} is not a mark.').waitFor();
  await look(page, 'marks-template-refused');
  await adding.getByLabel('Message').fill('Thank you, {first_name}: {amount}!');
  await adding.getByRole('button', { name: 'Save template' }).click();
  await page.getByRole('row', { name: /Thanks/ }).waitFor();
});

test('contacts of a tag get the message of a template, each with its own name and language', async () => {
  await using visit = await portal.visit(ADMIN);
  const { page, complaints } = visit;
  await page.goto(portal.at('/gifts/send-many'));
  await page.getByLabel('Contacts', { exact: true }).selectOption('team');
  await page.getByRole('button', { name: 'Use these contacts' }).click();
  await page.getByRole('heading', { name: 'What do they get?' }).waitFor();
  assert.equal(await page.getByText('Columns', { exact: true }).count(), 0);
  await page.getByLabel('Template').selectOption('Thanks');
  await look(page, 'marks-contacts');
  await page.getByRole('button', { name: 'Check rows' }).click();
  await page.getByText('“Thank you, Ada: 25,00').first().waitFor();
  await page.getByText('“Thank you, Grace: $25.00!”').first().waitFor();
  await look(page, 'marks-review');
  await page.getByRole('button', { name: 'Send 2 gifts' }).click();
  await workUntil(portal.service, async () => (await gifts()).length === 3, 'the gifts are bought');
  assert.deepEqual(
    (await gifts()).map(({ message, language }) => [message, language]),
    [
      ['Thank you, Ada: 25,00\u00a0$!', 'de'],
      ['Dear Alan!', null],
      ['Thank you, Grace: $25.00!', null],
    ],
  );
  assert.deepEqual(complaints, []);
});

test('a row of a file without what its message needs is corrected in place', async () => {
  await using visit = await portal.visit(ADMIN);
  const { page } = visit;
  await page.goto(portal.at('/gifts/send-many'));
  await page.getByLabel('Drop a CSV or XLSX file here').setInputFiles({
    name: 'people.csv',
    mimeType: 'text/csv',
    buffer: Buffer.from(
      'email,amount,category,name,language\na@example.com,25,coffee,Bo Li,fr\nb@example.com,25,coffee,,\n',
    ),
  });
  await page.getByLabel('Message for all').fill('Hi {first_name}');
  await page.getByRole('button', { name: 'Check rows' }).click();
  await page.getByText('Enter a name: the message has {first_name}.').waitFor();
  await look(page, 'marks-correction');
  await page.getByLabel('Line 3: Recipient’s full name').fill('Cy');
  await page.getByRole('button', { name: 'Check corrections' }).click();
  await page.getByText('“Hi Bo”').first().waitFor();
  await page.getByText('“Hi Cy”').first().waitFor();
});
