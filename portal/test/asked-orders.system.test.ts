import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { askFor, askingAgent } from '../../server/test/harness/asked-orders.ts';
import { ADMIN, look, MEMBER, type PortalService, startPortal } from './harness/portal.ts';

/** An agent asks for an order, and an admin sees it as its recipients will. */

let portal: PortalService;
before(async () => {
  portal = await startPortal();
});
after(() => portal?.close());

const gifts = [
  {
    amount: 2_500,
    category: 'coffee',
    delivery: { method: 'email', email: 'delivered@sandbox.gift.test' },
    personalization: { recipient_name: 'Ada', sender_name: 'The sales team', message: 'Danke für alles, Ada!' },
    language: 'de',
  },
  {
    amount: 5_000,
    category: 'books',
    delivery: { method: 'phone', phone: '+12025550143' },
    personalization: { recipient_name: 'Grace Hopper', message: 'Happy birthday' },
  },
  { amount: 1_500, category: 'travel', delivery: { method: 'link' } },
];

test('an admin sees each gift as its recipient will, and approves the order', async () => {
  const agent = await askingAgent(portal.service, portal.organization, 2_000);
  const { given, body } = await askFor(agent, gifts);
  await using visit = await portal.visit(ADMIN);
  const { page, complaints, foreign } = visit;
  await page.goto(portal.at('/agents'));
  await page.getByText('Asks an admin above $20').waitFor();
  await look(page, 'asked-agents');
  await page.getByRole('link', { name: 'Approvals', exact: true }).last().click();
  await page.getByRole('table').getByText('Ada and 2 more').waitFor();
  await look(page, 'asked-list');
  await page.goto(new URL(body.portal_url).pathname);
  await page.getByRole('heading', { name: 'Request for an order of $90.00' }).waitFor();
  await page.getByText('Assistant').waitFor();
  const mail = page.frameLocator('iframe[title="Preview of the email"]');
  await mail.getByText('Danke für alles, Ada!').waitFor();
  await mail.getByText('The sales team').first().waitFor();
  await look(page, 'asked-order');
  await page.getByRole('button', { name: 'Gift page' }).click();
  await page.frameLocator('iframe[title="Preview of the page"]').getByText('Danke für alles, Ada!').waitFor();
  await look(page, 'asked-order-page');
  await page.getByRole('button', { name: /Grace Hopper/ }).click();
  await page.frameLocator('iframe[title="Preview of the page"]').getByText('Happy birthday').waitFor();
  await page.getByText('+12025550143').waitFor();
  await page.getByRole('button', { name: 'Approve' }).click();
  await page.getByRole('heading', { name: 'Buy these 3 gifts for $90.00?' }).waitFor();
  await look(page, 'asked-approve');
  await page.getByRole('dialog').getByRole('button', { name: 'Approve' }).click();
  await page.getByRole('link', { name: 'View order' }).waitFor();
  await look(page, 'asked-approved');
  assert.equal((await agent.call('place_order', given)).body.gifts.length, 3);
  assert.deepEqual([complaints, foreign], [[], []]);
});

test('an admin declines the order of one gift with a reason, and members do not see it', async () => {
  const agent = await askingAgent(portal.service, portal.organization, 0);
  const { body } = await askFor(agent, [gifts[0] ?? {}]);
  const { pathname } = new URL(body.portal_url);
  await using members = await portal.visit(MEMBER);
  await members.page.goto(pathname);
  await members.page.getByText('Request not found').waitFor();
  await using visit = await portal.visit(ADMIN);
  const { page } = visit;
  await page.goto(pathname);
  await page.frameLocator('iframe[title="Preview of the email"]').getByText('Danke für alles, Ada!').waitFor();
  await look(page, 'asked-one');
  await page.getByRole('button', { name: 'Decline' }).click();
  await page.getByLabel('Reason (optional)').fill('Not this year');
  await look(page, 'asked-decline');
  await page.getByRole('dialog').getByRole('button', { name: 'Decline' }).click();
  await page.getByText('Who it was for and what it said were deleted').waitFor();
  const { order_request_id } = body;
  const answer = await agent.call('get_order_request', { order_request_id });
  assert.deepEqual([answer.body.status, answer.body.reason], ['declined', 'Not this year']);
});

test('an admin sets and changes the amount of an agent', async () => {
  await using visit = await portal.visit(ADMIN);
  const { page } = visit;
  await page.goto(portal.at('/agents'));
  await page.getByRole('button', { name: 'New sandbox agent' }).click();
  const form = page.getByRole('dialog', { name: 'New sandbox agent' });
  await form.getByLabel('Name', { exact: true }).fill('Careful');
  await form.getByRole('textbox', { name: 'Ask an admin above' }).fill('0');
  await look(page, 'asked-new');
  await form.getByRole('button', { name: 'Create agent' }).click();
  await page.getByRole('button', { name: 'I’ve saved it' }).click();
  const shown = page.getByRole('listitem').filter({ has: page.getByRole('heading', { name: 'Careful' }) });
  await shown.getByText('Asks an admin for each order').waitFor();
  await shown.getByRole('button', { name: 'Change limits of Careful' }).click();
  const limits = page.getByRole('dialog');
  assert.equal(await limits.getByRole('textbox', { name: 'Ask an admin above' }).inputValue(), '0.00');
  await limits.getByRole('textbox', { name: 'Ask an admin above' }).fill('75.50');
  await look(page, 'asked-limits');
  await limits.getByRole('button', { name: 'Save' }).click();
  await shown.getByText('Asks an admin above $75.50').waitFor();
});
