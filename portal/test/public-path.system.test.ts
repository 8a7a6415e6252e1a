import assert from 'node:assert/strict';
import { once } from 'node:events';
import { createServer, request, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { after, before, test } from 'node:test';
import type { Browser } from 'playwright-core';
import { addOperator } from '../../server/src/capabilities/operators/operators.ts';
import { emailGift, gift } from '../../server/test/harness/api-client.ts';
import { OPERATOR } from '../../server/test/harness/operator.ts';
import { OPERATOR_EMAIL } from '../../server/test/harness/operator-client.ts';
import { startTestService, type TestOrganization, type TestService } from '../../server/test/harness/test-service.ts';
import { launchBrowser, openVisit } from './harness/browser.ts';
import { ADMIN, exportCsv, typeCode } from './harness/portal.ts';

// PUBLIC_URL has a path: a proxy forwards only requests below the path, and removes it.

const PATH = '/shop';

let service: TestService;
let proxy: Server;
let publicUrl: string;
let organization: TestOrganization;
let browser: Browser;
before(async () => {
  proxy = createServer((incoming, answer) => {
    const { method, headers, url = '' } = incoming;
    if (!url.startsWith(`${PATH}/`)) return void answer.writeHead(404).end();
    const passedOn = request(service.url + url.slice(PATH.length), { method, headers }, (reply) => {
      answer.writeHead(reply.statusCode ?? 502, reply.headers);
      reply.pipe(answer);
    });
    incoming.pipe(passedOn);
  }).listen(0, '127.0.0.1');
  await once(proxy, 'listening');
  publicUrl = `http://localhost:${(proxy.address() as AddressInfo).port}${PATH}`;
  service = await startTestService({ PUBLIC_URL: publicUrl });
  await service.sql(`update categories set artwork = '/artwork/' || category_id || '.svg'`);
  organization = await service.organization();
  browser = await launchBrowser();
});
after(async () => {
  await browser?.close();
  proxy.closeAllConnections();
  proxy.close();
  await service?.close();
});

test('the portal works below a path: sign-in, pages, exports, mails and docs', async () => {
  const { body } = await organization.sandbox.order([emailGift('delivered')]);
  await using visit = await openVisit(browser, publicUrl);
  const { page, context, foreign, complaints } = visit;
  const at = (path: string) => `${publicUrl}/portal/${organization.organizationId}/sandbox${path}`;

  await page.goto(`${publicUrl}/portal`);
  await typeCode(page, service, ADMIN);
  await page.getByRole('heading', { name: 'Overview', exact: true }).waitFor();
  assert.ok(page.url().startsWith(`${publicUrl}/portal/${organization.organizationId}/`), page.url());

  await page.goto(at('/gifts'));
  assert.equal((await exportCsv(page)).lines.length, 2);
  await page.getByRole('link', { name: 'delivered@sandbox.gift.test' }).click();
  await page.waitForURL(at(`/gifts/${body.gifts[0].gift_id}`));
  const frame = page.frameLocator('iframe[title="Message as HTML"]');
  await frame.getByText('Open your gift').waitFor();
  await context.clearCookies();
  await page.goto(at('/balance'));
  await typeCode(page, service, ADMIN);
  await page.waitForURL(at('/balance'));
  await page.getByRole('heading', { name: 'Balance', exact: true }).first().waitFor();
  for (const name of ['API reference', 'list of errors']) {
    await page.goto(at('/testing'));
    await page.getByRole('main').getByRole('link', { name }).click();
    await page.waitForURL(`${publicUrl}/docs/**`, { waitUntil: 'commit' });
  }
  assert.deepEqual({ foreign, complaints }, { foreign: [], complaints: [] });
});

test('the operator’s page works below a path', async () => {
  await addOperator(service.service.deps, { email: OPERATOR_EMAIL, actor: OPERATOR });
  await using visit = await openVisit(browser, publicUrl);
  const { page, foreign, complaints } = visit;
  await page.goto(`${publicUrl}/operator/money`);
  await typeCode(page, service, OPERATOR_EMAIL);
  await page.getByRole('heading', { name: 'Set up a second factor' }).waitFor();
  assert.equal(page.url(), `${publicUrl}/operator/sign-in?return_to=${encodeURIComponent('/shop/operator/money')}`);
  await page.getByRole('link', { name: 'Open your account' }).click();
  await page.getByRole('heading', { name: 'Your account' }).waitFor();
  assert.deepEqual([foreign, complaints], [[], []]);
});

test('the recipient’s page and the API reference work below a path', async () => {
  const { body } = await organization.sandbox.order([gift({ delivery: { method: 'link' } })]);
  await using visit = await openVisit(browser, publicUrl);
  const { page, foreign, complaints } = visit;
  await page.goto(body.gifts[0].delivery.link);
  await page.getByRole('button', { name: 'Unwrap' }).click();
  await page.locator('img').first().waitFor({ state: 'attached' });
  await page.waitForLoadState('load');
  assert.notEqual(await page.evaluate('document.images[0].naturalWidth'), 0);
  assert.notEqual(await page.evaluate('document.styleSheets[0].cssRules.length'), 0);
  await page.goto(`${publicUrl}/docs/api#createOrder`);
  await page.getByText(`curl ${publicUrl}/v1/orders`).first().waitFor();
  assert.deepEqual({ foreign, complaints }, { foreign: [], complaints: [] });
});
