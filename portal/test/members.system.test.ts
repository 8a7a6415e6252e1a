import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import type { Locator, Page } from 'playwright-core';
import { DESKTOP, LOOKS } from './harness/browser.ts';
import { ADMIN, assertFaultless, findFaults, MEMBER, type PortalService, startPortal } from './harness/portal.ts';

const SECOND = 'second@example.com';
const LONG = `${'somebody-of-a-very-long-name.'.repeat(6)}x@example.com`;

let portal: PortalService;
before(async () => {
  portal = await startPortal();
});
after(() => portal?.close());

const rowOf = (page: Page, email: string): Locator => page.getByRole('row').filter({ hasText: email });

/** Chooses from a member's menu and returns the dialog. */
async function choose(page: Page, email: string, act: string): Promise<Locator> {
  await page.getByRole('button', { name: `Change ${email}` }).click();
  await page.getByRole('menuitem', { name: act }).click();
  return page.getByRole('dialog');
}

test('a member sets a name, which members see beside the address', async () => {
  await using visit = await portal.visit(ADMIN);
  const { page, complaints } = visit;
  await page.goto('/portal/account');
  await page.getByLabel('Your name (optional)').fill(' Ada  Lovelace ');
  await page.getByRole('button', { name: 'Save name' }).click();
  await page.getByText('Name saved.', { exact: true }).waitFor();
  await assertFaultless(page);
  await using other = await portal.visit(MEMBER);
  await other.page.goto(portal.at('/members', 'live'));
  await rowOf(other.page, ADMIN).getByText('Ada Lovelace', { exact: true }).waitFor();
  await other.page.keyboard.press('Control+k');
  const palette = other.page.getByRole('dialog', { name: 'Search' });
  await palette.getByRole('combobox').fill('lovelace');
  await palette.getByRole('option', { name: `Ada Lovelace, ${ADMIN} Member` }).waitFor();
  await assertFaultless(other.page);
  await other.page.keyboard.press('Escape');
  await page.getByLabel('Your name (optional)').fill('');
  await page.getByRole('button', { name: 'Save name' }).click();
  await page.getByText('Name removed.', { exact: true }).waitFor();
  assert.deepEqual(complaints, []);
});

test('an admin invites a person, who gets a mail and can sign in', async () => {
  await using visit = await portal.visit(ADMIN);
  const { page, complaints, foreign } = visit;
  await page.goto(portal.at('/members', 'live'));
  await page.getByRole('button', { name: 'Invite a person' }).click();
  const dialog = page.getByRole('dialog', { name: 'Invite a person' });
  const email = dialog.getByLabel('Email address');
  await email.fill('bob');
  await dialog.getByRole('button', { name: 'Send invitation' }).click();
  await dialog.getByText('Enter a valid email address, such as name@example.com.').waitFor();
  assert.equal(await email.getAttribute('aria-invalid'), 'true');
  await email.fill('MEMBER@example.com');
  await email.press('Enter');
  await dialog.getByRole('alert').getByText('MEMBER@example.com is already a member.').waitFor();
  await email.fill('bob@example.com');
  await dialog.getByLabel('Role').selectOption('Support');
  await dialog.getByText('Support can find, resend, redirect and hold gifts, but spend nothing.').waitFor();
  await dialog.getByLabel('Role').selectOption('Admin');
  await dialog.getByRole('button', { name: 'Send invitation' }).click();
  await page.getByText('Invitation sent to bob@example.com.', { exact: true }).waitFor();
  await rowOf(page, 'bob@example.com').getByText('Admin', { exact: true }).last().waitFor();
  await rowOf(page, 'bob@example.com').getByText('Invited', { exact: true }).waitFor();
  const notices = await portal.service.sql(
    `select recipient, details->>'role' as role, details->>'by' as by from notices where kind = 'member_invited' and recipient = 'bob@example.com'`,
  );
  assert.deepEqual(notices, [{ recipient: 'bob@example.com', role: 'admin', by: ADMIN }]);
  assert.deepEqual([complaints, foreign], [[], []]);

  await using bob = await portal.visit('bob@example.com');
  await bob.page.goto('/portal/account');
  await bob.page.getByRole('heading', { name: 'Invitation to Test Organization' }).waitFor();
  await assertFaultless(bob.page);
  await bob.page.getByRole('button', { name: 'Accept' }).click();
  await bob.page.getByText('You are now an admin of Test Organization.').waitFor();
  await bob.page.goto(portal.at('/members'));
  await rowOf(bob.page, 'bob@example.com').getByText('You', { exact: true }).waitFor();
});

test('an admin changes roles and the billing contact, and deactivates a person', async () => {
  await using visit = await portal.visit(ADMIN);
  const { page, complaints } = visit;
  await page.goto(portal.at('/members'));
  const row = rowOf(page, MEMBER);

  for (const role of ['Admin', 'Finance', 'Member']) {
    const dialog = await choose(page, MEMBER, 'Change role');
    await dialog.getByLabel('Role').selectOption(role);
    await dialog.getByRole('button', { name: 'Change role' }).click();
    await page.getByText(`${MEMBER} now has the role ${role}.`, { exact: true }).waitFor();
    await row.getByRole('cell', { name: role, exact: true }).waitFor();
  }

  const billing = await choose(page, MEMBER, 'Make billing contact');
  await billing.getByRole('button', { name: 'Make billing contact' }).click();
  await row.getByText('Billing contact').waitFor();

  const deactivation = await choose(page, MEMBER, 'Deactivate');
  await deactivation.getByText('This person is the billing contact. New orders will be attributed').waitFor();
  await deactivation.getByRole('button', { name: 'Deactivate' }).click();
  await row.getByText('Deactivated', { exact: true }).waitFor();
  await page.goto(portal.at('/settings'));
  await page.getByText(`${MEMBER} (deactivated). Orders are attributed to the longest-standing admin.`).waitFor();
  await page.getByRole('link', { name: 'Change it under Members' }).click();

  await page.getByRole('button', { name: `Change ${MEMBER}` }).click();
  assert.deepEqual(await page.getByRole('menuitem').allInnerTexts(), ['Activate']);
  await page.getByRole('menuitem', { name: 'Activate' }).click();
  await page.getByRole('dialog').getByRole('button', { name: 'Activate' }).click();
  await row.getByText('Active', { exact: true }).waitFor();
  assert.deepEqual(complaints, []);
});

test('the menu and its dialogs work by keyboard, and the focus comes back', async () => {
  await using visit = await portal.visit(ADMIN);
  const { page } = visit;
  await page.goto(portal.at('/members'));
  const opener = page.getByRole('button', { name: `Change ${MEMBER}` });
  const waitForFocus = () => page.locator(`[aria-label="Change ${MEMBER}"]:focus`).waitFor();
  await opener.focus();
  await page.keyboard.press('Enter');
  await page.getByRole('menuitem', { name: 'Change role' }).waitFor();
  await page.keyboard.press('Escape');
  await page.getByRole('menu').waitFor({ state: 'detached' });
  await waitForFocus();
  await page.keyboard.press('Enter');
  const waitForItem = (name: string) => page.locator('[role="menuitem"]:focus', { hasText: name }).waitFor();
  await waitForItem('Change role');
  await page.keyboard.press('End');
  await waitForItem('Deactivate');
  await page.keyboard.press('Enter');
  const dialog = page.getByRole('dialog', { name: `Deactivate ${MEMBER}?` });
  await dialog.waitFor();
  await dialog.locator(':focus').waitFor();
  await page.keyboard.press('Escape');
  await dialog.waitFor({ state: 'detached' });
  await waitForFocus();
});

test('the members page passes axe with long addresses and its menu open', async () => {
  await portal.service.sql(
    `insert into members (organization_id, member_id, email, role, created_at) values ($1, gen_random_uuid(), $2, 'member', now())`,
    [portal.organization.organizationUuid, LONG],
  );
  await using visit = await portal.visit(ADMIN);
  const { page } = visit;
  for (const { viewport, colorScheme } of LOOKS) {
    await page.setViewportSize(viewport);
    await page.emulateMedia({ colorScheme });
    await page.goto(portal.at('/members', 'live'));
    await rowOf(page, LONG).waitFor();
    assert.deepEqual(await findFaults(page), []);
    const opener = page.getByRole('button', { name: `Change ${MEMBER}` });
    const { x, width } = (await opener.boundingBox()) ?? { x: 0, width: 0 };
    assert.ok(x + width <= viewport.width, 'the button is within the window');
    assert.deepEqual(visit.complaints, []);
    if (viewport === DESKTOP) continue;
    await opener.click();
    await page.getByRole('menuitem', { name: 'Deactivate' }).waitFor();
    assert.deepEqual(await findFaults(page), []);
    await page.getByRole('menuitem', { name: 'Deactivate' }).click();
    await page.getByRole('dialog').waitFor();
    assert.deepEqual(await findFaults(page), []);
    assert.deepEqual(visit.complaints, []);
  }
});

test('an admin who gives up the role is warned and sees no more buttons', async () => {
  await using visit = await portal.visit(SECOND);
  const { page } = visit;
  await page.goto(portal.at('/members', 'live'));
  const dialog = await choose(page, SECOND, 'Change role');
  await dialog.getByLabel('Role').selectOption('Member');
  await dialog.getByText('This is you: you lose what this role does not include').waitFor();
  await dialog.getByRole('button', { name: 'Change role' }).click();
  await page.getByText('Only admins can make changes').waitFor();
  await rowOf(page, SECOND).getByText('Member', { exact: true }).last().waitFor();
  assert.equal(await page.getByRole('button', { name: /Invite|Change/ }).count(), 0);
});

test('an admin who deactivates themselves is warned and loses access', async () => {
  await using visit = await portal.visit('bob@example.com');
  const { page } = visit;
  await page.goto(portal.at('/members'));
  const dialog = await choose(page, 'bob@example.com', 'Deactivate');
  await dialog.getByText('This is you: you lose access immediately').waitFor();
  await dialog.getByRole('button', { name: 'Deactivate' }).click();
  await page.getByText('You are not a member of any organization.').waitFor();
  await page.goto(portal.at('/members'));
  await page.getByText('You are not a member of any organization.').waitFor();
});

test('the last active admin cannot be removed', async () => {
  await using visit = await portal.visit(ADMIN);
  const { page } = visit;
  await page.goto(portal.at('/members', 'live'));
  for (const act of ['Change role', 'Deactivate']) {
    const dialog = await choose(page, ADMIN, act);
    await dialog.getByText('Make another member an admin first.').waitFor();
    assert.deepEqual(await dialog.getByRole('button').allInnerTexts(), ['', 'Close']);
    await page.keyboard.press('Escape');
    await dialog.waitFor({ state: 'detached' });
  }
  // Another admin exists when the page loads, but not when the button is pressed.
  const { organizationUuid } = portal.organization;
  const setRole = (role: string) =>
    portal.service.sql('update members set role = $3 where organization_id = $1 and email = $2', [
      organizationUuid,
      SECOND,
      role,
    ]);
  await setRole('admin');
  await page.reload();
  const dialog = await choose(page, ADMIN, 'Deactivate');
  await setRole('member');
  await dialog.getByRole('button', { name: 'Deactivate' }).click();
  await dialog
    .getByRole('alert')
    .getByText(`${ADMIN} is the last active admin; make another member an admin first.`)
    .waitFor();
});

test('a list that cannot be loaded shows an error and a retry button', async () => {
  await using visit = await portal.visit(MEMBER);
  const { page } = visit;
  // A page that shows no names, so that the members are not loaded.
  await page.goto(portal.at('/members/roles', 'live'));
  await page.getByRole('heading', { name: 'Roles', level: 1 }).waitFor();
  // The page does not know yet that the member was deactivated.
  const setDeactivated = (at: string | null) =>
    portal.service.sql('update members set deactivated_at = $3 where organization_id = $1 and email = $2', [
      portal.organization.organizationUuid,
      MEMBER,
      at,
    ]);
  await setDeactivated('2026-11-21');
  await page.getByRole('link', { name: 'Spending' }).click();
  const alert = page.getByRole('alert');
  await alert.getByText('Could not load this').waitFor();
  await setDeactivated(null);
  await alert.getByRole('button', { name: 'Try again' }).click();
  await page.getByRole('row', { name: /^All orders/ }).waitFor();
});
