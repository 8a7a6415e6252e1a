import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import type { Page } from 'playwright-core';
import { emailGift, gift } from '../../server/test/harness/api-client.ts';
import { untilLogged } from '../../server/test/harness/request-log.ts';
import { assertFaultless, findFaults, MEMBER, type PortalService, startPortal } from './harness/portal.ts';

/** Issue «The business portal», «Developers»: the request log and what helps in testing. */

let portal: PortalService;
/** Of an order with a wrong amount. */
let failedId: string;
before(async () => {
  portal = await startPortal();
  const { service, organization } = portal;
  const other = service.api(await organization.newKey('sandbox'));
  await organization.sandbox.order([emailGift('delivered')]);
  const wrong = { amount: -1, delivery: { method: 'email', email: 'ada.lovelace@example.com' } };
  const { headers } = await organization.sandbox.order([gift(wrong)]);
  failedId = headers.get('request-id') ?? '';
  await organization.sandbox.order([emailGift('internal-error')]);
  await organization.sandbox.get('/v1/gifts?limit=5');
  await other.get('/v1/gifts/gift_01k0fxw4mzejhtt6k1sqh3p5cg');
  await untilLogged(service, organization, 'sandbox', 5);
});
after(async () => {
  await portal?.close();
});

/** Method and path of each request that is shown. */
async function shown(page: Page, count: number): Promise<string[]> {
  await page.getByText(`Showing ${count} ${count === 1 ? 'request' : 'requests'}.`).waitFor({ state: 'attached' });
  const cells = await page.getByRole('table', { name: 'Requests' }).getByRole('link').allInnerTexts();
  return cells.map((text) => text.split('\n')[0] ?? '');
}

const all = [
  'GET /v1/gifts/gift_01k0fxw4mzejhtt6k1sqh3p5cg',
  'GET /v1/gifts?limit=5',
  'POST /v1/orders',
  'POST /v1/orders',
  'POST /v1/orders',
];

test('the log is filtered by status, method, key and path, and the address keeps it', async () => {
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
  // One after the other finds another number, by which it is seen that the list is that of the text.
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

test('a pasted request id leads to its page, which says what was wrong and shows the body with addresses masked', async () => {
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

test('a request that comes now is there after a refresh', async () => {
  await using visit = await portal.visit();
  const { page } = visit;
  await page.goto(portal.at('/requests?query=%2Fv1%2Fcategories'));
  await page.getByText('No requests match these filters').waitFor();
  await portal.organization.sandbox.get('/v1/categories');
  await untilLogged(portal.service, portal.organization, 'sandbox', 6);
  await page.getByRole('button', { name: 'Refresh' }).click();
  assert.deepEqual(await shown(page, 1), ['GET /v1/categories']);
});

test('a refresh that fails is said above the requests that are kept, with what helps', async () => {
  await using visit = await portal.visit();
  const { page, context } = visit;
  await page.goto(portal.at('/requests?status=failed'));
  const kept = await shown(page, 3);
  await context.clearCookies();
  await page.getByRole('button', { name: 'Refresh' }).click();
  const failed = page.getByRole('main').getByRole('status').filter({ hasText: 'Could not refresh this.' });
  await failed.getByText('Sign in to go on.').waitFor();
  assert.deepEqual(await shown(page, 3), kept);
  const signIn = `/portal/sign-in?return_to=${encodeURIComponent(portal.at('/requests?status=failed'))}`;
  assert.equal(await failed.getByRole('link', { name: 'Sign in' }).getAttribute('href'), signIn);
  assert.deepEqual(await findFaults(page), []);
});

test('a search that stopped early goes further back at a press', async () => {
  const { service } = portal;
  const organization = await portal.service.organization();
  await organization.sandbox.get('/v1/orders?limit=1000');
  await organization.sandbox.get('/v1/orders');
  await untilLogged(service, organization, 'sandbox', 2);
  await service.sql(
    `insert into request_log
     select (jsonb_populate_record(l, jsonb_build_object(
       'request_id', overlay(l.request_id::text placing lpad(to_hex(n), 8, '0') from 29)::uuid))).*
     from request_log l, generate_series(1, 10100) as n
     where l.organization_id = $1 and l.status = 200`,
    [organization.organizationUuid],
  );
  await using visit = await portal.visit();
  const { page } = visit;
  await page.goto(`/portal/${organization.organizationId}/sandbox/requests?query=%2Fv1%2Forders%3Flimit`);
  await page.getByText('Nothing found so far').waitFor();
  await page.getByText('Searched back to').waitFor();
  await page.getByRole('button', { name: 'Search further back' }).click();
  assert.deepEqual(await shown(page, 1), ['GET /v1/orders?limit=1000']);
});

test('each address of the steering table is copied with a button and does what stands beside it', async () => {
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
  ]);
  const main = page.getByRole('main');
  for (const [name, address] of [
    ['API reference', '/docs/api'],
    ['list of errors', '/docs/errors'],
    ['outbox', '/outbox'],
  ] as const)
    assert.equal(await main.getByRole('link', { name, exact: true }).getAttribute('href'), address);
  assert.deepEqual(complaints, []);
});

test('in Live mode the testing page says that it is about the sandbox, and leads there', async () => {
  await using visit = await portal.visit(MEMBER);
  const { page } = visit;
  await page.goto(portal.at('/testing', 'live'));
  await page.getByText('This works only with sandbox keys.').waitFor();
  await page.getByRole('link', { name: 'Go to Sandbox mode' }).click();
  await page.waitForURL(`**${portal.at('/testing')}`);
  await page.getByText('This works only').waitFor({ state: 'detached' });
});

test('a member sees the log and each request', async () => {
  await using visit = await portal.visit(MEMBER);
  const { page } = visit;
  await page.goto(portal.at('/requests?status=client_error&method=POST'));
  await page.getByRole('link', { name: 'POST /v1/orders' }).last().click();
  await page.getByRole('heading', { name: 'Body' }).waitFor();
});

test('the pages for developers have no fault, full and empty, in any size and theme', async () => {
  const { organization, service } = portal;
  await organization.sandbox.get(`/v1/gifts/${'long'.repeat(60)}?filter=${'more'.repeat(60)}`);
  await untilLogged(service, organization, 'sandbox', 7);
  await using visit = await portal.visit();
  const { page, complaints } = visit;
  for (const [address, environment, text] of [
    ['/requests', 'sandbox', 'POST /v1/orders'],
    ['/requests', 'live', 'No requests in the last 7 days'],
    [`/requests/${failedId}`, 'sandbox', 'How to fix it'],
    ['/requests/req_x', 'sandbox', 'Request not found'],
    ['/testing', 'live', 'Takes a while'],
  ] as const) {
    await page.goto(portal.at(address, environment));
    await page.getByText(text).first().waitFor();
    await assertFaultless(page);
  }
  assert.deepEqual(complaints, []);
});
