import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { after, before, test } from 'node:test';
import { allowRequests } from '../../server/test/harness/gift-requests.ts';
import { createPortalClient } from '../../server/test/harness/portal-client.ts';
import { createYearly } from '../../server/test/harness/yearly.ts';
import { ADMIN, look, MEMBER, type PortalService, startPortal } from './harness/portal.ts';

let portal: PortalService;
const delivery = { method: 'email', email: 'ada@example.com' };

before(async () => {
  portal = await startPortal();
  const { organization, service } = portal;
  const person = { delivery, name: 'Ada Lovelace', language: 'de', tags: ['berlin'], external_id: 'E-7' };
  const saved = await organization.sandbox.put('/v1/contacts', { ...person, birthday: '12-10' });
  assert.equal(saved.status, 201);
  const grace = { delivery: { method: 'email', email: 'grace@example.com' }, birthday: '01-01' };
  await organization.sandbox.put('/v1/contacts', grace);
  await organization.sandbox.order([{ amount: 2500, category: 'coffee', delivery }]);
  const admin = await createPortalClient(service, ADMIN);
  await allowRequests(admin, organization);
  await createYearly(service, organization, 'sandbox').addRule({
    name: 'Birthdays',
    mode: 'approval',
    yearly_limit: null,
  });
  const member = await createPortalClient(service, MEMBER);
  const asked = { form_id: randomUUID(), gift: { amount: 4000, category: 'books', delivery } };
  const path = `/organizations/${organization.organizationId}/sandbox/gift-requests`;
  assert.equal((await member.call('POST', path, asked)).status, 200);
});
after(() => portal?.close());

test('the search finds a contact by name, address and reference, and a tag, and opens it', async () => {
  await using visit = await portal.visit(ADMIN);
  const { page, complaints } = visit;
  await page.goto(portal.at('/audit'));
  await page.getByRole('heading', { name: 'Audit log', level: 1 }).waitFor();
  const palette = page.getByRole('dialog', { name: 'Search' });
  for (const text of ['ada l', 'Lovelace', 'ADA@ex', 'E-7']) {
    await page.keyboard.press('Control+k');
    await palette.getByRole('combobox').fill(text);
    await palette.getByRole('option', { name: /Ada Lovelace.*Contact/ }).waitFor();
    if (text !== 'E-7') await page.keyboard.press('Escape');
  }
  await look(page, 'palette-contact');
  await palette.getByRole('option', { name: /Ada Lovelace.*Contact/ }).click();
  await page.getByRole('heading', { name: 'Ada Lovelace', level: 1 }).waitFor();
  await page.keyboard.press('Control+k');
  await palette.getByRole('combobox').fill('bérl');
  await palette.getByRole('option', { name: /berlin.*1 contact.*Tag/ }).click();
  await page.waitForURL(/contacts\?tag=berlin$/);
  assert.deepEqual(complaints, []);
});

test('a contact’s page has its gifts, what waits and what comes, and is edited and deleted there', async () => {
  await using visit = await portal.visit(ADMIN);
  const { page, complaints } = visit;
  await page.goto(portal.at('/contacts'));
  await page.getByRole('link', { name: /Ada Lovelace ada@example.com/ }).click();
  await page.getByRole('heading', { name: 'Ada Lovelace', level: 1 }).waitFor();
  const waiting = page.getByRole('region', { name: 'Waiting for approval' });
  await waiting.getByRole('row', { name: /\$40\.00/ }).waitFor();
  const coming = page.getByRole('region', { name: 'Next yearly gifts' });
  await coming.getByRole('row', { name: /Dec 10.*Ada Lovelace.*Birthdays/ }).waitFor();
  const gifts = page.getByRole('region', { name: 'Gifts', exact: true });
  await gifts.getByRole('row', { name: /\$25\.00/ }).waitFor();
  await look(page, 'contact-page');
  await page.getByRole('button', { name: 'Edit' }).click();
  const editing = page.getByRole('dialog', { name: 'Edit the contact' });
  await editing.getByLabel('Name').fill('Ada King');
  await editing.getByRole('button', { name: 'Save contact' }).click();
  await page.getByRole('heading', { name: 'Ada King', level: 1 }).waitFor();
  await page.getByRole('link', { name: 'Send a gift to Ada King' }).click();
  await page.getByLabel('Email address').waitFor();
  await page.goBack();
  await page.getByRole('button', { name: 'Delete', exact: true }).click();
  await page.getByRole('dialog').getByRole('button', { name: 'Delete contact' }).click();
  await page.getByText('There is no such contact').waitFor();
  assert.deepEqual(complaints, []);
});

test('a yearly gift of another year has its year', async () => {
  await using visit = await portal.visit(ADMIN);
  const { page, complaints } = visit;
  await page.goto(portal.at('/contacts'));
  await page.getByRole('link', { name: 'grace@example.com', exact: true }).click();
  const coming = page.getByRole('region', { name: 'Next yearly gifts' });
  await coming.getByText(`Jan 1, ${new Date().getFullYear() + 1}`).waitFor();
  assert.deepEqual(complaints, []);
});

test('who sees masked addresses has no search and no export of contacts', async () => {
  const { organization, service } = portal;
  const admin = await createPortalClient(service, ADMIN);
  const path = `/organizations/${organization.organizationId}`;
  const permissions = ['gifts', 'order', 'settings'];
  const { role_id } = (await admin.call('POST', `${path}/roles`, { name: 'Masked', permissions })).body;
  const email = 'masked@example.com';
  assert.equal((await admin.call('POST', `${path}/members`, { email, role: role_id })).status, 200);
  const invited = await createPortalClient(service, email);
  assert.equal((await invited.call('POST', `/invitations/${organization.organizationId}/accept`)).status, 204);
  await using visit = await portal.visit(email);
  const { page, complaints } = visit;
  await page.goto(portal.at('/contacts'));
  await page.getByRole('link', { name: 'Import' }).waitFor();
  assert.equal(await page.getByRole('link', { name: 'Export CSV' }).count(), 0);
  assert.equal(await page.getByLabel('Name, address or reference').count(), 0);
  assert.deepEqual(complaints, []);
});
