import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import type { Browser } from 'playwright-core';
import { launchBrowser, openVisit, PHONE } from '../../../../portal/test/harness/browser.ts';
import { findFaults } from '../../../../portal/test/harness/portal.ts';
import { LANGUAGES, languageTags } from '../../../src/platform/languages/languages.ts';
import { linkGift } from '../../harness/api-client.ts';
import { pseudoPages } from '../../harness/pseudo-pages.ts';
import { startTestService, type TestService } from '../../harness/test-service.ts';

/** The recipient's page in Chromium, in every language. */

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

test('the page has no accessibility fault in any language and state', async () => {
  const { sandbox } = await service.organization({ sandbox: 100_000_000 });
  await using opened = await openVisit(browser, service.url, { viewport: PHONE });
  const { page } = opened;
  for (const language of languageTags) {
    const { body } = await sandbox.order([{ ...linkGift(), language }]);
    await page.goto(service.url + new URL(body.gifts[0].delivery.link).pathname);
    for (const act of ['open', 'claim', 'reveal', 'thank']) {
      if (act === 'claim' || act === 'thank' || language === 'ar')
        assert.deepEqual(await findFaults(page), [], `${language} before ${act}`);
      if (act === 'claim') await page.locator('[name="digits"]').fill('271828');
      await page.locator(`form[action$="${act}"], form[action$="${act}#thanks"]`).getByRole('button').first().click();
    }
    await page.context().clearCookies();
  }
  await page.goto(`${service.url}/find?language=ar`);
  assert.deepEqual(await findFaults(page), []);
});

test('the switch changes the language without scripts', async () => {
  const { sandbox } = await service.organization();
  const { body } = await sandbox.order([linkGift()]);
  await using opened = await openVisit(browser, service.url, { viewport: PHONE, javaScriptEnabled: false });
  const { page } = opened;
  await page.goto(service.url + new URL(body.gifts[0].delivery.link).pathname);
  await page.locator('summary', { hasText: LANGUAGES.en }).click();
  await page.getByRole('link', { name: LANGUAGES.ar }).click();
  assert.equal(await page.locator('html').getAttribute('dir'), 'rtl');
  await page.getByRole('button').click();
  assert.equal(await page.locator('html').getAttribute('lang'), 'ar');
});

test('texts that are a third longer fit on a phone, in both directions', async () => {
  await using opened = await openVisit(browser, service.url, { viewport: { width: 320, height: 640 } });
  const { page } = opened;
  await page.goto(`${service.url}/find`);
  for (const language of ['de', 'ar'] as const)
    for (const [state, document] of Object.entries(pseudoPages(language))) {
      await page.setContent(document);
      assert.deepEqual(await findFaults(page), [], `${language} ${state}`);
    }
});
