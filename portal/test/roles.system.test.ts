import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { type Stripe, startStripe } from '../../server/test/capabilities/stripe/server.ts';
import { emailGift, linkGift } from '../../server/test/harness/api-client.ts';
import { createPortalClient } from '../../server/test/harness/portal-client.ts';
import { look, MEMBER, type PortalService, startPortal } from './harness/portal.ts';
import { assertShut, menuOf, openAll, work } from './harness/role-visit.ts';

/** Each role does its work in a browser, and its pages call no route that the role may not call. */

const roles = ['sender', 'approver', 'support', 'finance', 'viewer'] as const;
const of = (role: string) => `${role}@example.com`;

let portal: PortalService;
let stripe: Stripe;
/** Ids of sandbox gifts. */
const gifts = { ada: '', link: '' };
before(async () => {
  stripe = await startStripe({ now: () => portal?.service.clock.now() ?? 0 });
  portal = await startPortal({
    STRIPE_SECRET_KEY: stripe.secretKey,
    STRIPE_WEBHOOK_SECRET: stripe.webhooks.secret,
    STRIPE_API_BASE: stripe.url,
  });
  const { service, organization } = portal;
  for (const role of roles)
    await service.sql(
      `insert into members (organization_id, member_id, email, role, created_at)
       values ($1, gen_random_uuid(), $2, $3, now())`,
      [organization.organizationUuid, of(role), role],
    );
  const ada = { ...emailGift('ada', 1000), personalization: { recipient_name: 'Ada Lovelace' } };
  const { body } = await organization.sandbox.order([ada, linkGift(5000)]);
  gifts.ada = body.gifts[0].gift_id;
  gifts.link = body.gifts[1].gift_id;
});
after(async () => {
  await portal?.close();
  await stripe?.close();
});

test('a sender sends a gift and shares a link, and sees no balance', async () => {
  await using visit = await work(portal, of('sender'));
  const { page } = visit;
  await page.goto('/portal');
  await page.getByRole('heading', { level: 1, name: 'Gifts' }).waitFor();
  const menu = await menuOf(page);
  assert.deepEqual(menu, ['Send', 'Gifts', 'People', 'Approvals']);
  await page.goto(portal.at(''));
  await page.getByText('Your role here is Sender.').waitFor();
  await page.getByRole('link', { name: 'Send', exact: true }).waitFor();
  await look(page, 'sender-gifts');
  await openAll(page, menu);
  await page.goto(portal.at('/gifts'));
  await page.getByRole('heading', { level: 1, name: 'Gifts' }).waitFor();
  await page.keyboard.press('c');
  await page.getByLabel('Email address').fill('delivered@sandbox.gift.test');
  await page.getByLabel('Category').selectOption('coffee');
  await page.getByRole('button', { name: 'Review gift' }).click();
  await page.getByRole('heading', { name: 'Review', exact: true }).waitFor();
  await look(page, 'sender-review');
  await page.getByRole('button', { name: 'Send gift' }).click();
  await page.getByText('Test gift created').waitFor();
  await page.getByRole('link', { name: 'View gift' }).click();
  await page.getByRole('heading', { name: 'Timeline' }).waitFor();
  for (const name of ['Put on hold', 'Cancel gift', 'Send again'])
    assert.equal(await page.getByRole('button', { name }).count(), 0, name);
  await page.goto(portal.at('/gifts/send'));
  await page.getByLabel('How it reaches the recipient').selectOption('link');
  await page.getByLabel('Category').selectOption('coffee');
  await page.getByRole('button', { name: 'Review gift' }).click();
  await page.getByRole('button', { name: 'Buy and get the link' }).click();
  await page.getByText('The link is ready').waitFor();
  await page.getByRole('link', { name: 'View gift' }).click();
  await page.getByRole('button', { name: 'Show link' }).click();
  await page.getByRole('button', { name: 'Copy link' }).waitFor();
  await page.getByRole('link', { name: 'View order' }).first().click();
  await page.getByText('Idempotency key').waitFor();
  assert.equal(await page.getByText('Balance after').count(), 0);
  await assertShut(portal, page, '/balance', 'the balance, statements and top-ups');
  await look(page, 'lack-of-role');
  await assertShut(portal, page, '/keys', 'keys, agents, webhooks and the API log');
  // A letter after g leads only to pages of the menu.
  await page.goto(portal.at('/orders'));
  await page.getByRole('heading', { level: 1, name: 'Orders' }).waitFor();
  await page.keyboard.press('g');
  await page.keyboard.press('b');
  await page.keyboard.press('g');
  await page.keyboard.press('g');
  await page.getByRole('heading', { level: 1, name: 'Gifts' }).waitFor();
  visit.assertClean();
});

test('an approver decides the request of a member', async () => {
  await portal.service.sql('update organizations set members_may_request = true');
  const member = await createPortalClient(portal.service, MEMBER);
  const path = `/organizations/${portal.organization.organizationId}/sandbox/gift-requests`;
  const gift = {
    amount: 1_500,
    category: 'books',
    delivery: { method: 'email', email: 'delivered@sandbox.gift.test' },
  };
  const asked = await member.call('POST', path, { form_id: crypto.randomUUID(), gift });
  assert.equal(asked.status, 200, JSON.stringify(asked.body));

  await using visit = await work(portal, of('approver'));
  const { page } = visit;
  await page.goto(portal.at(''));
  await page.getByText('1 request to approve').waitFor();
  const menu = await menuOf(page);
  assert.deepEqual(menu, ['Overview', 'Gifts', 'Approvals', 'Balance']);
  await openAll(page, menu);
  await page.goto(portal.at(''));
  await page.getByRole('link', { name: 'Review' }).click();
  await page.getByRole('table').getByRole('link').first().click();
  await page.getByRole('button', { name: 'Approve' }).waitFor();
  await look(page, 'approver-request');
  await page.getByRole('button', { name: 'Approve' }).click();
  await page.getByRole('dialog').getByRole('button', { name: 'Approve' }).click();
  await page.getByText('Gift bought.', { exact: true }).waitFor();
  await page.getByRole('link', { name: 'View order' }).click();
  await page.getByRole('table').getByRole('link').first().waitFor();
  await assertShut(portal, page, '/gifts/send', 'sending gifts or asking for gifts');
  visit.assertClean();
});

test('support finds a gift by its address, sends it again and holds it, and sees no link', async () => {
  await using visit = await work(portal, of('support'));
  const { page } = visit;
  await page.goto(portal.at(''));
  await page.getByRole('heading', { level: 1, name: 'Gifts' }).waitFor();
  const menu = await menuOf(page);
  assert.deepEqual(menu, ['Gifts']);
  await openAll(page, menu);
  await page.goto(portal.at('/gifts'));
  const search = page.getByRole('searchbox', { name: 'ID, address or name' });
  await search.fill('ada@sandbox');
  await search.press('Enter');
  await page.getByText('Showing 1 gift.').waitFor({ state: 'attached' });
  await look(page, 'support-gifts');
  await page.getByRole('table').getByRole('link').first().click();
  await page.getByRole('button', { name: 'Send again' }).click();
  await page.getByText('Gift sent again to ada@sandbox.gift.test.', { exact: true }).waitFor();
  await page.getByRole('button', { name: 'Put on hold' }).click();
  await page.getByRole('dialog').getByRole('button', { name: 'Put on hold' }).click();
  await page.getByRole('button', { name: 'Release gift' }).waitFor();
  await look(page, 'support-gift');
  await page.getByRole('button', { name: 'Release gift' }).click();
  await page.getByRole('button', { name: 'Put on hold' }).waitFor();
  for (const id of [gifts.ada, gifts.link]) {
    await page.goto(portal.at(`/gifts/${id}`));
    await page.getByRole('heading', { name: 'Timeline' }).waitFor();
    await page.waitForLoadState('networkidle');
    assert.equal(await page.getByRole('region', { name: 'Gift link' }).count(), 0);
    assert.equal(await page.getByRole('button', { name: /link|Cancel|Deliver|recipient/ }).count(), 0);
    assert.doesNotMatch(await page.content(), /\/g\/[A-Za-z0-9_-]{20}/);
  }
  await assertShut(portal, page, '/gifts/send', 'sending gifts or asking for gifts');
  await assertShut(portal, page, '/audit', 'the audit log');
  visit.assertClean();
});

test('finance reads the balance and a statement, and pays a top-up, without whole addresses', async () => {
  await using visit = await work(portal, of('finance'));
  const { page } = visit;
  await page.goto(portal.at(''));
  await page.getByRole('region', { name: 'Balance' }).waitFor();
  const menu = await menuOf(page);
  assert.deepEqual(menu, ['Overview', 'Gifts', 'Spending', 'Balance', 'Audit log']);
  await openAll(page, menu);
  await page.goto(portal.at('/balance'));
  await page.getByRole('link', { name: 'November 2026' }).click();
  await page.getByRole('rowheader', { name: 'Closing balance' }).waitFor();
  await page.goto(portal.at('/balance', 'live'));
  await page.getByRole('button', { name: 'Add funds by card' }).click();
  const dialog = page.getByRole('dialog', { name: 'Add funds by card' });
  await dialog.getByLabel('Amount (USD)').fill('2500');
  await dialog.getByRole('button', { name: 'Continue to payment' }).waitFor();
  await page.keyboard.press('Escape');
  assert.equal(await page.getByRole('button', { name: 'Change caps' }).count(), 0);
  await look(page, 'finance-balance');
  await page.goto(portal.at(`/gifts/${gifts.ada}`));
  await page.getByRole('heading', { name: 'Timeline' }).waitFor();
  assert.doesNotMatch(await page.content(), /ada@|Lovelace/);
  visit.assertClean();
});

test('a viewer sees masked addresses and finds gifts by their id only', async () => {
  await using visit = await work(portal, of('viewer'));
  const { page } = visit;
  await page.goto(portal.at('/gifts'));
  await page.getByText('a•••@s•••.test').first().waitFor();
  const menu = await menuOf(page);
  assert.deepEqual(menu, ['Overview', 'Gifts', 'Spending', 'Balance', 'Audit log']);
  await openAll(page, menu);
  await page.goto(portal.at('/gifts'));
  await page.getByText('a•••@s•••.test').first().waitFor();
  await look(page, 'viewer-gifts');
  // The palette asks for no addresses, and leads to an id.
  await page.keyboard.press('Control+k');
  const palette = page.getByRole('dialog', { name: 'Search' });
  await palette.getByRole('combobox').fill('ada@sandbox');
  await palette.getByText('1 result', { exact: true }).waitFor();
  await palette.getByRole('combobox').fill(gifts.ada);
  await palette.getByRole('option', { name: gifts.ada }).first().click();
  await page.getByRole('heading', { name: 'Timeline' }).waitFor();
  await look(page, 'viewer-gift');
  assert.doesNotMatch(await page.content(), /ada@|Lovelace/);
  assert.equal(await page.getByRole('button', { name: /Send|hold|Cancel|link/ }).count(), 0);
  visit.assertClean();
});
