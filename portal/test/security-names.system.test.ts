import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import type { Page } from 'playwright-core';
import { grantOf } from '../../server/test/harness/agent-grant.ts';
import { emailGift, linkGift } from '../../server/test/harness/api-client.ts';
import { type PortalService, startPortal } from './harness/portal.ts';

/** Hostile names stay text on every page that shows them, in a real browser. */

const NAMES = [
  `<img src=x onerror="window.pwned=1">"><script>window.pwned=2</script></title></style><svg onload=window.pwned=3>`,
  `<a href="https://evil.example">Claim</a> https://evil.example/claim javascript:window.pwned=4 {{7*7}} <%= 7*7 %>`,
];

const [MARKUP = '', LINK = ''] = NAMES;

let portal: PortalService;
const links: string[] = [];
const gifts: string[] = [];
const orders: string[] = [];

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
    orders.push(body.order_id);
  }
  await service.sql('update organizations set name = $2 where organization_id = $1', [
    organization.organizationUuid,
    NAMES[0],
  ]);
  await grantOf(service, organization);
  await service.sql('update agent_grants set name = $2 where organization_id = $1', [
    organization.organizationUuid,
    NAMES[1],
  ]);
  await service.sql('update api_keys set name = $2 where organization_id = $1', [
    organization.organizationUuid,
    NAMES[1],
  ]);
});
after(() => portal?.close());

const MADE_OF_NAMES = 'img[src="x"], svg[onload], a[href*="evil.example"], a[href^="javascript:"]';

/** Asserts that no script ran, no other host was called, and no name became an element. */
async function assertText(page: Page, foreign: string[], where: string): Promise<void> {
  assert.equal(await page.evaluate('window.pwned'), undefined, where);
  assert.equal(await page.locator(MADE_OF_NAMES).count(), 0, where);
  assert.deepEqual(foreign, [], where);
}

test('hostile names are text on every portal page', async () => {
  await using visit = await portal.visit();
  const { page, foreign, complaints } = visit;
  page.on('dialog', (dialog) => void dialog.dismiss());
  // Every page shows the organization's name.
  const pages = [
    '',
    '/gifts',
    '/orders',
    '/balance',
    '/keys',
    '/agents',
    '/requests',
    '/members',
    '/audit',
    '/settings',
  ];
  const namesOn: Record<string, string[]> = { '/gifts': NAMES, '/orders': [LINK], '/keys': [LINK], '/agents': [LINK] };
  const shown: [path: string, names: string[]][] = [
    ...pages.map((path): [string, string[]] => [portal.at(path), [MARKUP, ...(namesOn[path] ?? [])]]),
    ...gifts.map((id, n): [string, string[]] => [portal.at(`/gifts/${id}`), [NAMES[n] ?? '']]),
    ...orders.map((id, n): [string, string[]] => [portal.at(`/orders/${id}`), [NAMES[n] ?? '', LINK]]),
    ['/portal/account', [MARKUP]],
  ];
  for (const [path, names] of shown) {
    await page.goto(portal.service.url + path, { waitUntil: 'networkidle' });
    for (const name of names) await page.getByText(name).filter({ visible: true }).first().waitFor();
    await assertText(page, foreign, path);
  }
  for (const id of gifts) {
    await page.goto(portal.service.url + portal.at(`/gifts/${id}`));
    const frame = page.frameLocator('iframe[title="Message as HTML"]');
    await frame.getByRole('heading', { name: /^A gift for/ }).waitFor();
    assert.equal(await frame.locator(MADE_OF_NAMES).count(), 0, id);
    await assertText(page, foreign, id);
  }
  assert.deepEqual(complaints, []);
});

test('no name on a portal page has a character that turns the text around it', async () => {
  const turned = '\u202eA\u2067d\u061ca\u200f';
  const { organization } = portal;
  const personalization = { recipient_name: turned, sender_name: turned };
  const { body } = await organization.sandbox.order([{ ...linkGift(), personalization }]);
  await using visit = await portal.visit();
  const { page } = visit;
  for (const path of [
    '/gifts',
    `/gifts/${body.gifts[0].gift_id}`,
    `/orders/${body.order_id}`,
    '/orders',
    '/requests',
  ]) {
    await page.goto(portal.service.url + portal.at(path), { waitUntil: 'networkidle' });
    if (path.startsWith('/gifts')) await page.getByText('Ada').filter({ visible: true }).first().waitFor();
    assert.doesNotMatch(await page.content(), /[\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069]/, path);
  }
  await page.goto(body.gifts[0].delivery.link);
  await page.getByText('Ada').first().waitFor();
  assert.doesNotMatch(await page.content(), /[\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069]/);
});

test('hostile names are text on the recipient’s page and in the outbox', async () => {
  await using visit = await portal.visit(null);
  const { page, foreign, complaints } = visit;
  for (const link of links) {
    await page.goto(portal.service.url + link);
    await assertText(page, foreign, link);
    for (const step of ['open', 'claim']) {
      await page.getByRole('button').first().click();
      await page.waitForLoadState();
      await assertText(page, foreign, `${link} ${step}`);
    }
  }
  await page.goto(portal.service.url + portal.service.service.deps.outboxPath);
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
