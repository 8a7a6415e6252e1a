import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import type { Page } from 'playwright-core';
import { openLink } from '../../server/test/harness/test-service.ts';
import { PHONE } from './harness/browser.ts';
import { ADMIN, assertFaultless, MEMBER, type PortalService, startPortal, takePictures } from './harness/portal.ts';

let portal: PortalService;
before(async () => {
  portal = await startPortal();
});
after(() => portal?.close());

const pictures = process.env['PICTURES'];

const message = 'Dear Ada,\nthank you for <b>everything.';

const orders = () =>
  portal.service.sql<{ amount_cents: number; message: string | null }>(
    `select o.amount_cents, g.message from orders o join gifts g using (organization_id, environment, order_id)
     order by g.gift_id`,
  );

/** Writes a gift and opens its review. */
async function review(page: Page, method: 'By email' | 'As a link that I share', amount: string): Promise<void> {
  await page.goto(portal.at('/gifts/send'));
  await page.getByLabel('How it reaches the recipient').selectOption(method);
  if (method === 'By email') await page.getByLabel('Email address').fill('ada@example.com');
  await page.getByLabel('Amount (USD)').fill(amount);
  await page.getByLabel('Category').selectOption('coffee');
  await page.getByLabel('Message (optional)').fill(message);
  await page.getByRole('button', { name: 'Review gift' }).click();
  await page.getByRole('heading', { name: 'Review', exact: true }).waitFor();
}

test('an admin sends a gift with a message, after a preview and a review', async () => {
  await using visit = await portal.visit(ADMIN);
  const { page, complaints, foreign } = visit;
  const before = (await orders()).length;
  await page.goto(portal.at('/gifts'));
  await page.getByRole('link', { name: 'Send', exact: true }).click();
  await page.getByRole('button', { name: 'Review gift' }).click();
  await page.getByText('Enter the recipient’s email address.').waitFor();
  await page.getByText('Choose a category.').waitFor();
  await page.getByLabel('Email address').fill('ada');
  await page.getByLabel('Category').selectOption('coffee');
  await page.getByRole('button', { name: '$50', exact: true }).click();
  await page.getByLabel('Recipient’s name (optional)').fill('Ada');
  await page.getByLabel('Message (optional)').fill(message);
  await page.getByRole('button', { name: 'Review gift' }).click();
  await page.getByText('Must be an email address such as name@example.com').waitFor();
  await page.getByLabel('Email address').fill('ada@example.com');
  const mail = page.frameLocator('iframe[title="Preview of the email"]');
  await mail.getByText('thank you for <b>everything.').waitFor();
  await page.getByRole('button', { name: 'Gift page' }).click();
  const gift = page.frameLocator('iframe[title="Preview of the page"]');
  await gift.getByText('$50.00 for coffee').waitFor();
  await gift.getByText('thank you for <b>everything.').waitFor();
  await assertFaultless(page);
  await page.getByRole('button', { name: 'Review gift' }).click();
  await page.getByText('Balance after').waitFor();
  assert.equal((await orders()).length, before);
  await assertFaultless(page);
  await page.getByRole('button', { name: 'Send gift' }).click();
  await page.getByText('Test gift created').waitFor();
  await assertFaultless(page);
  if (pictures !== undefined) await takePictures(page, `${pictures}/test-gift`);
  const opened = page.context().waitForEvent('page');
  await page.getByRole('button', { name: 'Open the recipient’s page' }).click();
  await (await opened).getByRole('button', { name: 'Unwrap' }).waitFor();
  const mailed = page.context().waitForEvent('page');
  await page.getByRole('link', { name: 'Open the email' }).click();
  await (await mailed).getByText('thank you for <b>everything.').waitFor();
  await page.getByRole('link', { name: 'View gift' }).click();
  await page.getByRole('heading', { name: 'Timeline' }).waitFor();
  await page.getByText('thank you for <b>everything.').first().waitFor();
  assert.deepEqual((await orders()).slice(before), [{ amount_cents: 5000, message }]);
  assert.deepEqual([complaints, foreign], [[], []]);
});

test('a double click buys one gift, and its link works', async () => {
  await using visit = await portal.visit(ADMIN, { viewport: PHONE });
  const { page } = visit;
  const before = (await orders()).length;
  await review(page, 'As a link that I share', '10.00');
  // Two clicks in one task, before the button can be disabled.
  await page.getByText('Balance after').waitFor();
  await page.evaluate(`(() => {
    const button = [...document.querySelectorAll('button')].find((one) => one.textContent === 'Buy and get the link');
    button.click();
    button.click();
  })()`);
  await page.getByText('The link is ready').waitFor();
  const [link = ''] = /http\S+\/g\/[\w-]+/.exec(await page.locator('main').innerText()) ?? [];
  assert.equal((await openLink(portal.service, link)).status, 200);
  assert.deepEqual((await orders()).slice(before), [{ amount_cents: 1000, message }]);
  await assertFaultless(page);
  await page.getByRole('button', { name: 'Send another' }).click();
  await page.getByRole('button', { name: 'Review gift' }).waitFor();
  assert.equal(await page.getByLabel('Message (optional)').inputValue(), '');
});

test('after a lost answer the same form sends again and buys once', async () => {
  await using visit = await portal.visit(ADMIN);
  const { page } = visit;
  const before = (await orders()).length;
  await review(page, 'By email', '12.50');
  let attempts = 0;
  await page.route('**/sandbox/orders', async (route) => {
    attempts += 1;
    if (attempts > 1) return route.continue();
    assert.equal((await route.fetch()).status(), 200);
    return route.abort('connectionreset');
  });
  await page.getByRole('button', { name: 'Send gift' }).click();
  await page.getByText('No answer arrived, so the gift may already be sent.').waitFor();
  assert.ok(await page.getByRole('button', { name: 'Change' }).isDisabled());
  await assertFaultless(page);
  await page.getByRole('button', { name: 'Send again' }).click();
  await page.getByText('Test gift created').waitFor();
  assert.equal(attempts, 2);
  assert.deepEqual((await orders()).slice(before), [{ amount_cents: 1250, message }]);
});

test('a refused gift says why beside its field or its balance', async () => {
  await using visit = await portal.visit(ADMIN);
  const { page } = visit;
  await page.goto(portal.at('/gifts/send', 'live'));
  await page.getByLabel('Email address').fill('delivered@sandbox.gift.test');
  await page.getByLabel('Category').selectOption('coffee');
  await page.getByRole('button', { name: 'Review gift' }).click();
  await page.getByLabel('I know that they buy nothing').check();
  await page.getByRole('button', { name: 'Send gift' }).click();
  await page.getByText('Must not be in sandbox.gift.test').waitFor();
  await portal.service.sql(`update balances set balance_cents = 1999 where environment = 'live'`);
  await page.getByLabel('Email address').fill('ada@example.com');
  await page.getByRole('button', { name: 'Review gift' }).click();
  await page.getByText('The balance does not cover this gift.').waitFor();
  assert.ok(await page.getByRole('button', { name: 'Send gift' }).isDisabled());
});

test('members who are not admins see no form', async () => {
  await using visit = await portal.visit(MEMBER);
  const { page } = visit;
  await page.goto(portal.at('/gifts'));
  await page.getByRole('heading', { name: 'Gifts' }).waitFor();
  assert.equal(await page.getByRole('link', { name: 'Send', exact: true }).count(), 0);
  await page.goto(portal.at('/gifts/send'));
  await page.getByText('Your role does not include sending gifts or asking for gifts.').waitFor();
});
