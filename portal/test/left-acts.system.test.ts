import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import type { Page } from 'playwright-core';
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
    await page.getByRole('link', { name: 'Members' }).first().click();
    await page.getByRole('heading', { name: 'Members', level: 1 }).waitFor();
    held.resolve();
    await page
      .getByText(isLost ? 'Failed: what you began on “Send a gift”. Could not reach' : 'The gift is bought.')
      .waitFor();
    assert.match(page.url(), /members$/);
    assert.deepEqual(await amounts(), isLost ? before : [...before, 1_200]);
    await page.unroute('**/sandbox/orders');
  }
});
