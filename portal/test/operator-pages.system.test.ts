import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { seedMonth } from '../../server/src/surfaces/seed/seed-month.ts';
import { OPERATOR } from '../../server/test/harness/operator.ts';
import { createTestDatabase } from '../../server/test/harness/test-database.ts';
import { startTestServiceOn } from '../../server/test/harness/test-service.ts';
import { type OperatedService, startOperatedService } from './harness/operator-page.ts';
import { look } from './harness/portal.ts';

/** Every page with the data of a month, with axe, on a phone and a desktop, in light and dark. */

let portal: OperatedService;
let organizationId: string;
let giftId: string;
before(async () => {
  portal = await startOperatedService(async (variables) => {
    const service = await startTestServiceOn(await createTestDatabase(), variables);
    const seeded = await seedMonth(service.service.deps, { actor: OPERATOR });
    organizationId = seeded.organization_id;
    giftId = seeded.stories.live.giftId;
    return service;
  });
});
after(() => portal?.close());

const pages: readonly (readonly [name: string, path: () => string, text: string | RegExp])[] = [
  ['organizations', () => '/organizations', 'Test Organization'],
  ['organization', () => `/organizations/${organizationId}`, 'Balance entries'],
  ['organization-sandbox', () => `/organizations/${organizationId}?environment=sandbox`, 'Balance entries'],
  ['gift', () => `/gifts/${giftId}`, 'Timeline'],
  ['search', () => '/search', 'A person’s data'],
  ['money', () => '/money', 'Sums to zero'],
  ['messages', () => '/messages', /Failed|No message fails/],
  ['work', () => '/work', 'Top-ups'],
  ['catalog', () => '/catalog', 'Sold'],
  ['health', () => '/health', 'Database servers'],
  ['log', () => '/log', 'Signed in'],
];

for (const [name, path, text] of pages)
  test(`the page of ${name.replaceAll('-', ', ')} passes axe in every size and theme`, async () => {
    await using visit = await portal.operatorVisit();
    const { page, complaints, foreign } = visit;
    await page.goto(`/operator${path()}`);
    await page.getByText(text).first().waitFor();
    await page.waitForLoadState('networkidle');
    await look(page, `operator-${name}`);
    assert.deepEqual([complaints, foreign], [[], []]);
  });
