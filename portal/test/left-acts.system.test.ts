import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import type { Page } from 'playwright-core';
import { gift } from '../../server/test/harness/api-client.ts';
import { ADMIN, type PortalService, startPortal } from './harness/portal.ts';

let portal: PortalService;
before(async () => {
  portal = await startPortal();
});
after(() => portal?.close());

const amounts = async () =>
  (await portal.service.sql<{ amount_cents: number }>('select amount_cents from orders order by order_id')).map(
    ({ amount_cents }) => amount_cents,
  );

async function review(page: Page, amount: string): Promise<void> {
  await page.goto(portal.at('/gifts/send'));
  await page.getByLabel('Email address').fill('ada@example.com');
  await page.getByLabel('Amount (USD)').fill(amount);
  await page.getByLabel('Category').selectOption('coffee');
  await page.getByRole('button', { name: 'Review gift' }).click();
  await page.getByText('Balance after').waitFor();
}

test('a gift that is sent without a connection is never bought later by itself', async () => {
  await using visit = await portal.visit(ADMIN);
  const { page, context } = visit;
  const before = await amounts();
  await review(page, '11.00');
  await context.setOffline(true);
  await page.getByRole('button', { name: 'Send gift' }).click();
  await page.getByText('No answer arrived').waitFor();
  await context.setOffline(false);
  // The banner goes when the server answers again, and so would a waiting act.
  await page.getByText('The server cannot be reached.').waitFor({ state: 'hidden' });
  await page.evaluate(`fetch('/v1/health')`);
  assert.deepEqual(await amounts(), before);
  await page.getByRole('button', { name: 'Send again' }).click();
  await page.getByText('Test gift created').waitFor();
  assert.deepEqual(await amounts(), [...before, 1_100]);
});

test('an act that ends while another page is open says there how it ended', async () => {
  await using visit = await portal.visit(ADMIN);
  const { page } = visit;
  for (const isLost of [false, true]) {
    const before = await amounts();
    await review(page, '12.00');
    const held = Promise.withResolvers<void>();
    await page.route('**/sandbox/orders', async (route) => {
      await held.promise;
      await (isLost ? route.abort('connectionreset') : route.continue());
    });
    await page.getByRole('button', { name: 'Send gift' }).click();
    await page.getByText('Sending…').waitFor();
    await page.getByRole('link', { name: 'Balance' }).click();
    await page.getByRole('heading', { name: 'Balance', level: 1 }).waitFor();
    held.resolve();
    await page
      .getByText(isLost ? 'Failed: what you began on “Send a gift”. Could not reach' : 'The gift is bought.')
      .waitFor();
    assert.match(page.url(), /balance$/);
    assert.deepEqual(await amounts(), isLost ? before : [...before, 1_200]);
    await page.unroute('**/sandbox/orders');
  }
});

test('an act whose button goes with its change says once that it is done', async () => {
  const { body } = await portal.organization.sandbox.order([gift()]);
  await using visit = await portal.visit(ADMIN);
  const { page } = visit;
  await page.goto(portal.at(`/gifts/${body.gifts[0].gift_id}`));
  await page.getByRole('button', { name: 'Cancel gift' }).click();
  const dialog = page.getByRole('dialog', { name: 'Cancel this gift?' });
  await dialog.getByRole('button', { name: 'Cancel gift' }).click();
  await page.getByText('Gift canceled.').waitFor();
  await page.waitForLoadState('networkidle');
  assert.deepEqual(await page.locator('[aria-live=polite] p').allTextContents(), ['Gift canceled.']);
});
