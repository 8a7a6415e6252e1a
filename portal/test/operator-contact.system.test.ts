import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { suspendOrganization } from '../../server/src/core/organizations/suspend-organization.ts';
import { OPERATOR } from '../../server/test/harness/operator.ts';
import { ADMIN, assertFaultless, type PortalService, startPortal } from './harness/portal.ts';

let portal: PortalService;
before(async () => {
  portal = await startPortal({
    OPERATOR_NAME: 'Example Gifts',
    OPERATOR_EMAIL: 'help@example.com',
    OPERATOR_URL: 'https://example.com/help/',
  });
});
after(() => portal?.close());

test('whoever is told to ask the operator learns its name and address', async () => {
  await using visit = await portal.visit(ADMIN);
  const { page, complaints } = visit;
  const CONTACT = 'Example Gifts (help@example.com, example.com/help)';
  for (const [path, sentence] of [
    ['', `Ask ${CONTACT}.`],
    ['/balance', `Ask ${CONTACT} for the bank details.`],
    ['/settings', `${CONTACT} chooses them.`],
    ['/gifts/send', `Ask ${CONTACT} to add one.`],
  ] as const) {
    await page.goto(portal.at(path, 'live'));
    if (path === '/gifts/send') await page.getByLabel('Category').selectOption('coffee');
    await page.getByText(sentence).first().waitFor();
  }
  const { deps } = portal.service.service;
  await suspendOrganization(deps, { organizationId: portal.organization.organizationId, actor: OPERATOR });
  await page.goto(portal.at('', 'live'));
  const banner = page.getByRole('status').filter({ hasText: `Contact ${CONTACT}.` });
  await banner.waitFor();
  assert.equal(await banner.getByRole('link').first().getAttribute('href'), 'mailto:help@example.com');
  await assertFaultless(page);
  assert.deepEqual(complaints, []);
});
