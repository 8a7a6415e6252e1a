import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { suspendOrganization } from '../../server/src/organizations/suspend-organization.ts';
import { emailGift, linkGift } from '../../server/test/harness/api-client.ts';
import { OPERATOR } from '../../server/test/harness/operator.ts';
import { ADMIN, assertFaultless, type PortalService, startPortal } from './harness/portal.ts';

/** What a person sees who may not go on: whose session ended, and whose organization is suspended. */

let portal: PortalService;
let gifts: string[];
before(async () => {
  portal = await startPortal();
  const { body } = await portal.organization.sandbox.order([linkGift(), emailGift('bounced')]);
  gifts = body.gifts.map(({ gift_id }: { gift_id: string }) => gift_id);
});
after(async () => {
  await portal?.close();
});

test('whoever’s session ends while a page is open signs in from there, and comes back to it', async () => {
  await using visit = await portal.visit(ADMIN);
  const { page, context } = visit;
  await page.goto(portal.at('/balance'));
  await page.getByRole('button', { name: 'Add test funds' }).click();
  await context.clearCookies();
  const dialog = page.getByRole('dialog');
  await dialog.getByRole('button', { name: 'Add test funds' }).click();
  await dialog.getByRole('alert').getByText('Sign in to go on.').waitFor();
  const there = (path: string) => `/portal/sign-in?return_to=${encodeURIComponent(portal.at(path))}`;
  assert.equal(await dialog.getByRole('link', { name: 'Sign in' }).getAttribute('href'), there('/balance'));
  await page.keyboard.press('Escape');
  await page.getByRole('link', { name: 'Gifts' }).first().click();
  const failed = page.getByRole('main').getByRole('alert');
  await failed.getByText('Sign in to go on.').waitFor();
  assert.equal(await failed.getByRole('button', { name: 'Try again' }).count(), 0);

  await page.goBack();
  await page.getByRole('link', { name: 'Gifts' }).first().click();
  // Until the filtered list is refused: what was said of the whole one is gone by then. Not by `waitForFunction`, whose text
  // the page's policy lets run at once only, and never again later.
  await Promise.all([
    page.waitForResponse((answer) => answer.url().endsWith('/gifts?status=failed') && answer.status() === 401),
    page.getByLabel('Status').selectOption({ label: 'Failed' }),
  ]);
  await page.waitForURL(/gifts\?status=failed$/);
  const signIn = failed.getByRole('link', { name: 'Sign in' });
  assert.equal(await signIn.getAttribute('href'), there('/gifts?status=failed'));
  await signIn.click();
  await page.getByLabel('Email address').fill(ADMIN);
  await portal.expectCode();
  await page.getByRole('button', { name: 'Send code' }).click();
  await page.getByLabel('Code', { exact: true }).fill(await portal.code(ADMIN));
  await page.getByRole('button', { name: 'Sign in', exact: true }).click();
  await page.waitForURL(/gifts\?status=failed$/);
  await page.getByRole('link', { name: 'bounced@sandbox.gift.test' }).waitFor();
});

test('a page that is looked at again after its session ended says that it could not be refreshed', async () => {
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
    const failed = page.getByRole('status').filter({ hasText: 'Could not refresh this. Sign in to go on.' });
    await failed.first().waitFor();
    await content.waitFor();
  }
});

// The last one: nobody reinstates it.
test('a suspended organization says so on every page, and offers nothing that would be refused', async () => {
  const { organizationId } = portal.organization;
  await suspendOrganization(portal.service.service.deps, { organizationId, actor: OPERATOR });
  await using visit = await portal.visit(ADMIN);
  const act = /Create|Revoke|Invite|Change|Add test funds|Set an amount|Reset|Delete|Send to|Deliver|Open|Claim/;
  for (const path of ['/members', '/balance', '/settings', '/keys', ...gifts.map((giftId) => `/gifts/${giftId}`)]) {
    await visit.page.goto(portal.at(path));
    await visit.page.getByText('Recipients can still claim their gifts.').waitFor();
    // Not until the network is idle: on a busy machine it is before the page has asked for anything.
    const main = visit.page.getByRole('main');
    await main.getByRole('heading', { level: 1 }).waitFor();
    await main.getByText('Loading', { exact: true }).first().waitFor({ state: 'hidden' });
    const offered = await main.getByRole('button', { name: act }).allInnerTexts();
    assert.deepEqual(offered, path === '/keys' ? ['Revoke'] : [], path);
  }
  await visit.page.goto(portal.at('/keys'));
  await visit.page.getByRole('main').getByRole('button', { name: 'Revoke' }).click();
  await visit.page.getByRole('button', { name: 'Revoke key' }).click();
  await visit.page.getByText('Revoked “test”.').waitFor();
  await visit.page.goto(portal.at(`/gifts/${gifts[0]}`));
  await visit.page.getByText('Hidden while the organization is suspended.').waitFor();
  await assertFaultless(visit.page);
});
