import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { type Stripe, startStripe } from '../../server/test/capabilities/stripe/server.ts';
import { workOnAll } from '../../server/test/harness/topups.ts';
import { ADMIN, assertFaultless, MEMBER, type PortalService, startPortal } from './harness/portal.ts';

let portal: PortalService;
let stripe: Stripe;
before(async () => {
  stripe = await startStripe({ now: () => portal?.service.clock.now() ?? 0 });
  portal = await startPortal({
    STRIPE_SECRET_KEY: stripe.secretKey,
    STRIPE_WEBHOOK_SECRET: stripe.webhooks.secret,
    STRIPE_API_BASE: stripe.url,
    TOPUP_CARD_FEE_BASIS_POINTS: '290',
  });
  stripe.webhooks.url = `${portal.service.url}/hooks/stripe`;
});
after(async () => {
  await portal?.close();
  await stripe.close();
});

async function settle(): Promise<void> {
  await stripe.webhooks.deliver();
  await workOnAll(portal.service);
}

test('an admin sees the fee, pays on Stripe’s page and finds the funds', async () => {
  await using visit = await portal.visit(ADMIN);
  const { page } = visit;
  await page.goto(portal.at('/balance', 'live'));
  await page.getByRole('button', { name: 'Add funds by card' }).click();
  const dialog = page.getByRole('dialog', { name: 'Add funds by card' });
  await dialog.getByLabel('Amount (USD)').fill('9.99');
  assert.ok(await dialog.getByRole('button', { name: 'Continue to payment' }).isDisabled());
  await dialog.getByLabel('Amount (USD)').fill('2500');
  await dialog.getByText('$72.50').waitFor();
  await dialog.getByText('$2,572.50').waitFor();
  await dialog.getByRole('button', { name: 'Continue to payment' }).click();
  await page.getByRole('heading', { name: 'Pay 2572.50 usd' }).waitFor();
  await page.getByLabel('Card number').fill('4242 4242 4242 4242');
  await page.getByRole('button', { name: 'Pay' }).click();
  // The way back leads to PUBLIC_URL, which is another name of this host.
  await page.waitForURL(/topup(?:=|%3D)paid/);
  await page.goto(portal.at('/balance', 'live'));
  const row = page.getByRole('table', { name: 'Top-ups, newest first' }).getByRole('row').nth(1);
  await row.getByText('Not paid yet').waitFor();
  await settle();
  await page.reload();
  await row.getByText('Added', { exact: true }).waitFor();
  await row.getByRole('link', { name: 'Invoice' }).waitFor();
  await page.getByText('visa 4242').first().waitFor();
});

test('an admin sets automatic top-ups up and turns them off', async () => {
  await using visit = await portal.visit(ADMIN);
  const { page, complaints } = visit;
  await page.goto(portal.at('/balance', 'live'));
  await page.getByRole('button', { name: 'Set up automatic top-ups' }).click();
  const dialog = page.getByRole('dialog', { name: 'Automatic top-ups' });
  await dialog.getByLabel('Then').selectOption('fill up to an amount');
  await dialog.getByRole('button', { name: 'Switch on' }).click();
  await page.getByText('Automatic top-ups are on.').waitFor();
  await page.getByText('so that the balance is $1,000').waitFor();
  await assertFaultless(page);
  await page.getByRole('button', { name: 'Change automatic top-ups' }).click();
  await dialog.getByRole('button', { name: 'Turn off' }).click();
  await page.getByText('Automatic top-ups are off.').waitFor();
  assert.deepEqual(complaints, []);
});

test('a member sees top-ups and pays for none', async () => {
  await using visit = await portal.visit(MEMBER);
  const { page } = visit;
  await page.goto(portal.at('/balance', 'live'));
  await page.getByRole('table', { name: 'Top-ups, newest first' }).waitFor();
  assert.equal(await page.getByRole('button', { name: /funds|card|automatic/i }).count(), 0);
});
