import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import type { Browser } from 'playwright-core';
import { launchBrowser } from '../../../../portal/test/harness/browser.ts';
import { gift } from '../../harness/api-client.ts';

import { openMailService } from '../../harness/mail-service.ts';

// The Word engine of classic Outlook: no `max-width`, padding of cells only, and markup that no other program reads.

const { mail, organization, send } = openMailService();
let browser: Browser;
before(async () => {
  browser = await launchBrowser();
});
after(() => browser?.close());

/** The mail as that engine reads it, in the words of a browser. */
const asWordReads = (html: string) =>
  html
    .replaceAll(/<!--\[if mso\]>(.*?)<!\[endif\]-->/gs, '$1')
    .replace(/<style>.*?<\/style>/s, '')
    .replaceAll(/max-width:\d+px;?/g, '')
    .replaceAll(/<(?!td\b)(\w+)([^>]*?style="[^"]*?)(?<![-\w])padding:[^;"]*;?/g, '<$1$2')
    .replaceAll('mso-padding-alt:', 'padding:');

test('the mail is as wide as elsewhere, and its button has its edges', async () => {
  for (const language of ['en', 'ar']) {
    await organization.live.order([
      gift({
        delivery: { method: 'email', email: 'ada@example.com' },
        personalization: { sender_name: 'Charles', message: 'Thank you for everything.' },
        language,
      }),
    ]);
    assert.deepEqual(await send(), []);
    const { html } = mail.received.at(-1)?.email ?? {};
    assert.ok(html);
    const page = await browser.newPage({ viewport: { width: 1200, height: 900 } });
    await page.setContent(asWordReads(html));
    const box = async (selector: string) =>
      (await page.locator(selector).first().boundingBox()) ?? assert.fail(selector);
    const [card, button, link] = [await box('.card'), await box('.button'), await box('.button a')];
    assert.ok(card.width <= 562 && card.width > 500, String(card.width));
    assert.ok(Math.abs(card.x + card.width / 2 - 600) <= 2, 'in the middle');
    assert.ok(button.width - link.width >= 60 && button.height >= 50, JSON.stringify([button, link]));
    // The bar is where the text begins, also in a mail that is read from the right.
    const mark = page.locator('.mark');
    const side = "getComputedStyle(document.querySelector('.mark'))";
    assert.equal(await mark.getAttribute('dir'), 'ltr');
    assert.equal(await page.evaluate(`${side}.borderLeftWidth`), '4px');
    if (process.env['PICTURES'] !== undefined)
      await page.screenshot({ path: `${process.env['PICTURES']}/outlook-${language}.png`, fullPage: true });
    await page.close();
  }
});
