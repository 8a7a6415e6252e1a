import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import type { Browser, BrowserContextOptions, Page } from 'playwright-core';
import { launchBrowser, openVisit, PHONE } from '../../../../portal/test/harness/browser.ts';
import { findFaults } from '../../../../portal/test/harness/portal.ts';
import { gift, linkGift } from '../../harness/api-client.ts';
import { startTestService, type TestOrganization, type TestService } from '../../harness/test-service.ts';

/** The recipient's page in Chromium. */

let service: TestService;
let browser: Browser;
before(async () => {
  service = await startTestService();
  await service.sql(`update categories set artwork = '/artwork/' || category_id || '.svg'`);
  browser = await launchBrowser();
});
after(async () => {
  await browser?.close();
  await service?.close();
});

const visit = (options: BrowserContextOptions = {}) => openVisit(browser, service.url, { viewport: PHONE, ...options });

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
  const [, message = ''] = /href="(\/outbox\/[\w-]+\/\w+)"/.exec(await read(service.service.deps.outboxPath)) ?? [];
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
const press = (page: Page, name: string | RegExp) => page.getByRole('button', { name }).click();

/** Unwraps and claims a link gift with a PIN, and shows the card's number. */
async function showNumber(page: Page, link: string): Promise<void> {
  await page.goto(at(link));
  await press(page, 'Unwrap');
  await page.getByLabel('Or a PIN, six digits').fill('271828');
  for (const name of ['Claim', 'Show number']) await press(page, name);
}

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
    if (order === orderLink) await page.getByLabel('Or a PIN, six digits').fill('271828');
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

    assert.deepEqual([opened.foreign, opened.complaints], [[], []]);
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
      if (await page.evaluate(`document.activeElement.name === 'digits'`)) await page.keyboard.type('271828');
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
    await using opened = await visit({ colorScheme, reducedMotion: 'reduce' });
    const { page } = opened;
    const check = async (state: string) => assert.deepEqual(await findFaults(page), [], state);
    await page.goto(at(link));
    await check('wrapped');
    await press(page, 'Unwrap');
    await page.getByRole('button', { name: 'Claim' }).waitFor();
    await check('opened');
    await press(page, 'Claim');
    await page.getByText('Without an email address or a PIN').waitFor();
    await check('a claim without a way back');
    await page.getByLabel('Your email address').fill('ada@example.com');
    await press(page, /^Claim$/);
    await page.getByRole('button', { name: 'Show number' }).waitFor();
    await check('claimed');
    await page.getByLabel('Amount in USD').fill('5');
    await press(page, 'Make a test purchase');
    await page.getByText('Test shop').waitFor();
    await check('with a purchase');
    await page.getByLabel('A note to Charles').fill(' ');
    await press(page, 'Send note');
    await page.getByRole('alert').waitFor();
    await check('an empty note');
    await page.getByLabel('A note to Charles').fill('Thank you!\nAda');
    await press(page, 'Send note');
    await page.getByText('You thanked').waitFor();
    await check('thanked');
    await page.getByLabel('Amount in USD').fill('500');
    await press(page, 'Make a test purchase');
    await page.getByRole('alert').waitFor();
    await check('an amount that is too much');
    await page.goto(at(link));
    await press(page, 'Show number');
    await page.getByText('9999 99').waitFor();
    await check('number shown');
    await page.goto(at(link));
    await page.getByLabel('Amount in USD').fill('20');
    await press(page, 'Make a test purchase');
    await page.getByText('Spent', { exact: true }).waitFor();
    await check('spent');
    await page.goto(at(ended));
    await check('expired');
    await press(page, 'Send a new link');
    await page.getByText('A new link is on its way').waitFor();
    await check('fresh link sent');
    await page.goto(at(ended).slice(0, -4));
    await check('unknown');
  });

test('a button copies the number, without its spaces', async () => {
  const { link } = await orderLink(await service.organization());
  await using opened = await visit();
  const { page } = opened;
  await showNumber(page, link);
  await press(page, 'Copy number');
  await page.getByRole('button', { name: 'Copied number' }).waitFor();
  assert.match((await page.evaluate('navigator.clipboard.readText()')) as string, /^999999\d{10}$/);
  assert.deepEqual([opened.foreign, opened.complaints], [[], []]);
});

test('a printed card has dark digits, and no form or button', async () => {
  const { link } = await orderLink(await service.organization());
  await using opened = await visit();
  const { page } = opened;
  await showNumber(page, link);
  await page.getByText('9999 99').waitFor();
  await page.emulateMedia({ media: 'print' });
  assert.ok(await page.getByText('9999 99').isVisible());
  const shown = `[...document.querySelectorAll('form, input, button, .button')].filter((one) => one.checkVisibility()).length`;
  assert.equal(await page.evaluate(shown), 0);
  const colors = `['color', 'backgroundColor'].map((name) => getComputedStyle(document.querySelector('.payment'))[name])`;
  assert.deepEqual(await page.evaluate(colors), ['rgb(0, 0, 0)', 'rgb(255, 255, 255)']);
  if (process.env['PICTURES'] !== undefined)
    await page.screenshot({ path: `${process.env['PICTURES']}/print.png`, fullPage: true });
});

test('unwrapping and claiming are animated once, and never with reduced motion', async () => {
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
    await page.getByLabel('Or a PIN, six digits').fill('271828');
    await press(page, 'Claim');
    await page.getByText('It’s yours!').waitFor();
    const showers = `document.getAnimations().filter(({ animationName }) => animationName === 'shower').length`;
    assert.equal(await page.evaluate(showers), count);
  }
});

test('the gift finder sends a code at its sixth digit', async () => {
  await using opened = await visit();
  const { page, complaints, foreign } = opened;
  await page.goto('/find');
  await page.getByLabel('Email address or phone number').fill('ada@example.com');
  await press(page, 'Send a code');
  await page.getByLabel('Code').pressSequentially('123456');
  await page.getByRole('alert').waitFor();
  assert.deepEqual([page.url(), complaints, foreign], [`${service.url}/find/gifts`, [], []]);
});
