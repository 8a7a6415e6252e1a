import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { workUntil } from '../../server/test/harness/mail-server.ts';
import { ADMIN, look, type PortalService, startPortal } from './harness/portal.ts';
import { addMembers } from './harness/role-visit.ts';

const SENDER = 'sara@example.com';
let portal: PortalService;

const people = [
  { delivery: { method: 'email', email: 'ada@example.com' }, name: 'Ada Lovelace', language: 'de', tags: ['berlin'] },
  { delivery: { method: 'phone', phone: '+12025550142' }, name: 'Adam', tags: ['berlin'] },
  { delivery: { method: 'email', email: 'grace@example.com' }, name: 'Grace Hopper', external_id: 'E-7' },
];
before(async () => {
  portal = await startPortal();
  for (const person of people)
    assert.equal((await portal.organization.sandbox.put('/v1/contacts', person)).status, 201);
  await addMembers(portal, { [SENDER]: 'sender' });
});
after(() => portal?.close());

test('a contact opens the form with its address, name and language, and no URL has the address', async () => {
  await using visit = await portal.visit(SENDER);
  const { page, complaints } = visit;
  await page.goto(portal.at('/contacts'));
  await page.getByRole('row', { name: /Ada Lovelace/ }).waitFor();
  await look(page, 'contacts-of-sender');
  const urls: string[] = [];
  page.on('request', (request) => urls.push(request.url()));
  page.on('framenavigated', (frame) => urls.push(frame.url()));
  await page.getByRole('link', { name: 'Send a gift to Ada Lovelace' }).click();
  const address = page.getByLabel('Email address');
  await address.waitFor();
  assert.equal(await address.inputValue(), 'ada@example.com');
  assert.equal(await page.getByLabel('Recipient’s name (optional)').inputValue(), 'Ada Lovelace');
  assert.equal(await page.getByLabel('Language').inputValue(), 'de');
  await page.waitForURL(/\/gifts\/send$/);
  await page.getByLabel('Category').selectOption('coffee');
  await page.getByLabel('Message (optional)').fill('Dear Ada');
  await page.getByRole('button', { name: 'Review gift' }).click();
  await page.getByRole('button', { name: 'Send gift' }).click();
  await page.getByText('Test gift created').waitFor();
  const [gift] = await portal.service.sql(
    `select address, recipient_name, language from gifts where address = 'ada@example.com'`,
  );
  assert.deepEqual(gift, { address: 'ada@example.com', recipient_name: 'Ada Lovelace', language: 'de' });
  assert.deepEqual(
    urls.filter((url) => /ada(@|%40)example/.test(url)),
    [],
  );
  assert.deepEqual(complaints, []);
});

test('another contact replaces the recipient, and not what was written for all', async () => {
  await using visit = await portal.visit(ADMIN);
  const { page, complaints } = visit;
  await page.goto(portal.at('/gifts/send'));
  await page.getByLabel('Email address').fill('someone@example.com');
  await page.getByRole('button', { name: '$50', exact: true }).click();
  await page.getByLabel('Message (optional)').fill('Dear someone');
  await page.goto(portal.at('/contacts'));
  await page.getByRole('button', { name: 'Edit grace@example.com' }).click();
  const editing = page.getByRole('dialog', { name: 'Edit the contact' });
  await look(page, 'contact-dialog');
  await editing.getByRole('link', { name: 'Send a gift to Grace Hopper' }).click();
  await page.getByLabel('Email address').waitFor();
  assert.equal(await page.getByLabel('Email address').inputValue(), 'grace@example.com');
  assert.equal(await page.getByLabel('Amount (USD)').inputValue(), '50.00');
  assert.equal(await page.getByLabel('Message (optional)').inputValue(), '');
  const deleted = 'con_01k0fxw4mze6hv3tqx4d5s8r2n';
  await page.goto(portal.at(`/gifts/send?contact=${deleted}`));
  await page.getByRole('alert').waitFor();
  assert.equal(await page.getByLabel('Email address').inputValue(), '');
  assert.deepEqual(complaints, []);
});

test('the fields of a gift suggest contacts, by keys and by touch', async () => {
  await using visit = await portal.visit(SENDER, { hasTouch: true });
  const { page, complaints } = visit;
  await page.goto(portal.at('/gifts/send'));
  const address = page.getByRole('combobox', { name: 'Email address' });
  await address.fill('ADA');
  const list = page.getByRole('listbox', { name: 'Suggestions for Email address' });
  await list.getByRole('option', { name: /Adam/ }).waitFor();
  assert.equal(await list.getByRole('option').count(), 2);
  assert.equal(await address.getAttribute('aria-expanded'), 'true');
  await look(page, 'send-suggestions');
  await page.keyboard.press('Escape');
  await list.waitFor({ state: 'detached' });
  await page.keyboard.press('ArrowDown');
  await page.keyboard.press('ArrowDown');
  await list.getByRole('option', { name: /Adam/, selected: true }).waitFor();
  await page.keyboard.press('ArrowUp');
  await page.keyboard.press('Enter');
  await list.waitFor({ state: 'detached' });
  assert.equal(await address.inputValue(), 'ada@example.com');

  // A contact with a number changes the way, and the focus stays in the field.
  const name = page.getByRole('combobox', { name: 'Recipient’s name (optional)' });
  assert.equal(await name.inputValue(), 'Ada Lovelace');
  await name.fill('adam');
  await page.getByRole('option', { name: /Adam/ }).tap();
  await name.and(page.locator(':focus')).waitFor();
  assert.equal(await page.getByLabel('Phone number').inputValue(), '+12025550142');
  await name.fill('Unknown person');
  await page.keyboard.press('Enter');
  await page.getByText('Choose a category.').waitFor();
  assert.deepEqual(complaints, []);
});

test('everyone with a tag gets a gift, in their language, as the rows were shown', async () => {
  await using visit = await portal.visit(ADMIN);
  const { page, complaints } = visit;
  await page.goto(portal.at('/gifts/send-many'));
  await page.getByLabel('Contacts', { exact: true }).selectOption('Everyone with the tag berlin (2)');
  await look(page, 'send-many-contacts');
  await page.getByRole('button', { name: 'Use these contacts' }).click();
  await page.getByText('Contacts with the tag “berlin”: 2 rows.').waitFor();
  // A change after this does not change the rows.
  const changed = { delivery: { method: 'email', email: 'ada@example.com' }, name: 'Changed', language: 'fr' };
  assert.equal((await portal.organization.sandbox.put('/v1/contacts', changed)).status, 200);
  await page.getByLabel('Amount for all (USD)').fill('30');
  await page.getByLabel('Category for all').selectOption('coffee');
  await page.getByLabel('Message for all (optional)').fill('Hello');
  await page.getByRole('button', { name: 'Check rows' }).click();
  await page.getByRole('button', { name: /Ada Lovelace.*German/ }).waitFor();
  await look(page, 'send-many-contacts-review');
  await page.getByRole('checkbox').check();
  await page.getByRole('button', { name: 'Send 2 gifts' }).click();
  await page.getByRole('heading', { name: 'Progress' }).waitFor();
  await workUntil(
    portal.service,
    () => page.getByText('2 of 2 gifts bought').isVisible(),
    'the page shows that every gift was bought',
  );
  assert.deepEqual(
    await portal.service.sql(
      `select address, recipient_name, language from gifts where amount_cents = 3000 order by address`,
    ),
    [
      { address: '+12025550142', recipient_name: 'Adam', language: null },
      { address: 'ada@example.com', recipient_name: 'Ada Lovelace', language: 'de' },
    ],
  );
  assert.deepEqual(complaints, []);
});

test('empty pages say what a sender can do', async () => {
  await using visit = await portal.visit(SENDER);
  const { page, complaints } = visit;
  await page.goto(portal.at('/gifts/send-many', 'live'));
  await page.getByRole('button', { name: 'Use these contacts' }).click();
  await page.getByText('There are no such contacts.').waitFor();
  for (const [path, text] of [
    ['/contacts', 'An admin can add or import them.'],
    ['/orders', 'Each gift that you send is an order.'],
    ['/gifts', 'Send one by hand.'],
  ] as const) {
    await page.goto(portal.at(path, 'live'));
    await page.getByText(text).waitFor();
    assert.equal(await page.getByText('API key').count(), 0, path);
  }
  assert.deepEqual(complaints, []);
});
