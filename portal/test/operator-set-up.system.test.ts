import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { startTestService } from '../../server/test/harness/test-service.ts';
import { openVisit } from './harness/browser.ts';
import { type BrowsedService, browse, look } from './harness/portal.ts';

let browsed: BrowsedService;
before(async () => {
  browsed = await browse(await startTestService({ RATE_LIMIT_ADDRESS_PER_SECOND: '100000' }));
});
after(() => browsed?.close());

test('before the first operator the page says how to name one', async () => {
  await using visit = await openVisit(browsed.browser, browsed.service.url);
  const { page } = visit;
  await page.goto('/operator');
  await page.getByRole('heading', { name: 'The operator’s page is not set up yet' }).waitFor();
  assert.match(await page.getByLabel('The command').innerText(), /bestow\.js operator add you@example\.com$/);
  await look(page, 'operator-set-up');
});
