import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { picture } from '../../server/test/harness/audited-brand-acts.ts';
import { startDnsServer } from '../../server/test/harness/dns-server.ts';
import { ADMIN, assertFaultless, look, MEMBER, type PortalService, startPortal } from './harness/portal.ts';

const dns = await startDnsServer();
let portal: PortalService;
before(async () => {
  portal = await startPortal({ SENDER_DOMAIN_SPF: 'include:mail.example', DNS_SERVERS: dns.address });
});
after(async () => {
  await portal?.close();
  await dns.close();
});

test('an admin sees a brand on email and page before it is saved, and adds a domain', async () => {
  await using visit = await portal.visit(ADMIN);
  const { page, complaints, foreign } = visit;
  await page.goto(portal.at('/brand'));
  await page.getByLabel('Color', { exact: true }).fill('#1f5fa8');
  await page.getByLabel('Text on the color', { exact: true }).fill('#3377bb');
  await page.getByText('its contrast is 1.3 : 1').waitFor();
  await page.getByLabel('Text on the color', { exact: true }).fill('#ffffff');
  await page.getByLabel('Footer').fill('Acme Inc., 1 Main Street');
  const mail = page.frameLocator('iframe[title="Preview: Email"]');
  await mail.getByText('Main Street').waitFor();
  await page.getByRole('button', { name: 'Gift page' }).click();
  await page.getByRole('button', { name: 'Dark' }).click();
  await page.getByRole('button', { name: 'Phone' }).click();
  const gift = page.frameLocator('iframe[title="Preview: Gift page"]');
  await gift.getByText('Main Street').waitFor();
  const frame = page.frames().at(-1);
  assert.equal(await frame?.evaluate('getComputedStyle(document.body).backgroundColor'), 'rgb(24, 18, 22)');
  await page.getByLabel('Choose a file').setInputFiles({
    name: 'logo.png',
    mimeType: 'image/png',
    buffer: await picture(300, 100).png().toBuffer(),
  });
  await page.getByAltText('Your logo').waitFor();
  await page.getByRole('button', { name: 'Save' }).click();
  await page.getByText('Saved. New emails').waitFor();

  await page.getByLabel('Sender’s address').fill('gifts@acme.example');
  await page.getByRole('button', { name: 'Add', exact: true }).click();
  await page.getByRole('button', { name: 'Check now' }).click();
  await page.getByText('Missing').first().waitFor();
  await page.getByText('v=spf1 include:mail.example ~all').waitFor();
  await assertFaultless(page);
  assert.deepEqual([complaints, foreign], [[], []]);
});

test('a color that cannot be read says so below its field, and the preview stays', async () => {
  await using visit = await portal.visit(ADMIN);
  const { page } = visit;
  await page.goto(portal.at('/brand'));
  const color = page.getByLabel('Color', { exact: true });
  const text = page.getByLabel('Text on the color', { exact: true });
  const preview = page.frameLocator('iframe[title="Preview: Email"]').getByText('Open your gift');
  await preview.waitFor();
  await color.fill('blue');
  await page.getByText('A color has six digits after #, such as #1f5fa8.').waitFor();
  await color.fill('#1f5fa8');
  await text.fill('');
  await page.getByText('Set both colors or neither.').waitFor();
  await page.getByLabel('Footer').fill('Shown with the next readable pair');
  await text.fill('#ffffff');
  await page.frameLocator('iframe[title="Preview: Email"]').getByText('Shown with the next').waitFor();
  assert.equal(await page.getByRole('alert').count(), 0);
  await page.getByRole('button', { name: 'Discard changes' }).click();
});

test('unsaved changes of the brand come back after a reload and another page, until they are saved or discarded', async () => {
  await using visit = await portal.visit(ADMIN);
  const { page, context } = visit;
  const sender = page.getByLabel('Sender’s name');
  const subject = page.getByLabel('Subject line');
  const leaveAndReturn = async () => {
    await page.getByRole('link', { name: 'Balance' }).click();
    await page.getByRole('heading', { name: 'Balance', level: 1 }).waitFor();
    await page.goBack();
  };
  await page.goto(portal.at('/brand'));
  await sender.fill('The Acme team');
  await leaveAndReturn();
  assert.equal(await sender.inputValue(), 'The Acme team');
  await page.reload();
  await page.getByText('Not saved yet.').waitFor();
  assert.equal(await sender.inputValue(), 'The Acme team');
  await look(page, 'brand-unsaved');
  // What another tab saves in the meantime stays.
  const other = await context.newPage();
  await other.goto(portal.at('/brand'));
  assert.equal(await other.getByLabel('Sender’s name').inputValue(), '');
  await other.getByLabel('Subject line').fill('A present');
  await other.getByRole('button', { name: 'Save' }).click();
  await other.getByText('Saved. New emails').waitFor();
  await page.goto(portal.at('/brand', 'live'));
  assert.deepEqual([await sender.inputValue(), await subject.inputValue()], ['The Acme team', 'A present']);
  await page.getByRole('button', { name: 'Save' }).click();
  await page.getByText('Saved. New emails').waitFor();
  await page.getByText('Not saved yet.').waitFor({ state: 'detached' });
  await sender.fill('Nobody');
  await page.getByRole('button', { name: 'Discard changes' }).click();
  await leaveAndReturn();
  assert.equal(await sender.inputValue(), 'The Acme team');
  assert.equal(await page.evaluate(`JSON.stringify(Object.keys(sessionStorage)).includes('bestow.draft.')`), false);
});

test('a member sees the brand and cannot change it', async () => {
  await using visit = await portal.visit(MEMBER);
  await visit.page.goto(portal.at('/brand'));
  await visit.page.getByText('#1f5fa8').waitFor();
  await visit.page.frameLocator('iframe[title="Preview: Email"]').getByText('Open your gift').waitFor();
  await visit.page.getByText('gifts@acme.example').waitFor();
  for (const name of ['Save', 'Replace', 'Check now'])
    assert.equal(await visit.page.getByText(name, { exact: true }).count(), 0, name);
});
