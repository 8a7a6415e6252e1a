import assert from 'node:assert/strict';
import { existsSync } from 'node:fs';
import { createRequire } from 'node:module';
import { after, before, test } from 'node:test';
import { type Browser, type BrowserContextOptions, chromium, type Page } from 'playwright-core';
import { gift, linkGift } from '../harness/api-client.ts';
import { startTestService, type TestOrganization, type TestService } from '../harness/test-service.ts';

/** The recipient's page in Chromium. */

const CHROMIUM = '/usr/bin/chromium';
// Turns off the browser's background requests.
const ARGUMENTS = [
  '--no-sandbox',
  '--disable-gpu',
  '--disable-quic',
  '--no-first-run',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
];
const AXE = createRequire(import.meta.url).resolve('axe-core/axe.min.js');
const PHONE = { width: 390, height: 844 };

let service: TestService;
let browser: Browser;
before(async () => {
  assert.ok(existsSync(CHROMIUM), `These tests need Chromium at ${CHROMIUM}: apt-get install chromium.`);
  service = await startTestService();
  await service.sql(`update categories set artwork = '/artwork/' || category_id || '.svg'`);
  browser = await chromium.launch({ executablePath: CHROMIUM, args: ARGUMENTS });
});
after(async () => {
  await browser?.close();
  await service?.close();
});

interface Visit extends AsyncDisposable {
  page: Page;
  /** Requests to any other host. */
  foreign: string[];
  /** Console messages and exceptions. */
  complaints: string[];
}

async function visit(options: BrowserContextOptions = {}): Promise<Visit> {
  const context = await browser.newContext({ viewport: PHONE, ...options });
  const page = await context.newPage();
  const foreign: string[] = [];
  const complaints: string[] = [];
  page.on('request', (request) => {
    if (!request.url().startsWith(`${service.url}/`)) foreign.push(request.url());
  });
  page.on('console', (message) => {
    // Chromium logs expected error answers.
    if (!/status of 4(10|22)/.test(message.text())) complaints.push(message.text());
  });
  page.on('pageerror', (error) => complaints.push(String(error)));
  return { page, foreign, complaints, [Symbol.asyncDispose]: () => context.close() };
}

const at = (link: string) => service.url + new URL(link).pathname;

interface Bought {
  giftId: string;
  link: string;
}

async function orderLink({ sandbox }: TestOrganization): Promise<Bought> {
  const personalization = { sender_name: 'Charles', recipient_name: 'Ada' };
  const { body } = await sandbox.order([{ ...linkGift(), personalization }]);
  return { giftId: body.gifts[0].gift_id, link: body.gifts[0].delivery.link };
}

/** Orders an email gift and reads the link from the outbox. */
async function orderEmail({ sandbox }: TestOrganization): Promise<Bought> {
  const { body } = await sandbox.order([gift()]);
  const read = async (path: string) => (await fetch(service.url + path)).text();
  const [, message = ''] = /href="(\/outbox\/\w+)"/.exec(await read('/outbox')) ?? [];
  const [, link] = /href="(http[^"]+\/g\/[\w-]+)"/.exec(await read(message)) ?? [];
  assert.ok(link);
  return { giftId: body.gifts[0].gift_id, link };
}

/** The same link, expired. */
function expired(link: string): string {
  const { links } = service.service.deps;
  const claims = links.read(link.slice(-76));
  assert.ok(claims);
  return links.url({ ...claims, expiresAtMs: service.clock.now() });
}

const heading = (page: Page) => page.getByRole('heading', { level: 1 }).innerText();
const press = (page: Page, name: string) => page.getByRole('button', { name }).click();

const ways: [string, BrowserContextOptions, (organization: TestOrganization) => Promise<Bought>][] = [
  ['with JavaScript, an email gift', {}, orderEmail],
  ['without JavaScript, a link gift', { javaScriptEnabled: false }, orderLink],
];

for (const [how, options, order] of ways)
  test(`unwrap, claim, show the number and make a test purchase ${how}`, async () => {
    const organization = await service.organization();
    const { giftId, link } = await order(organization);
    const status = async () => (await organization.sandbox.get(`/v1/gifts/${giftId}`)).body.delivery.status;
    await using opened = await visit(options);
    const { page } = opened;

    await page.goto(at(link));
    assert.match(await heading(page), /^A gift for (Ada|you)$/);
    assert.equal(await status(), 'sent');
    await press(page, 'Unwrap');
    await page.getByRole('button', { name: 'Claim' }).waitFor();
    assert.equal(await heading(page), '$25.00 for coffee');
    assert.equal(await status(), 'opened');
    await press(page, 'Claim');
    await page.getByRole('button', { name: 'Show number' }).waitFor();
    assert.equal(await status(), 'claimed');
    assert.equal(await page.getByText('9999 99').count(), 0);
    await press(page, 'Show number');
    assert.match(await page.getByText('9999 99').innerText(), /^9999 99\d\d \d{4} \d{4}$/);
    await page.getByRole('link', { name: 'Hide number' }).click();
    assert.equal(await page.getByText('9999 99').count(), 0);

    await page.getByLabel('Amount in USD').fill('100');
    await press(page, 'Make a test purchase');
    assert.equal(await page.getByRole('alert').innerText(), 'Only $25.00 is left on the card.');
    await page.getByLabel('Amount in USD').fill('5.50');
    await press(page, 'Make a test purchase');
    await page.getByText('Test shop').waitFor();
    assert.match(await page.getByRole('region', { name: 'Balance' }).innerText(), /\$19\.50 of \$25\.00/);

    assert.deepEqual(opened.foreign, []);
    assert.deepEqual(opened.complaints, []);
  });

test('each button can be reached and pressed by keyboard', async () => {
  const { link } = await orderLink(await service.organization());
  await using opened = await visit();
  const { page } = opened;
  await page.goto(at(link));
  for (const name of ['Unwrap', 'Claim', 'Show number']) {
    const wanted = page.getByRole('button', { name });
    await wanted.waitFor();
    for (let presses = 0; presses < 5; presses += 1) {
      await page.keyboard.press('Tab');
      if (await wanted.evaluate((element) => element.matches(':focus-visible'))) break;
    }
    await page.keyboard.press('Enter');
  }
  await page.getByText('9999 99').waitFor();
});

for (const colorScheme of ['light', 'dark'] as const)
  test(`every state passes axe and fits a phone, ${colorScheme}`, async () => {
    const organization = await service.organization();
    const { link } = await orderLink(organization);
    const ended = expired((await orderEmail(organization)).link);
    await using opened = await visit({ colorScheme, reducedMotion: 'reduce', bypassCSP: true });
    const { page } = opened;
    const check = async (state: string) => {
      await page.addScriptTag({ path: AXE });
      const { violations } = (await page.evaluate(`axe.run(document, { resultTypes: ['violations'] })`)) as {
        violations: { id: string; nodes: unknown[] }[];
      };
      assert.deepEqual(violations, [], state);
      const width = await page.evaluate('document.documentElement.scrollWidth');
      assert.equal(width, PHONE.width, state);
    };
    await page.goto(at(link));
    await check('wrapped');
    await press(page, 'Unwrap');
    await page.getByRole('button', { name: 'Claim' }).waitFor();
    await check('opened');
    await press(page, 'Claim');
    await page.getByRole('button', { name: 'Show number' }).waitFor();
    await check('claimed');
    await page.getByLabel('Amount in USD').fill('5');
    await press(page, 'Make a test purchase');
    await page.getByText('Test shop').waitFor();
    await check('with a purchase');
    await page.getByLabel('Amount in USD').fill('500');
    await press(page, 'Make a test purchase');
    await page.getByRole('alert').waitFor();
    await check('an amount that is too much');
    await page.goto(at(link));
    await press(page, 'Show number');
    await page.getByText('9999 99').waitFor();
    await check('number shown');
    await page.goto(at(ended));
    await check('expired');
    await press(page, 'Send a new link');
    await page.getByText('A new link is on its way').waitFor();
    await check('fresh link sent');
    await page.goto(at(ended).slice(0, -4));
    await check('unknown');
  });

test('unwrapping is animated once, and never with reduced motion', async () => {
  const organization = await service.organization();
  for (const [reducedMotion, count] of [
    ['no-preference', 1],
    ['reduce', 0],
  ] as const) {
    const { link } = await orderLink(organization);
    await using opened = await visit({ reducedMotion });
    const { page } = opened;
    const running = () =>
      page.evaluate(`document.getAnimations().filter(({ animationName }) => animationName === 'rise').length`);
    await page.goto(at(link));
    await press(page, 'Unwrap');
    await page.getByRole('button', { name: 'Claim' }).waitFor();
    assert.equal(await running(), count);
    await page.goto('about:blank');
    await page.goto(at(link));
    assert.equal(await running(), 0);
  }
});
