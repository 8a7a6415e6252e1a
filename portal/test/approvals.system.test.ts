import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { after, before, test } from 'node:test';
import { createPortalClient } from '../../server/test/harness/portal-client.ts';
import { ADMIN, assertFaultless, MEMBER, type PortalService, startPortal, takePictures } from './harness/portal.ts';

/** A member asks for a gift, an admin approves it. */

let portal: PortalService;
before(async () => {
  portal = await startPortal();
});
after(() => portal?.close());

const pictures = process.env['PICTURES'];

test('a member asks for a gift, an admin approves it, and it is bought once', async () => {
  await using admins = await portal.visit(ADMIN);
  await admins.page.goto(portal.at('/spending'));
  const setting = admins.page.getByRole('region', { name: 'Members may request gifts' });
  await setting.getByRole('button', { name: 'Switch on' }).click();
  await admins.page.getByRole('dialog').getByRole('button', { name: 'Switch on' }).click();
  await setting.getByText('On', { exact: true }).waitFor();
  if (pictures !== undefined) await takePictures(admins.page, `${pictures}/setting`);

  await using visit = await portal.visit(MEMBER);
  const { page, complaints } = visit;
  await page.goto(portal.at('/gifts'));
  await page.getByRole('link', { name: 'Send', exact: true }).click();
  await page.getByLabel('Email address').fill('delivered@sandbox.gift.test');
  await page.getByLabel('Category').selectOption('coffee');
  await page.getByLabel('Recipient’s name (optional)').fill('Ada');
  await page.getByLabel('Message (optional)').fill('Thank you, Ada.');
  await page.getByRole('button', { name: 'Review gift' }).click();
  await page.getByText('Nothing is bought until an admin approves it.').waitFor();
  await assertFaultless(page);
  if (pictures !== undefined) await takePictures(page, `${pictures}/review`);
  await page.getByRole('button', { name: 'Ask for approval' }).click();
  await page.getByText('Your request waits for an approval').waitFor();
  await assertFaultless(page);
  if (pictures !== undefined) await takePictures(page, `${pictures}/asked`);
  await page.getByRole('link', { name: 'View request' }).click();
  await page.getByRole('button', { name: 'Withdraw' }).waitFor();
  assert.equal(await page.getByRole('button', { name: 'Approve' }).count(), 0);
  await page.frameLocator('iframe[title="Preview of the email"]').getByText('Thank you, Ada.').waitFor();
  assert.deepEqual(await portal.service.sql('select from orders'), []);

  await admins.page.goto(portal.at(''));
  const attention = admins.page.getByRole('region', { name: 'Needs attention' });
  await attention.getByText('1 request to approve').waitFor();
  await assertFaultless(admins.page);
  if (pictures !== undefined) await takePictures(admins.page, `${pictures}/overview`);
  await attention.getByRole('link', { name: 'Review' }).click();
  // The menu marks this page only, not the gifts above it.
  const current = admins.page.getByRole('navigation', { name: 'Portal' }).locator('[aria-current="page"]:visible');
  await admins.page.getByRole('heading', { name: 'Approvals' }).waitFor();
  await admins.page.getByRole('table').getByText('member@example.com').waitFor();
  assert.deepEqual(await current.allInnerTexts(), ['Approvals\n1\nto decide']);
  await assertFaultless(admins.page);
  if (pictures !== undefined) await takePictures(admins.page, `${pictures}/list`);
  await admins.page.getByRole('table').getByRole('link').first().click();
  await admins.page.frameLocator('iframe[title="Preview of the email"]').getByText('Thank you, Ada.').waitFor();
  await assertFaultless(admins.page);
  if (pictures !== undefined) await takePictures(admins.page, `${pictures}/request`);
  await admins.page.getByRole('button', { name: 'Approve' }).click();
  await assertFaultless(admins.page);
  if (pictures !== undefined) await takePictures(admins.page, `${pictures}/approve`);
  await admins.page.getByRole('dialog').getByRole('button', { name: 'Approve' }).click();
  await admins.page.getByRole('link', { name: 'View order' }).waitFor();
  await assertFaultless(admins.page);
  if (pictures !== undefined) await takePictures(admins.page, `${pictures}/approved`);
  await admins.page.getByRole('link', { name: 'View order' }).click();
  await admins.page.getByRole('table').getByText('Ada').first().waitFor();
  assert.equal((await portal.service.sql('select from orders')).length, 1);
  assert.deepEqual([complaints, admins.complaints], [[], []]);
});

test('an admin declines a request with a reason, which the member sees', async () => {
  await using visit = await portal.visit(MEMBER);
  const { page } = visit;
  await page.goto(portal.at('/gifts/send'));
  await page.getByLabel('How it reaches the recipient').selectOption('link');
  await page.getByLabel('Category').selectOption('coffee');
  await page.getByRole('button', { name: 'Review gift' }).click();
  await page.getByRole('button', { name: 'Ask for approval' }).click();
  await page.getByRole('link', { name: 'View request' }).click();
  await page.getByText('A link to share').waitFor();

  await using admins = await portal.visit(ADMIN);
  await admins.page.goto(page.url());
  await admins.page.getByRole('button', { name: 'Decline' }).click();
  await admins.page.getByLabel('Reason (optional)').fill('Not this year');
  await assertFaultless(admins.page);
  if (pictures !== undefined) await takePictures(admins.page, `${pictures}/decline`);
  await admins.page.getByRole('dialog').getByRole('button', { name: 'Decline' }).click();
  await admins.page.getByText('Request declined.').waitFor();

  await page.goto(portal.at('/gifts/requests?state=declined'));
  await page.getByRole('table').getByRole('link').first().click();
  await page.getByText('Not this year').waitFor();
  await assertFaultless(page);
  if (pictures !== undefined) await takePictures(page, `${pictures}/declined`);
});

test('the question before a scheduled gift says when it is sent', async () => {
  const member = await createPortalClient(portal.service, MEMBER);
  const path = `/organizations/${portal.organization.organizationId}/sandbox/gift-requests`;
  const delivery = { method: 'email', email: 'later@example.com' };
  const send_at = new Date(Date.now() + 86_400_000).toISOString();
  const asked = { form_id: randomUUID(), gift: { amount: 2500, category: 'coffee', delivery, send_at } };
  const { status, body } = await member.call('POST', path, asked);
  assert.equal(status, 200);
  await using admins = await portal.visit(ADMIN);
  await admins.page.goto(portal.at(`/gifts/requests/${body.gift_request_id}`));
  await admins.page.getByRole('button', { name: 'Approve' }).click();
  await admins.page.getByText(/^The gift is bought now, and sent on \w{3}, .*\. The order names you\.$/).waitFor();
  assert.deepEqual(admins.complaints, []);
});
