import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { chromium } from 'playwright-core';
import { linkGift } from '../../harness/api-client.ts';
import { chooseStripe, stripeForm } from '../../harness/choose-stripe.ts';
import { chromiumPath } from '../../harness/chromium.ts';
import { openForFile } from '../../harness/open-for-file.ts';
import { startTestService } from '../../harness/test-service.ts';
import { cardNumberOf } from '../stripe/resources/issuing-cards.ts';
import { startStripe } from '../stripe/server.ts';

// A stub of Stripe.js in a real browser shows the card. With PICTURES, it takes pictures into that directory.

const service = openForFile(() => startTestService());
const stripe = openForFile(() => startStripe({ now: () => service.clock.now() }));
after(() => stripe.close());

/** Does what the page asks of Stripe.js, and puts a text instead of a frame. */
const stub = (number: string) => `window.Stripe = (key) => ({
  createEphemeralKeyNonce: async ({ issuingCard }) => ({ nonce: 'ephkn_1', issuingCard, key }),
  elements: () => ({ create: (kind, { ephemeralKeySecret, nonce, issuingCard }) => ({ mount(parent) {
    if (ephemeralKeySecret !== 'ek_live_of_' + issuingCard || nonce !== 'ephkn_1') throw new Error('wrong key');
    parent.textContent = { issuingCardNumberDisplay: '${number}', issuingCardExpiryDisplay: '11/29', issuingCardCvcDisplay: '123' }[kind];
  } }) }),
});`;

test('the form and Stripe’s elements work in a browser under the page’s policy', async () => {
  const organization = await service.organization();
  await chooseStripe(service, organization, stripe);
  const { body } = await organization.live.order([linkGift()]);
  const url = `${service.url}/g/${body.gifts[0].delivery.link.slice(-76)}`;
  const directory = process.env['PICTURES'];
  await using browser = await chromium.launch({ executablePath: chromiumPath(), args: ['--no-sandbox'] });
  const page = await browser.newPage({ viewport: { width: 390, height: 844 }, reducedMotion: 'reduce' });
  const complaints: string[] = [];
  page.on('console', (message) => complaints.push(message.text()));
  page.on('pageerror', (error) => complaints.push(String(error)));
  await page.route('https://js.stripe.com/**', (route) => {
    const number = cardNumberOf(stripe.account.all('issuing.card').at(-1)).replaceAll(/(.{4})(?=.)/g, '$1 ');
    return route.fulfill({ contentType: 'text/javascript', body: stub(number) });
  });
  const look = async (name: string) => {
    if (directory === undefined) return;
    for (const [size, width] of Object.entries({ phone: 390, desktop: 1280 }))
      for (const colorScheme of ['light', 'dark'] as const) {
        await page.setViewportSize({ width, height: 844 });
        await page.emulateMedia({ colorScheme });
        await page.screenshot({ path: `${directory}/${name}-${size}-${colorScheme}.png`, fullPage: true });
      }
  };
  await page.goto(url);
  await page.getByRole('button', { name: 'Unwrap' }).click();
  const { terms: _terms, ...fields } = stripeForm;
  for (const [name, text] of Object.entries(fields)) await page.locator(`[name="${name}"]`).fill(text);
  await page.getByLabel('Your email address').fill('ada@example.com');
  await page.getByRole('checkbox').check();
  await look('claim-form');
  await page.getByRole('button', { name: 'Claim' }).click();
  await page.getByRole('button', { name: 'Show number' }).click();
  await page.getByText('123', { exact: true }).waitFor();
  await look('card-elements');
  assert.match(await page.locator('#issuer-card').innerText(), /4000 00\d\d \d{4} \d{4}.*11\/29.*123/s);
  assert.deepEqual(complaints, []);
});
