import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { after, before, test } from 'node:test';
import { promisify } from 'node:util';
import type { Page } from 'playwright-core';
import { emailGift, gift } from '../../server/test/harness/api-client.ts';
import { untilLogged } from '../../server/test/harness/request-log.ts';
import { assertFaultlessPages, MEMBER, type PortalService, startPortal } from './harness/portal.ts';

let portal: PortalService;
/** The id of an order request with a wrong amount. */
let failedId: string;
let placed: { requestId: string; orderId: string };
before(async () => {
  portal = await startPortal();
  const { service, organization } = portal;
  const other = service.api(await organization.newKey('sandbox'));
  const { headers: first, body: order } = await organization.sandbox.order([emailGift('delivered')]);
  placed = { requestId: first.get('request-id') ?? '', orderId: order.order_id };
  const wrong = { amount: -1, delivery: { method: 'email', email: 'ada.lovelace@example.com' } };
  const { headers } = await organization.sandbox.order([gift(wrong)]);
  failedId = headers.get('request-id') ?? '';
  await organization.sandbox.order([emailGift('internal-error')]);
  await organization.sandbox.get('/v1/gifts?limit=5');
  await other.get('/v1/gifts/gift_01k0fxw4mzejhtt6k1sqh3p5cg');
  await untilLogged(service, organization, 'sandbox', 5);
});
after(() => portal?.close());

/** Waits for this number of rows and returns the method and path of each. */
async function shown(page: Page, count: number): Promise<string[]> {
  await page.getByText(`Showing ${count} ${count === 1 ? 'request' : 'requests'}.`).waitFor({ state: 'attached' });
  const cells = await page.getByRole('table', { name: 'API log' }).getByRole('link').allInnerTexts();
  return cells.map((text) => text.split('\n')[0] ?? '');
}

const all = [
  'GET /v1/gifts/gift_01k0fxw4mzejhtt6k1sqh3p5cg',
  'GET /v1/gifts?limit=5',
  'POST /v1/orders',
  'POST /v1/orders',
  'POST /v1/orders',
];

test('requests are filtered by status, method, key and path, and the URL keeps it', async () => {
  await using visit = await portal.visit();
  const { page, complaints, foreign } = visit;
  await page.goto(portal.at('/requests'));
  assert.deepEqual(await shown(page, 5), all);
  const row = page.getByRole('row', { name: /internal_error/ });
  for (const text of ['500', 'test', /^bestow-sandbox-…/, / ms$/]) await row.getByText(text, { exact: true }).waitFor();

  const status = page.getByRole('combobox', { name: 'Status' });
  await status.selectOption('All errors');
  assert.deepEqual(await shown(page, 3), [all[0], all[2], all[3]]);
  await status.selectOption('Errors 5xx');
  assert.deepEqual(await shown(page, 1), ['POST /v1/orders']);
  await status.selectOption('Succeeded');
  assert.deepEqual(await shown(page, 2), [all[1], all[4]]);
  await page.getByRole('combobox', { name: 'Method' }).selectOption('GET');
  assert.deepEqual(await shown(page, 1), [all[1]]);
  assert.equal(new URL(page.url()).search, '?status=succeeded&method=GET');
  await page.reload();
  assert.deepEqual(await shown(page, 1), [all[1]]);
  await page.getByRole('button', { name: 'Clear filters' }).click();
  assert.deepEqual(await shown(page, 5), all);

  await page.getByRole('combobox', { name: 'API key' }).selectOption({ index: 1 });
  assert.deepEqual(await shown(page, 1), [all[0]]);
  await page.getByRole('combobox', { name: 'API key' }).selectOption('Any key');
  assert.deepEqual(await shown(page, 5), all);
  // Each text finds a different number, which proves that the list has changed.
  for (const [text, found] of [
    ['gifts/', 1],
    ['/v1/gifts', 2],
    ['gift_01k0fxw4mzejhtt6k1sqh3p5cg', 1],
    ['https://gifts.example.com/v1/orders', 3],
  ] as const) {
    await page.getByRole('searchbox', { name: 'Request ID or path' }).fill(text);
    await page.keyboard.press('Enter');
    assert.equal((await shown(page, found)).length, found, text);
  }
  assert.deepEqual([complaints, foreign], [[], []]);
});

test('a pasted request id leads to its error and its masked body', async () => {
  await using visit = await portal.visit();
  const { page, complaints } = visit;
  await page.goto(portal.at('/requests', 'live'));
  await page.getByText('No requests in the last 7 days').waitFor();
  await page.getByRole('searchbox', { name: 'Request ID or path' }).fill(` ${failedId.toUpperCase()} `);
  await page.keyboard.press('Enter');
  await page.getByText('Request not found').waitFor();
  await page.getByRole('link', { name: 'Look in Sandbox mode' }).click();
  await page.getByRole('heading', { name: 'POST /v1/orders', level: 1 }).waitFor();
  const main = page.getByRole('main');
  for (const text of ['422', 'parameter_invalid', 'gifts[0].amount', '127.0.0.1', failedId])
    await main.getByText(text, { exact: true }).waitFor();
  const body = await page.getByRole('region', { name: 'Request body' }).innerText();
  const { gifts } = JSON.parse(body) as { gifts: { amount: number; delivery: object }[] };
  assert.deepEqual(gifts[0]?.delivery, { method: 'email', email: 'a•••@example.com' });
  assert.ok(body.includes('\n      "amount": -1,'), body);
  await page.getByRole('button', { name: 'Copy body' }).click();
  assert.equal(await page.evaluate('navigator.clipboard.readText()'), body);
  await page.getByRole('link', { name: 'How to fix it' }).click();
  await page.locator('article:target').getByRole('heading', { name: 'parameter_invalid' }).waitFor();
  assert.deepEqual(complaints, []);
});

test('a request shows its response and its order, and is copied as a command that runs', async () => {
  await using visit = await portal.visit();
  const { page, complaints } = visit;
  await page.goto(portal.at(`/requests/${placed.requestId}`));
  const shown = JSON.parse(await page.getByRole('region', { name: 'Response body', exact: true }).innerText());
  assert.equal(shown.gifts[0].delivery.status, 'sent');
  await page.getByRole('button', { name: 'Copy as curl' }).click();
  const command = (await page.evaluate('navigator.clipboard.readText()')) as string;
  const { stdout } = await promisify(execFile)('sh', ['-c', command.replace('curl', 'curl -s')], {
    env: { ...process.env, BESTOW_API_KEY: portal.organization.keys.sandbox },
  });
  assert.equal(JSON.parse(stdout).status, 'processed');
  await page.getByRole('link', { name: placed.orderId }).click();
  await page.getByRole('heading', { name: 'Order of $25.00', level: 1 }).waitFor();
  assert.deepEqual(complaints, []);
});

test('a refresh shows a new request, and following shows the next without one', async () => {
  await using visit = await portal.visit();
  const { page } = visit;
  await page.goto(portal.at('/requests?query=%2Fv1%2Fcategories'));
  await page.getByText('No requests match these filters').waitFor();
  await portal.organization.sandbox.get('/v1/categories');
  await untilLogged(portal.service, portal.organization, 'sandbox', 7);
  await page.getByRole('button', { name: 'Refresh' }).click();
  assert.deepEqual(await shown(page, 1), ['GET /v1/categories']);
  await page.getByRole('button', { name: 'Follow live' }).click();
  await portal.organization.sandbox.get('/v1/categories');
  await untilLogged(portal.service, portal.organization, 'sandbox', 8);
  assert.equal((await shown(page, 2)).length, 2);
});

test('each test address can be copied and does what the table says', async () => {
  const { organization, service } = portal;
  await using visit = await portal.visit();
  const { page, complaints } = visit;
  await page.goto(portal.at('/testing'));
  const rows = page.getByRole('listitem').filter({ has: page.getByRole('heading', { level: 3 }) });
  await rows.first().waitFor();
  const seen: unknown[] = [];
  for (const row of await rows.all()) {
    const name = await row.getByRole('heading').innerText();
    for (const button of await row.getByRole('button').all()) {
      await button.click();
      const address = (await page.evaluate('navigator.clipboard.readText()')) as string;
      const method = address.includes('@') ? 'email' : 'phone';
      let isOver = false;
      const placed = organization.sandbox
        .order([gift({ delivery: { method, [method]: address } })])
        .then(({ body }) => body.error?.code ?? body.gifts[0]?.delivery.status ?? body.status)
        .catch(() => 'no answer')
        .finally(() => {
          isOver = true;
        });
      while (name === 'Slow response' && !isOver) await service.clock.advance(5_000);
      seen.push([name, method, await placed]);
    }
  }
  const twice = (name: string, outcome: string) => ['email', 'phone'].map((method) => [name, method, outcome]);
  assert.deepEqual(seen, [
    ...twice('Delivered', 'sent'),
    ['Delivery fails', 'email', 'failed'],
    ...twice('Delivery fails', 'failed'),
    ...twice('Opened', 'opened'),
    ...twice('Claimed', 'claimed'),
    ...twice('Spent', 'claimed'),
    ...twice('Takes a while', 'processing'),
    ...twice('Balance too low', 'insufficient_balance'),
    ...twice('Server error', 'internal_error'),
    ...twice('Too many requests', 'rate_limit_exceeded'),
    ...twice('Response lost', 'no answer'),
    ...twice('Slow response', 'sent'),
    ...twice('Locked for a moment', 'resource_locked'),
    ...twice('Still in progress', 'idempotency_in_progress'),
  ]);
  const main = page.getByRole('main');
  for (const [name, address] of [
    ['API reference', '/docs/api'],
    ['list of errors', '/docs/errors'],
  ] as const)
    assert.equal(await main.getByRole('link', { name, exact: true }).getAttribute('href'), address);
  await main.getByText('server/bin/bestow.js outbox url', { exact: true }).waitFor();
  assert.deepEqual(complaints, []);
});

test('in Live mode the testing page leads to the sandbox', async () => {
  await using visit = await portal.visit(MEMBER);
  const { page } = visit;
  await page.goto(portal.at('/testing', 'live'));
  await page.getByText('This works only with sandbox keys.').waitFor();
  await page.getByRole('link', { name: 'Go to Sandbox mode' }).click();
  await page.waitForURL(`**${portal.at('/testing')}`);
  await page.getByText('This works only').waitFor({ state: 'detached' });
});

test('the developer pages pass axe in every size and theme', async () => {
  const { organization, service } = portal;
  await organization.sandbox.get(`/v1/gifts/${'long'.repeat(60)}?filter=${'more'.repeat(60)}`);
  await untilLogged(service, organization, 'sandbox', 9);
  await using visit = await portal.visit();
  const { page, complaints } = visit;
  await assertFaultlessPages(page, [
    [portal.at('/requests'), 'POST /v1/orders'],
    [portal.at('/requests', 'live'), 'No requests in the last 7 days'],
    [portal.at(`/requests/${failedId}`), 'How to fix it'],
    [portal.at('/requests/req_x'), 'Request not found'],
    [portal.at('/testing', 'live'), 'Takes a while'],
  ]);
  assert.deepEqual(complaints, []);
});
