import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { gift } from '../../server/test/harness/api-client.ts';
import { untilLogged } from '../../server/test/harness/request-log.ts';
import { assertFaultlessPages, type PortalService, startPortal } from './harness/portal.ts';

/** Addresses that people type, shorten or share wrongly. */

let portal: PortalService;
let requestId: string;
before(async () => {
  portal = await startPortal();
  const { headers } = await portal.organization.sandbox.order([gift()]);
  requestId = headers.get('request-id') ?? '';
  await untilLogged(portal.service, portal.organization, 'sandbox', 1);
});
after(() => portal?.close());

test('a filter that a list does not have is ignored, and the others hold', async () => {
  await using visit = await portal.visit();
  const { page, complaints } = visit;
  for (const [address, shown] of [
    ['/gifts?status=nonsense&method=pigeon', 'Showing 1 gift.'],
    ['/gifts?status=nonsense&method=phone', 'No gifts match these filters'],
    ['/requests?status=nonsense&method=brew', 'Showing 1 request.'],
    ['/requests?status=failed&method=brew', 'No requests match these filters'],
    ['/gifts/requests?state=nonsense', 'No requests yet'],
  ] as const) {
    await page.goto(portal.at(address));
    await page.getByText(shown).first().waitFor({ state: 'attached' });
    assert.equal(await page.getByRole('alert').count(), 0, address);
  }
  assert.deepEqual(complaints, []);
});

test('a page that does not exist and a logged request pass axe in every size and theme', async () => {
  await using visit = await portal.visit();
  await assertFaultlessPages(visit.page, [
    [portal.at('/nosuchpage'), 'The link may be incomplete.'],
    ['/portal/nosuchpage', 'The link may be incomplete.'],
    [portal.at(`/requests/${requestId}`), 'Original size'],
  ]);
  assert.deepEqual(visit.complaints, []);
});

test('the header of catalog and documentation leads back to the portal, in browsers that have been in it', async () => {
  await using visit = await portal.visit();
  const { page, complaints } = visit;
  const link = page.getByRole('navigation', { name: 'Main' }).getByRole('link', { name: 'Portal' });
  await page.goto('/catalog');
  await page.waitForLoadState('load');
  assert.equal(await link.count(), 0);
  await page.goto(portal.at('/gifts'));
  await page.getByText('Showing 1 gift.').waitFor({ state: 'attached' });
  for (const address of ['/catalog', '/catalog/coffee', '/docs/quickstart', '/docs/api']) {
    await page.goto(address);
    await link.waitFor();
  }
  await assertFaultlessPages(page, [['/catalog', 'Portal']]);
  await link.click();
  await page.getByRole('heading', { name: 'Overview', level: 1 }).waitFor();
  assert.deepEqual(complaints, []);
});
