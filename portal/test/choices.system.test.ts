import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import type { Locator, Page } from 'playwright-core';
import { contrast } from '../../server/src/core/face/contrast.ts';
import { emailGift } from '../../server/test/harness/api-client.ts';
import { type PortalService, startPortal } from './harness/portal.ts';

let portal: PortalService;
let giftId: string;
before(async () => {
  portal = await startPortal();
  giftId = (await portal.organization.sandbox.order([emailGift('delivered')])).body.gifts[0].gift_id;
});
after(() => portal?.close());

/** WCAG 1.4.11. */
const LEAST_CONTRAST = 3;

const fillOf = (locator: Locator): Promise<string> =>
  locator.evaluate((element) => {
    const [r = 0, g = 0, b = 0] = getComputedStyle(element).backgroundColor.match(/\d+/g)?.map(Number) ?? [];
    return `#${[r, g, b].map((part) => part.toString(16).padStart(2, '0')).join('')}`;
  });

async function assertChosenStandsOut(page: Page, choice: string): Promise<void> {
  const track = page.getByRole('group', { name: choice, exact: true });
  const chosen = track.getByRole('button', { pressed: true });
  await chosen.waitFor();
  for (const colorScheme of ['light', 'dark'] as const) {
    await page.emulateMedia({ colorScheme });
    const fills = [await fillOf(chosen), await fillOf(track)] as const;
    assert.ok(contrast(...fills) >= LEAST_CONTRAST, `${choice}, ${colorScheme}: ${fills.join(' on ')}`);
  }
}

test('the chosen half of every switch stands 3 : 1 against its track in light and dark', async () => {
  await using visit = await portal.visit();
  const { page } = visit;
  await page.goto(portal.at('/brand'));
  for (const choice of ['Part', 'Look', 'Width']) await assertChosenStandsOut(page, choice);
  await page.goto(portal.at(`/gifts/${giftId}`));
  await assertChosenStandsOut(page, 'Show the message as');
  await page.goto(portal.at('/gifts/send'));
  await assertChosenStandsOut(page, 'Show in the preview');
});
