import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Page } from 'playwright-core';
import { DESKTOP, launchBrowser, openVisit, PHONE } from '../../../../portal/test/harness/browser.ts';
import { findFaults } from '../../../../portal/test/harness/portal.ts';
import { TremendousStage } from '../../harness/tremendous-stage.ts';

// From the gift's link to a shop's code at Tremendous, also without JavaScript. With PICTURES, it takes pictures into that directory.

const stage = new TremendousStage();

const press = (page: Page, name: string) => page.getByRole('button', { name }).click();

const looks = [
  { name: 'without JavaScript, on a phone', viewport: PHONE, colorScheme: 'light', javaScriptEnabled: false },
  { name: 'with it, dark', viewport: DESKTOP, colorScheme: 'dark', javaScriptEnabled: true },
] as const;

for (const { name, ...look } of looks)
  test(`unwrap, claim, choose at Tremendous and come back, ${name}`, async () => {
    const { service } = stage;
    const browser = await launchBrowser();
    const { link } = await stage.order();
    await using opened = await openVisit(browser, service.url, { ...look, reducedMotion: 'reduce' });
    const { page, foreign } = opened;
    const address = service.url + new URL(link).pathname;
    const lookAt = async (state: string) => {
      if (process.env['PICTURES'] !== undefined)
        await page.screenshot({
          path: `${process.env['PICTURES']}/link-${state}-${look.colorScheme}.png`,
          fullPage: true,
        });
      // Axe is a script.
      if (look.javaScriptEnabled) assert.deepEqual(await findFaults(page), []);
    };

    await page.goto(address);
    await press(page, 'Unwrap');
    await page.getByLabel('Or a PIN, six digits').fill('271828');
    await press(page, 'Claim');
    await page.getByRole('button', { name: 'Open your gift' }).waitFor();
    await lookAt('claimed');
    assert.deepEqual(foreign, [], 'nothing of another host before the choice');

    await press(page, 'Open your gift');
    await page.getByRole('heading', { name: 'Your reward' }).waitFor();
    assert.ok(page.url().startsWith(`${stage.tremendous.url}/rewards/payout/`));
    await page.getByRole('radio').first().check();
    await press(page, 'Redeem');
    await page.getByText('Code:').waitFor();

    await stage.reconcile();
    await page.goto(address);
    await page.getByRole('heading', { name: 'Your gift is redeemed' }).waitFor();
    await lookAt('redeemed');
    await press(page, 'Open your gift');
    await page.getByText('Code:').waitFor();
  });
