import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import type { Page } from 'playwright-core';
import { until } from '../../server/test/harness/server-process.ts';
import { ADMIN, look, type PortalService, startPortal } from './harness/portal.ts';

let portal: PortalService;
before(async () => {
  portal = await startPortal();
});
after(() => portal?.close());

const amounts = async () =>
  (await portal.service.sql<{ amount_cents: number }>('select amount_cents from orders order by order_id')).map(
    ({ amount_cents }) => amount_cents,
  );

async function write(page: Page, address: string, amount: string): Promise<void> {
  await page.goto(portal.at('/gifts/send'));
  await page.getByLabel('Email address').fill(address);
  await page.getByLabel('Amount (USD)').fill(amount);
  await page.getByLabel('Category').selectOption('coffee');
}

const addressIn = (page: Page) => page.getByLabel('Email address').inputValue();
const reviewed = (page: Page) => page.getByRole('heading', { name: 'Review', exact: true }).waitFor();
const draftsIn = (page: Page) =>
  page.evaluate(`Object.keys(sessionStorage).filter((key) => key.startsWith('bestow.draft.')).length`);

test('a gift that is written survives reload, menu and “back”, and is bought once', async () => {
  await using visit = await portal.visit(ADMIN);
  const { page, complaints } = visit;
  const before = await amounts();
  await write(page, 'ada@example.com', '13.00');
  await page.reload();
  assert.equal(await addressIn(page), 'ada@example.com');
  await page.getByRole('link', { name: 'Balance' }).click();
  await page.getByRole('heading', { name: 'Balance', level: 1 }).waitFor();
  await page.goBack();
  await page.getByRole('button', { name: 'Review gift' }).click();
  await reviewed(page);
  await page.goBack();
  await page.getByRole('button', { name: 'Review gift' }).waitFor();
  assert.equal(await addressIn(page), 'ada@example.com');
  await page.goForward();
  await reviewed(page);
  await page.reload();
  await page.getByText('Balance after').waitFor();
  await look(page, 'send-review');
  // The answer is lost and the page reloaded: the form knows that it was sent.
  await page.route('**/sandbox/orders', async (route) => {
    assert.equal((await route.fetch()).status(), 200);
    await route.abort('connectionreset');
  });
  await page.getByRole('button', { name: 'Send gift' }).click();
  await page.getByText('No answer arrived').waitFor();
  await page.unroute('**/sandbox/orders');
  await page.reload();
  await page.getByText('No answer arrived').waitFor();
  await page.getByRole('button', { name: 'Send again' }).click();
  await page.getByText('Test gift created').waitFor();
  assert.deepEqual(await amounts(), [...before, 1_300]);
  assert.equal(await draftsIn(page), 0);
  await page.goBack();
  await page.getByRole('button', { name: 'Review gift' }).waitFor();
  assert.equal(await addressIn(page), '');
  assert.deepEqual(
    complaints.filter((text) => !/net::ERR/.test(text)),
    [],
  );
});

test('a gift that is written survives a crash of its tab', async () => {
  await using visit = await portal.visit(ADMIN);
  const { page, context } = visit;
  await write(page, 'crash@example.com', '17.00');
  const debug = await context.newCDPSession(page);
  const crashed = page.waitForEvent('crash');
  // Neither answers, because the process ends.
  void debug.send('Page.crash').catch(() => undefined);
  await crashed;
  // The page of the tests' library stays crashed, so the debugger opens it again.
  await debug.send('Page.navigate', { url: portal.service.url + portal.at('/gifts/send') });
  await until(async () => {
    const expression = `document.querySelector('input[type=email]')?.value`;
    const { result } = await debug.send('Runtime.evaluate', { expression });
    return result.value === 'crash@example.com';
  }, 'the form has the address');
});

const formIdIn = (page: Page) =>
  page.evaluate(`Object.values({ ...sessionStorage }).map((text) => JSON.parse(text).formId).find(Boolean)`);

test('each tab and environment has its own draft, which “Start again” and signing out remove', async () => {
  await using visit = await portal.visit(ADMIN);
  const { page, context } = visit;
  const before = await amounts();
  await write(page, 'one@example.com', '14.00');
  const other = await context.newPage();
  await write(other, 'two@example.com', '15.00');
  assert.notEqual(await formIdIn(page), await formIdIn(other));
  for (const tab of [page, other]) {
    await tab.getByRole('button', { name: 'Review gift' }).click();
    await tab.getByRole('button', { name: 'Send gift' }).click();
    await tab.getByText('Test gift created').waitFor();
  }
  assert.deepEqual(await amounts(), [...before, 1_400, 1_500]);
  await write(page, 'three@example.com', '16.00');
  await page.goto(portal.at('/gifts/send', 'live'));
  assert.equal(await addressIn(page), '');
  await page.goto(portal.at('/gifts/send'));
  assert.equal(await addressIn(page), 'three@example.com');
  await page.getByRole('button', { name: 'Start again' }).click();
  await page.reload();
  assert.equal(await addressIn(page), '');
  await page.getByLabel('Email address').fill('four@example.com');
  assert.equal(await draftsIn(page), 1);
  await page.getByRole('button', { name: 'account and organizations' }).click();
  await page.getByRole('menuitem', { name: 'Sign out' }).click();
  await page.getByRole('heading', { name: 'Sign in' }).waitFor();
  assert.equal(await draftsIn(page), 0);
});
