import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import type { Page } from 'playwright-core';
import { suspendOrganization } from '../../server/src/core/organizations/suspend-organization.ts';
import { grantOf } from '../../server/test/harness/agent-grant.ts';
import { emailGift, linkGift } from '../../server/test/harness/api-client.ts';
import { OPERATOR } from '../../server/test/harness/operator.ts';
import {
  ADMIN,
  assertFaultless,
  MEMBER,
  type PortalService,
  signInAbove,
  startPortal,
  typeCode,
} from './harness/portal.ts';

/** What people see without a session, as a member, and in a suspended organization. */

let portal: PortalService;
let gifts: string[];
before(async () => {
  portal = await startPortal();
  const { body } = await portal.organization.sandbox.order([linkGift(), emailGift('bounced')]);
  await grantOf(portal.service, portal.organization, { permissions: ['order'] });
  gifts = body.gifts.map(({ gift_id }: { gift_id: string }) => gift_id);
});
after(() => portal?.close());

test('after the session ends a read that is refused offers to sign in above its page', async () => {
  await using visit = await portal.visit(ADMIN);
  const { page, context } = visit;
  await page.goto(portal.at('/balance'));
  await page.getByRole('button', { name: 'Add test funds' }).waitFor();
  await context.clearCookies();
  await page.getByRole('link', { name: 'Gifts' }).first().click();
  const failed = page.getByRole('main').getByRole('alert');
  await failed.getByText('Sign in to continue.').waitFor();
  assert.equal(await failed.getByRole('button', { name: 'Try again' }).count(), 0);
  // Wait until the filtered list is refused, because the error of the unfiltered list is shown until then.
  await Promise.all([
    page.waitForResponse((answer) => answer.url().endsWith('/gifts?status=failed') && answer.status() === 401),
    page.getByLabel('Status').selectOption({ label: 'Failed' }),
  ]);
  await page.waitForURL(/gifts\?status=failed$/);
  await failed.getByRole('button', { name: 'Sign in' }).click();
  await signInAbove(page, portal.service, ADMIN);
  await page.getByRole('link', { name: 'bounced@sandbox.gift.test' }).waitFor();
  assert.match(page.url(), /gifts\?status=failed$/);
});

test('who refuses to sign in above a page can sign in on the sign-in page and returns', async () => {
  await using visit = await portal.visit(ADMIN);
  const { page, context } = visit;
  await page.goto(portal.at('/balance'));
  await page.getByRole('button', { name: 'Add test funds' }).click();
  await context.clearCookies();
  const dialog = page.getByRole('dialog', { name: 'Add test funds' });
  await dialog.getByRole('button', { name: 'Add test funds' }).click();
  const question = page.getByRole('dialog', { name: 'Sign in to continue' });
  await question.getByRole('button', { name: 'Cancel' }).click();
  await dialog.getByRole('alert').getByText('Sign in to continue.').waitFor();
  await dialog.getByRole('button', { name: 'Sign in' }).click();
  await question.getByRole('link', { name: 'Sign in as someone else' }).click();
  await typeCode(page, portal.service, ADMIN);
  await page.waitForURL(/balance$/);
});

test('a page shows that it could not be refreshed after the session ended', async () => {
  await using visit = await portal.visit(ADMIN);
  const { page, context } = visit;
  await page.clock.install();
  const cookies = await context.cookies();
  for (const [path, content] of [
    ['', page.getByRole('link', { name: 'Entries and statements' })],
    ['/balance', page.getByTestId('balance')],
    [`/gifts/${gifts[0]}`, page.getByRole('heading', { name: 'Timeline' })],
  ] as const) {
    await context.addCookies(cookies);
    await page.goto(portal.at(path));
    await content.waitFor();
    await context.clearCookies();
    await page.clock.fastForward(10_000);
    await page.evaluate(`dispatchEvent(new Event('visibilitychange'))`);
    const failed = page.getByRole('status').filter({ hasText: 'Could not refresh this. Sign in to continue.' });
    await failed.first().waitFor();
    await content.waitFor();
  }
});

test('a page that cannot be loaded offline opens when the server answers again', async () => {
  await using visit = await portal.visit(ADMIN);
  const { page, context } = visit;
  await page.goto(portal.at('/gifts'));
  await page.getByRole('table', { name: 'Gifts' }).waitFor();
  await context.setOffline(true);
  await page.getByRole('link', { name: 'Balance' }).click();
  await page.getByText('The server cannot be reached.').waitFor();
  await page.getByRole('alert').getByText('Could not reach the server.').waitFor();
  await assertFaultless(page);
  await context.setOffline(false);
  await page.getByRole('heading', { name: 'Balance', level: 1 }).waitFor();
  await page.getByText('The server cannot be reached.').waitFor({ state: 'detached' });
});

const pagesWithChanges = () => [
  '/members',
  '/balance',
  '/settings',
  '/spending',
  '/keys',
  '/agents',
  '/orders',
  '/requests',
  ...gifts.map((giftId) => `/gifts/${giftId}`),
];

/** Returns the buttons of a loaded page that change something. */
async function changesOn(page: Page): Promise<string[]> {
  const main = page.getByRole('main');
  await main.getByRole('heading', { level: 1 }).waitFor();
  await main.getByText('Loading', { exact: true }).first().waitFor({ state: 'hidden' });
  const name =
    /Create|New|Replace|Revoke|Invite|Change|Add test funds|Set an amount|Reset|Delete|Send to|Deliver|Open|Claim|Show link/;
  return main.getByRole('button', { name }).allInnerTexts();
}

test('a member sees every page and no button that changes something', async () => {
  await using visit = await portal.visit(MEMBER);
  for (const path of pagesWithChanges()) {
    await visit.page.goto(portal.at(path));
    await visit.page.getByText('Only admins can make changes').waitFor();
    assert.deepEqual(await changesOn(visit.page), [], path);
  }
});

// The last test, because the organization stays suspended.
test('a suspended organization’s pages show it and offer only to revoke keys and agents', async () => {
  const { organizationId } = portal.organization;
  await suspendOrganization(portal.service.service.deps, { organizationId, actor: OPERATOR });
  await using visit = await portal.visit(ADMIN);
  for (const path of pagesWithChanges()) {
    await visit.page.goto(portal.at(path));
    await visit.page.getByText('Recipients can still claim their gifts.').waitFor();
    assert.deepEqual(await changesOn(visit.page), ['/keys', '/agents'].includes(path) ? ['Revoke'] : [], path);
  }
  await visit.page.goto(portal.at('/keys'));
  await visit.page.getByRole('main').getByRole('button', { name: 'Revoke' }).click();
  await visit.page.getByRole('button', { name: 'Revoke key' }).click();
  await visit.page.getByText('Revoked “test”.').waitFor();
  await visit.page.goto(portal.at(`/gifts/${gifts[0]}`));
  await visit.page.getByText('Hidden while the organization is suspended.').waitFor();
  await assertFaultless(visit.page);
});
