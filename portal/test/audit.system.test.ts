import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import type { Page } from 'playwright-core';
import { deleteSandbox } from '../../server/src/capabilities/erasure/delete-sandbox.ts';
import { emailGift, linkGift } from '../../server/test/harness/api-client.ts';
import { OPERATOR } from '../../server/test/harness/operator.ts';
import {
  ADMIN,
  assertFaultless,
  assertFaultlessPages,
  findFaults,
  MEMBER,
  type PortalService,
  startPortal,
} from './harness/portal.ts';

/** The audit log, the settings and the mode switch. */

const NAME = 'Test Organization';
const LONG_NAME = `${'A key of a very long name '.repeat(7)}🎁`;

let portal: PortalService;
before(async () => {
  portal = await startPortal();
});
after(() => portal?.close());

const sentences = (page: Page) => page.getByRole('row').locator('td:first-child > span:first-child').allInnerTexts();

async function call(email: string, method: 'post' | 'put', path: string, data: object) {
  await using visit = await portal.visit(email);
  const answer = await visit.context.request[method](
    `/portal/api/organizations/${portal.organization.organizationId}${path}`,
    { data, headers: { origin: portal.service.url } },
  );
  assert.equal(answer.status(), 200, await answer.text());
  return answer.json();
}

test('the audit log shows who did what, when and from where, in each mode', async () => {
  const { body } = await portal.organization.sandbox.order([emailGift('delivery-failed')]);
  const giftId: string = body.gifts[0].gift_id;
  await call(ADMIN, 'put', `/sandbox/gifts/${giftId}/delivery`, {
    method: 'email',
    email: 'delivered@sandbox.gift.test',
  });
  await call(ADMIN, 'post', '/live/keys', { name: 'Web shop' });
  await using visit = await portal.visit(MEMBER);
  const { page, complaints, foreign } = visit;
  await page.goto(portal.at('/audit'));
  const row = page.getByRole('row').filter({ hasText: 'Sent a gift to d•••@s•••.test' });
  assert.equal(await row.getByRole('cell').nth(1).innerText(), `${ADMIN}\n127.0.0.1`);
  assert.match(await row.getByRole('time').innerText(), /^Nov 2\d, 2026, \d+:\d\d [AP]M$/);
  const added = page.getByRole('row').filter({ hasText: `Added ${MEMBER} as a member` });
  assert.equal(await added.getByRole('cell').nth(1).innerText(), 'The operator (tester)\ntest.host');
  assert.ok(!(await sentences(page)).some((sentence) => sentence.includes('Web shop')));
  await row.getByRole('link', { name: giftId }).click();
  await page.waitForURL(`**/gifts/${giftId}`);
  await page.goBack();
  // The switch keeps the current page, which is the gift's page for a moment.
  await row.waitFor();

  await page.getByRole('link', { name: 'Live', exact: true }).click();
  await page.getByText('Created the key “Web shop”').waitFor();
  assert.ok(!(await sentences(page)).some((sentence) => sentence.includes('Sent a gift')));
  assert.equal(
    await page
      .getByRole('main')
      .getByRole('button', { name: /Delete|Change|Edit|Remove/ })
      .count(),
    0,
  );
  assert.deepEqual([complaints, foreign], [[], []]);
});

test('the audit log is filtered by person, action and day, kept in the URL', async () => {
  await using visit = await portal.visit(ADMIN);
  const { page } = visit;
  await page.goto(portal.at('/audit', 'live'));
  const search = page.getByRole('searchbox', { name: 'Person' });
  await search.fill('ADMIN@');
  await search.press('Enter');
  await page.waitForURL('**/audit?actor=ADMIN%40');
  await page.getByText('Created the key “Web shop”').waitFor();
  await page.getByRole('row').filter({ hasText: 'The operator' }).first().waitFor({ state: 'detached' });
  await page.getByLabel('Action').selectOption({ label: 'Member added' });
  await page.getByText('No entries match these filters').waitFor();
  await page.getByRole('button', { name: 'Show all entries' }).click();
  await page.getByText(`Added ${MEMBER} as a member`).waitFor();
  await page.getByLabel('Action').selectOption({ label: 'Member added' });
  await page.waitForURL('**/audit?action=member.added');
  await page.reload();
  await page.getByText(`Added ${MEMBER} as a member`).waitFor();
  assert.deepEqual(await sentences(page), [`Added ${MEMBER} as a member`, 'Added second@example.com as an admin']);
  await page.getByLabel('To', { exact: true }).fill('2026-11-20');
  await page.getByText('No entries match these filters').waitFor();
  await page.getByRole('button', { name: 'Clear filters' }).click();
  await page.getByText('Created the key “Web shop”').waitFor();
});

test('a refused search shows the reason and can be cleared', async () => {
  await using visit = await portal.visit(ADMIN);
  const { page } = visit;
  await page.goto(portal.at(`/audit?actor=${'a'.repeat(301)}`));
  const alert = page.getByRole('alert');
  await alert.getByText('Could not load this').waitFor();
  await alert.getByText('actor cannot be used like this. Correct it or leave it out.').waitFor();
  await page.getByRole('button', { name: 'Clear filters' }).click();
  await page.getByRole('table').waitFor();
});

test('the audit log and the settings pass axe in every size and theme', async () => {
  await call(ADMIN, 'post', '/sandbox/keys', { name: LONG_NAME.trim() });
  await using visit = await portal.visit(ADMIN);
  const { page } = visit;
  await assertFaultlessPages(page, [
    [portal.at('/audit'), LONG_NAME.trim()],
    [portal.at('/audit?actor=unknown', 'live'), 'No entries match these filters'],
    [portal.at('/settings'), 'Billing contact'],
  ]);
  await page.getByRole('button', { name: 'Delete sandbox' }).click();
  await page.getByRole('dialog').waitFor();
  await assertFaultless(page);
  assert.deepEqual(visit.complaints, []);
});

/** Contrast of WCAG 2 for colours such as `rgb(255, 255, 255)`; `NaN` for a transparent colour. */
function contrast(one: string, other: string): number {
  const [bright = 0, dark = 0] = [one, other].map(luminance).sort((a, b) => b - a);
  return (bright + 0.05) / (dark + 0.05);
}

function luminance(color: string): number {
  const parts = /^rgb\((\d+), (\d+), (\d+)\)$/.exec(color)?.slice(1) ?? [];
  const [red = Number.NaN, green = Number.NaN, blue = Number.NaN] = parts.map((part) => {
    const share = Number(part) / 255;
    return share <= 0.04045 ? share / 12.92 : ((share + 0.055) / 1.055) ** 2.4;
  });
  return 0.2126 * red + 0.7152 * green + 0.0722 * blue;
}

test('focus, borders of fields and the selected mode have enough contrast', async () => {
  for (const colorScheme of ['light', 'dark'] as const) {
    await using visit = await portal.visit(ADMIN, { colorScheme });
    const { page } = visit;
    await page.goto(portal.at('/audit'));
    await page.getByRole('table').waitFor();
    await page.keyboard.press('Tab');
    await page.getByRole('navigation', { name: 'Mode' }).getByRole('link', { name: 'Live' }).focus();
    const colour = (selector: string, name: string) =>
      page.evaluate(`getComputedStyle(document.querySelector('${selector}')).${name}`) as Promise<string>;
    const focus = [await colour(':focus-visible', 'outlineColor'), await colour('header', 'backgroundColor')] as const;
    assert.ok(contrast(...focus) >= 3, `${colorScheme} ${focus}`);
    const surface = await colour('main section', 'backgroundColor');
    for (const field of ['input[type=search]', 'input[type=date]', 'select']) {
      const border = await colour(field, 'borderTopColor');
      assert.ok(contrast(border, surface) >= 3, `${colorScheme} ${field} ${border} ${surface}`);
    }
    await page.goto(portal.at('/audit', 'live'));
    await page.getByRole('table').waitFor();
    const [pill, track] = ['nav[aria-label=Mode] [aria-current]', 'nav[aria-label=Mode]'];
    const selected = [await colour(pill, 'backgroundColor'), await colour(track, 'backgroundColor')] as const;
    assert.ok(contrast(...selected) >= 3, `${colorScheme} ${selected}`);
  }
});

test('on a phone the menu is a drawer over the page', async () => {
  await using visit = await portal.visit(MEMBER, { viewport: { width: 390, height: 844 } });
  const { page } = visit;
  await page.goto(portal.at('/audit', 'live'));
  const heading = page.getByRole('heading', { level: 1 });
  // What members may do is said above the heading, and loads by itself.
  await page.waitForLoadState('networkidle');
  const before = await heading.boundingBox();
  await page.getByRole('button', { name: 'Menu' }).click();
  const drawer = page.getByRole('dialog', { name: 'Menu' });
  await drawer.waitFor();
  assert.deepEqual(await page.locator('h1').boundingBox(), before);
  assert.deepEqual(await findFaults(page), []);
  await page.keyboard.press('Escape');
  await drawer.waitFor({ state: 'detached' });
  await page.getByRole('button', { name: 'Menu' }).press('Enter');
  await drawer.getByRole('link', { name: 'Balance' }).click();
  await page.getByRole('heading', { name: 'Balance', level: 1 }).waitFor();
  assert.equal(await drawer.count(), 0);
});

test('the settings show the organization, its id and its billing contact', async () => {
  await using visit = await portal.visit(MEMBER);
  const { page } = visit;
  const { organizationId } = portal.organization;
  await page.goto(portal.at('/settings', 'live'));
  const main = page.getByRole('main');
  await main.getByText(NAME, { exact: true }).waitFor();
  await main.getByText('None. Orders are attributed to the longest-standing admin.').waitFor();
  await page.getByRole('button', { name: 'Copy organization ID' }).click();
  assert.equal(await page.evaluate('navigator.clipboard.readText()'), organizationId);
  assert.equal(await main.getByRole('button', { name: /Reset|Delete/ }).count(), 0);
  await main.getByRole('link', { name: 'View members' }).click();
  await page.waitForURL('**/members');
});

test('an admin resets the sandbox after typing the organization’s name', async () => {
  const { sandbox, live } = portal.organization;
  const { body: kept } = await live.order([linkGift()]);
  await using visit = await portal.visit(ADMIN);
  const { page, complaints } = visit;
  await page.goto(portal.at('/settings', 'live'));
  await page.getByRole('button', { name: 'Reset sandbox' }).click();
  const dialog = page.getByRole('dialog', { name: 'Reset the sandbox?' });
  const button = dialog.getByRole('button', { name: 'Reset sandbox' });
  assert.ok(await button.isDisabled());
  await dialog.getByLabel(`Type “${NAME}” to confirm`).fill('test organization');
  assert.ok(await button.isDisabled());
  await dialog.getByLabel(`Type “${NAME}” to confirm`).fill(NAME);
  await portal.service.sql(`create function wait() returns trigger language plpgsql
    as 'begin perform pg_sleep(4); return null; end'`);
  await portal.service.sql('create trigger wait before delete on orders for each statement execute function wait()');
  await button.click();
  await dialog.getByRole('status').getByText('Still working').waitFor();
  await page.getByText('Sandbox reset: 1 order and 1 gift deleted.', { exact: true }).waitFor();
  await portal.service.sql('drop function wait cascade');
  assert.deepEqual((await sandbox.get('/v1/orders')).body.data, []);
  assert.equal((await live.get('/v1/orders')).body.data[0].order_id, kept.order_id);
  await page.goto(portal.at('/audit'));
  await page.getByText('Reset the sandbox: 1 order and 1 gift deleted').waitFor();
  assert.deepEqual(complaints, []);
});

test('an admin deletes the sandbox, and Sandbox mode creates a new one', async () => {
  const { sandbox } = portal.organization;
  await sandbox.order([emailGift('delivered')]).catch(() => undefined);
  await using visit = await portal.visit(ADMIN);
  const { page, complaints } = visit;
  await page.goto(portal.at('/settings'));
  await page.getByRole('button', { name: 'Delete sandbox' }).click();
  const dialog = page.getByRole('dialog', { name: 'Delete the sandbox?' });
  await dialog.getByLabel(`Type “${NAME}” to confirm`).fill(NAME);
  await dialog.getByRole('button', { name: 'Delete sandbox' }).click();
  await page
    .getByText(/^Sandbox deleted, with \d orders? and \d gifts?\. You are now in Live mode\.$/)
    .first()
    .waitFor();
  await page.waitForURL('**/live/settings');
  await page.getByText('No sandbox').waitFor();
  assert.deepEqual(await findFaults(page), []);
  assert.equal((await sandbox.get('/v1/orders')).body.error.code, 'sandbox_missing');

  await using member = await portal.visit(MEMBER);
  await member.page.goto(portal.at('/audit'));
  await member.page.getByText('There is no sandbox yet').waitFor();
  await member.page.getByText('An admin creates it by opening this page.').waitFor();
  await member.page.goto(portal.at('/settings', 'live'));
  await member.page.getByText('An admin creates it by opening Sandbox mode.').waitFor();
  assert.equal(await member.page.getByRole('link', { name: 'Open Sandbox mode' }).count(), 0);

  await page.getByRole('link', { name: 'Open Sandbox mode' }).click();
  await page.getByRole('button', { name: 'Reset sandbox' }).waitFor();
  assert.equal((await sandbox.get('/v1/orders')).status, 200);
  await page.getByRole('link', { name: 'Audit log' }).click();
  await page.getByText('Created the sandbox').first().waitFor();
  assert.deepEqual(complaints, []);
});

test('the mode switch stays on the page and creates the sandbox on first use', async () => {
  const { organizationId } = portal.organization;
  await deleteSandbox(portal.service.service.deps, { organizationId, actor: OPERATOR });
  await using visit = await portal.visit(ADMIN);
  const { page } = visit;
  await page.goto(portal.at('/audit?actor=operator', 'live'));
  const modes = page.getByRole('navigation', { name: 'Mode' });
  const isCurrent = async (name: string) =>
    (await modes.getByRole('link', { name }).getAttribute('aria-current')) !== null;
  assert.deepEqual([await isCurrent('Live'), await isCurrent('Sandbox')], [true, false]);
  const ground = () => page.evaluate(`getComputedStyle(document.querySelector('header')).backgroundColor`);
  const liveGround = await ground();
  await modes.getByRole('link', { name: 'Sandbox' }).click();
  await page.getByText('Test data. No money moves and no messages are sent.').waitFor();
  await page.getByText('Created the sandbox').first().waitFor();
  assert.ok(page.url().endsWith('/sandbox/audit'), page.url());
  assert.deepEqual([await isCurrent('Live'), await isCurrent('Sandbox')], [false, true]);
  assert.notEqual(await ground(), liveGround);
  const [row] = await portal.service.sql<{ count: number }>(
    'select count(*)::integer as count from sandboxes where organization_id = $1',
    [portal.organization.organizationUuid],
  );
  assert.equal(row?.count, 1);
});
