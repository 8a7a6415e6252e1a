import assert from 'node:assert/strict';
import { before, test } from 'node:test';
import type { Browser, Page } from 'playwright-core';
import { LOOKS, launchBrowser, openVisit, PHONE } from '../../../../portal/test/harness/browser.ts';
import { findFaults } from '../../../../portal/test/harness/portal.ts';
import { TremendousStage } from '../../harness/tremendous-stage.ts';

// The choice on our page in Chromium. With PICTURES, it takes pictures into that directory.

const stage = new TremendousStage({ choice: 'ours' });
let browser: Browser;
before(async () => {
  await stage.reconcile();
  browser = await launchBrowser();
});

const at = (link: string) => `${stage.service.url}/g/${link.slice(-76)}`;

test('without JavaScript: unwrap, search, choose, claim, and redeem exactly this', async () => {
  const { link } = await stage.order();
  await using opened = await openVisit(browser, stage.service.url, { viewport: PHONE, javaScriptEnabled: false });
  const { page, foreign } = opened;
  await page.goto(at(link));
  await page.getByRole('button', { name: 'Unwrap' }).click();
  await page.getByLabel('Name').fill('film');
  await page.getByLabel('Country').selectOption({ label: 'United Kingdom' });
  await page.getByRole('button', { name: 'Search' }).click();
  assert.equal(await page.getByRole('region', { name: 'Choose what you like' }).getByRole('listitem').count(), 1);
  await page.getByRole('link', { name: 'Film Nights' }).click();
  assert.equal(await page.getByRole('heading', { level: 2 }).first().innerText(), 'Film Nights');
  await page.getByRole('link', { name: 'Choose something else' }).click();
  assert.equal(await page.getByLabel('Name').inputValue(), 'film');
  await page.getByRole('link', { name: 'Film Nights' }).click();
  await page.getByText('Terms', { exact: true }).click();
  assert.ok(await page.getByText('Film Nights is not a sponsor of this offer').isVisible());
  await page.getByLabel('Or a PIN, six digits').fill('271828');
  await page.getByRole('button', { name: 'Claim' }).click();
  await page.getByRole('button', { name: 'Open your gift' }).waitFor();
  assert.deepEqual(foreign, []);
  await page.getByRole('button', { name: 'Open your gift' }).click();
  await page.getByRole('button', { name: 'Redeem' }).waitFor();
  assert.ok(page.url().startsWith(stage.tremendous.url));
  assert.deepEqual(await page.getByRole('radio').count(), 1);
  await page.getByLabel('Film Nights').check();
  await page.getByRole('button', { name: 'Redeem' }).click();
  assert.match(await page.getByRole('main').innerText(), /Film Nights\s+Code: [0-9A-F]{16}/);
});

const LONG_NAME = 'Donaudampfschifffahrtsgesellschaftskapitän & Sons, Purveyors of Tea';

/** Fills three pages. */
async function addProducts(count: number): Promise<void> {
  const { network, state } = stage.tremendous;
  const product = state.products.get('GREENGROCER1');
  assert.ok(product);
  for (let number = 1; number <= count; number += 1)
    network.addProduct({ ...product, id: `MORE${number}`, name: number === 1 ? LONG_NAME : `Shop ${number}` });
  await stage.reconcile();
}

const VIEWS: Record<string, string> = {
  list: '',
  'second-page': '?language=en&page=2&country=US',
  'list-arabic': '?language=ar',
  'chosen-product': '?language=en&offer=VISAPREPAID1&country=US',
  'chosen-arabic': '?language=ar&offer=FILMNIGHTS01&country=US',
  'nothing-found': '?language=en&search=tea&country=GB',
};

test('the list, a product and an empty search are without faults for axe, also at 320 pixels', async () => {
  const { link, browser: recipient } = await stage.order();
  await recipient.press(link, 'open');
  await addProducts(50);
  for (const look of [...LOOKS, { viewport: { width: 320, height: 700 }, colorScheme: 'light' } as const]) {
    await using opened = await openVisit(browser, stage.service.url, look);
    const { page, foreign, complaints } = opened;
    for (const [name, query] of Object.entries(VIEWS)) {
      await page.goto(at(link) + query);
      await takePicture(page, `${name}-${look.viewport.width}-${look.colorScheme}`);
      assert.deepEqual(await findFaults(page), [], `${name} ${look.viewport.width}`);
    }
    assert.deepEqual([foreign, complaints], [[], []]);
  }
});

async function takePicture(page: Page, name: string): Promise<void> {
  const directory = process.env['PICTURES'];
  if (directory === undefined) return;
  for (const image of await page.locator('.offers img, .offer img').all()) await image.scrollIntoViewIfNeeded();
  await page.screenshot({ path: `${directory}/${name}.png`, fullPage: true });
}
