import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import type { Page } from 'playwright-core';
import { emailGift, linkGift } from '../server/test/harness/api-client.ts';
import { type PortalService, startPortal } from './harness/portal.ts';

/** Quality, «Security controls», names: on every page that shows one, in a real browser, they are text and nothing else. */

const NAMES = [
  `<img src=x onerror="window.pwned=1">"><script>window.pwned=2</script></title></style><svg onload=window.pwned=3>`,
  `<a href="https://evil.example">Claim</a> https://evil.example/claim javascript:window.pwned=4 {{7*7}} <%= 7*7 %>`,
];

let portal: PortalService;
const links: string[] = [];
const gifts: string[] = [];

before(async () => {
  portal = await startPortal();
  const { service, organization } = portal;
  for (const name of NAMES) {
    const personalization = { recipient_name: name, sender_name: name };
    const { status, body } = await organization.sandbox.order([
      { ...linkGift(), personalization },
      { ...emailGift('neutral'), personalization },
    ]);
    assert.equal(status, 201, JSON.stringify(body));
    links.push(new URL(body.gifts[0].delivery.link).pathname);
    gifts.push(body.gifts[1].gift_id);
  }
  await service.sql('update organizations set name = $2 where organization_id = $1', [
    organization.organizationUuid,
    NAMES[0],
  ]);
  await service.sql('update api_keys set name = $2 where organization_id = $1', [
    organization.organizationUuid,
    NAMES[1],
  ]);
});
after(() => portal?.close());

/** Nothing ran, nothing was fetched from elsewhere, and no element came of a name. */
async function assertText(page: Page, foreign: string[], where: string): Promise<void> {
  assert.equal(await page.evaluate('window.pwned'), undefined, where);
  assert.equal(
    await page.locator('img[src="x"], svg[onload], a[href*="evil.example"], a[href^="javascript:"]').count(),
    0,
    where,
  );
  assert.deepEqual(foreign, [], where);
}

test('in the portal names are text: lists, a gift, its message and letter, an order, keys, the log, the account', async () => {
  await using visit = await portal.visit();
  const { page, foreign, complaints } = visit;
  page.setDefaultTimeout(30_000);
  page.on('dialog', (dialog) => void dialog.dismiss());
  const pages = ['', '/gifts', '/keys', '/requests', '/settings'];
  for (const path of [...pages, ...gifts.map((id) => `/gifts/${id}`)]) {
    await page.goto(portal.service.url + portal.at(path));
    await page.getByRole('heading').first().waitFor();
    await assertText(page, foreign, path);
  }
  assert.deepEqual(complaints, []);
});

test('on the recipient’s page and in the outbox names are text, at every step', async () => {
  await using visit = await portal.visit(null);
  const { page, foreign, complaints } = visit;
  page.setDefaultTimeout(30_000);
  for (const link of links) {
    await page.goto(portal.service.url + link);
    await assertText(page, foreign, link);
    for (const step of ['open', 'claim']) {
      await page.getByRole('button').first().click();
      await page.waitForLoadState();
      await assertText(page, foreign, `${link} ${step}`);
    }
  }
  await page.goto(`${portal.service.url}/outbox`);
  await assertText(page, foreign, 'the outbox');
  const messages = (await page.evaluate(
    `[...document.querySelectorAll('a')].map((a) => a.href).filter((href) => href.includes('/outbox/'))`,
  )) as string[];
  assert.ok(messages.length > 0, 'the outbox has messages');
  for (const href of messages.slice(0, NAMES.length)) {
    await page.goto(href);
    await assertText(page, foreign, href);
    await page.goto(`${href}/html`);
    await assertText(page, foreign, `${href}/html`);
  }
  assert.deepEqual(complaints, []);
});
