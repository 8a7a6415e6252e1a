import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import type { Browser, BrowserContextOptions } from 'playwright-core';
import { DESKTOP, LOOKS, launchBrowser, openVisit, PHONE } from '../../../../portal/test/harness/browser.ts';
import { findFaults } from '../../../../portal/test/harness/portal.ts';
import { resources } from '../../../src/capabilities/docs/api-description.ts';
import { guidePath, guides } from '../../../src/capabilities/docs/guides.ts';
import { REFERENCE_PATH, resourcePath } from '../../../src/capabilities/docs/reference-path.ts';
import { startTestService, type TestService } from '../../harness/test-service.ts';

let service: TestService;
let browser: Browser;
before(async () => {
  service = await startTestService();
  browser = await launchBrowser();
});
after(async () => {
  await browser?.close();
  await service?.close();
});

const visit = (options: BrowserContextOptions) => openVisit(browser, service.url, options);

const paths = [
  ...guides.map(({ slug }) => guidePath(slug)),
  REFERENCE_PATH,
  ...resources.map(resourcePath),
  '/docs/search?q=idempotency',
  '/docs/search?q=zzz',
];

for (const [look, { viewport, colorScheme }] of LOOKS.entries())
  test(`axe finds no fault at ${viewport.width} pixels, ${colorScheme}`, async () => {
    await using visited = await visit({ viewport, colorScheme });
    const { page, foreign, complaints } = visited;
    // Axe is slow and all pages share a frame, so each page is checked in one look only.
    for (const path of paths.filter((_, index) => index % LOOKS.length === look)) {
      await page.goto(path);
      assert.deepEqual(await findFaults(page), [], path);
    }
    assert.deepEqual({ foreign, complaints }, { foreign: [], complaints: [] });
  });

test('no page is wider than a small phone', async () => {
  await using visited = await visit({ viewport: { width: 320, height: 640 }, javaScriptEnabled: false });
  for (const path of [...paths, '/']) {
    await visited.page.goto(path);
    const widths = await visited.page.evaluate('[document.documentElement.scrollWidth, innerWidth]');
    const [inside = 0, outside = 0] = widths as number[];
    assert.ok(inside <= outside, `${path}: ${inside} > ${outside}`);
  }
});

test('the keyboard alone reaches content, search and results without JavaScript', async () => {
  await using visited = await visit({ viewport: DESKTOP, javaScriptEnabled: false });
  const { page } = visited;
  await page.goto('/docs');
  await page.keyboard.press('Tab');
  assert.equal(await page.locator(':focus').innerText(), 'Skip to content');
  await page.getByRole('searchbox', { name: 'Search the documentation' }).focus();
  await page.keyboard.type('erase a person');
  await page.keyboard.press('Enter');
  await page.waitForURL('**/docs/search?q=erase+a+person');
  const first = page.getByRole('article').getByRole('link').first();
  assert.equal(await first.innerText(), 'Erase a person');
  await first.focus();
  await page.keyboard.press('Enter');
  await page.waitForURL('**/docs/privacy#erase-a-person');
  await page.getByRole('heading', { name: 'Erase a person' }).waitFor();
});

test('the lists of pages and headings are open on a desktop and open by key on a phone', async () => {
  for (const [viewport, isOpen] of [
    [PHONE, false],
    [DESKTOP, true],
  ] as const) {
    await using visited = await visit({ viewport });
    const { page } = visited;
    await page.goto('/docs/concepts');
    const link = page.getByRole('navigation', { name: 'Documentation' }).getByRole('link', { name: 'Sandbox' });
    const anchor = page.getByRole('navigation', { name: 'On this page' }).getByRole('link', { name: 'Status' });
    assert.deepEqual([await link.isVisible(), await anchor.isVisible()], [isOpen, isOpen]);
    if (!isOpen)
      for (const name of ['All pages', 'On this page']) {
        await page.locator('summary', { hasText: name }).focus();
        await page.keyboard.press('Enter');
      }
    await anchor.click();
    await page.waitForURL('**/docs/concepts#status');
    await link.click();
    await page.waitForURL('**/docs/sandbox');
  }
});

test('samples are copied, their language is kept, and / goes to the search', async () => {
  await using visited = await visit({ viewport: DESKTOP, permissions: ['clipboard-read', 'clipboard-write'] });
  const { page, foreign, complaints } = visited;
  await page.goto('/docs/quickstart');
  await page.getByRole('button', { name: 'Copy Get a key (Shell)' }).click();
  await page.getByText('Copied', { exact: true }).waitFor();
  assert.equal(await page.evaluate('navigator.clipboard.readText()'), 'export KEY=bestow-sandbox-…');
  const shown = () => page.locator('.samples pre:visible').first().innerText();
  assert.match(await shown(), /^curl/);
  await page.getByRole('tab', { name: 'Shell' }).first().focus();
  await page.keyboard.press('ArrowLeft');
  assert.match(await shown(), /^package main/);
  assert.deepEqual(await findFaults(page), []);
  await page.reload();
  assert.match(await shown(), /^package main/);
  await page.keyboard.press('/');
  await page.keyboard.type('retry');
  await page.keyboard.press('Enter');
  await page.waitForURL('**/docs/search?q=retry');
  assert.deepEqual({ foreign, complaints }, { foreign: [], complaints: [] });
});

test('on a small phone every tab can be touched, and the next page shows the chosen language', async () => {
  await using visited = await visit({ viewport: { width: 320, height: 640 } });
  const { page } = visited;
  await page.goto('/docs/sandbox');
  for (const name of ['TypeScript', 'Python', 'Go']) await page.getByRole('tab', { name }).first().click();
  await page.goto('/docs/limits');
  assert.match(await page.locator('.samples pre:visible').innerText(), /client\.Orders\.Create/);
});

test('the API reference keeps the language, and shows which page and which operation are read', async () => {
  await using visited = await visit({ viewport: DESKTOP });
  const { page, foreign, complaints } = visited;
  await page.goto('/docs/api#resendGift');
  const row = page
    .getByRole('article')
    .getByRole('link', { name: 'POST /v1/gifts/{gift_id}/resend Send a gift again' });
  assert.ok(await page.evaluate('document.querySelector("li:target").getBoundingClientRect().top < innerHeight'));
  await row.click();
  await page.waitForURL('**/docs/api/gifts#resendGift');
  assert.ok(await page.evaluate('document.querySelector(":target").getBoundingClientRect().top < innerHeight'));
  const current = page.getByRole('navigation', { name: 'On this page' }).locator('[aria-current]');
  assert.equal(await current.innerText(), 'Send a gift again');
  const here = page.getByRole('navigation', { name: 'Documentation' }).locator('[aria-current]');
  assert.equal(await here.innerText(), 'Gifts');
  const place = await here.boundingBox();
  assert.ok(place !== null && place.y + place.height < DESKTOP.height, `${place?.y}`);

  const shown = () => page.locator('.samples pre:visible').first().innerText();
  assert.match(await shown(), /^curl/);
  await page.getByRole('tab', { name: 'curl' }).first().focus();
  await page.keyboard.press('ArrowRight');
  assert.match(await shown(), /bestow\.gifts\.list/);
  await page.getByRole('navigation', { name: 'Documentation' }).getByRole('link', { name: 'Orders' }).click();
  await page.waitForURL('**/docs/api/orders');
  assert.match(await shown(), /bestow\.orders\.create/);
  await page.goto('/docs/quickstart');
  assert.match(await shown(), /^import { Bestow }/);
  assert.deepEqual({ foreign, complaints }, { foreign: [], complaints: [] });
});

test('without JavaScript every language of an operation is shown', async () => {
  await using visited = await visit({ viewport: PHONE, javaScriptEnabled: false });
  await visited.page.goto('/docs/api/events');
  assert.equal(await visited.page.locator('.samples pre:visible').count(), 3);
});
