import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { ADMIN, assertFaultless, type PortalService, startPortal, takePictures } from './harness/portal.ts';

let portal: PortalService;
before(async () => {
  portal = await startPortal();
});
after(() => portal?.close());

test('a template fills the form of a gift, and what the sender changed stays', async () => {
  const directory = process.env['PICTURES'];
  await using visit = await portal.visit(ADMIN);
  const { page, complaints, foreign } = visit;
  await page.goto(portal.at('/gifts/send'));
  await page.getByRole('link', { name: 'Templates' }).click();
  await page.getByText('No templates yet').waitFor();
  for (const [name, amount, message] of [
    ['Welcome', '40', 'Welcome aboard!'],
    ['Birthday', '30', 'Happy birthday!'],
  ] as const) {
    await page.getByRole('button', { name: 'Add a template' }).click();
    const adding = page.getByRole('dialog', { name: 'Add a template' });
    await adding.getByLabel('Name of the template').fill(name);
    await adding.getByLabel('Amount').fill(amount);
    await adding.getByLabel('Category').selectOption('coffee');
    await adding.getByLabel('Message').fill(message);
    await assertFaultless(page);
    await adding.getByRole('button', { name: 'Save template' }).click();
    await page.getByRole('row', { name: new RegExp(name) }).waitFor();
  }
  await assertFaultless(page);
  if (directory !== undefined) await takePictures(page, `${directory}/templates`);

  await page.goto(portal.at('/gifts/send'));
  await page.getByLabel('Sender').fill('Ann');
  await page.getByLabel('Template').selectOption('Welcome');
  const texts = async () => [
    await page.getByLabel('Amount').inputValue(),
    await page.getByLabel('Category').inputValue(),
    await page.getByLabel('Sender').inputValue(),
    await page.getByLabel('Message').inputValue(),
  ];
  assert.deepEqual(await texts(), ['40.00', 'coffee', 'Ann', 'Welcome aboard!']);
  await page.getByLabel('Message').fill('Welcome, Ada!');
  await page.getByLabel('Template').selectOption('Birthday');
  assert.deepEqual(await texts(), ['30.00', 'coffee', 'Ann', 'Welcome, Ada!']);
  await page.getByLabel('Template').selectOption('None');
  assert.deepEqual(await texts(), ['25.00', '', 'Ann', 'Welcome, Ada!']);
  await page.getByLabel('Template').selectOption('Birthday');
  await assertFaultless(page);
  await page.getByLabel('Email address').fill('delivered@sandbox.gift.test');
  await page.getByRole('button', { name: 'Review gift' }).click();
  await page.getByText('Welcome, Ada!').first().waitFor();
  await page.getByText('$30.00').first().waitFor();
  assert.deepEqual([complaints, foreign], [[], []]);
});

test('a template fills what a file leaves empty', async () => {
  await using visit = await portal.visit(ADMIN);
  const { page, complaints } = visit;
  await page.goto(portal.at('/gifts/send-many'));
  await page.getByLabel('Or paste rows').fill('email\nada@sandbox.gift.test\ngrace@sandbox.gift.test');
  await page.getByRole('button', { name: 'Use pasted rows' }).click();
  await page.getByLabel('Template').selectOption('Birthday');
  assert.equal(await page.getByLabel('Amount for all').inputValue(), '30.00');
  await page.getByLabel('Sender for all').fill('The team');
  await assertFaultless(page);
  await page.getByRole('button', { name: 'Check rows' }).click();
  await page.getByText('from The team').first().waitFor();
  await page.getByText('$60.00').first().waitFor();
  assert.deepEqual(complaints, []);
});

test('an admin edits and deletes a template', async () => {
  await using visit = await portal.visit(ADMIN);
  const { page, complaints } = visit;
  await page.goto(portal.at('/gifts/templates'));
  await page.getByRole('button', { name: 'Edit Welcome' }).click();
  const editing = page.getByRole('dialog', { name: 'Edit the template' });
  await editing.getByLabel('Name of the template').fill('Birthday');
  await editing.getByRole('button', { name: 'Save template' }).click();
  await editing.getByText('Another template has this name.').waitFor();
  await editing.getByLabel('Name of the template').fill('Hello');
  await editing.getByRole('button', { name: 'Save template' }).click();
  await page.getByRole('button', { name: 'Delete Hello' }).click();
  await page.getByRole('button', { name: 'Delete template' }).click();
  await page.getByText('Template deleted.').waitFor();
  assert.equal(await page.getByRole('button', { name: 'Edit Hello' }).count(), 0);
  assert.deepEqual(complaints, []);
});
