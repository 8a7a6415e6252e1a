import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { ADMIN, look, type PortalService, startPortal } from './harness/portal.ts';
import { assertShut, menuOf, openAll, work } from './harness/role-visit.ts';

const VIEWER = 'viewer@example.com';

let portal: PortalService;
before(async () => {
  portal = await startPortal();
  await portal.service.sql(
    `insert into members (organization_id, member_id, email, role, created_at)
     values ($1, gen_random_uuid(), $2, 'viewer', now())`,
    [portal.organization.organizationUuid, VIEWER],
  );
});
after(() => portal?.close());

test('an admin creates a role and gives it to a member, who then sees only that', async () => {
  await using visit = await portal.visit(ADMIN);
  const { page } = visit;
  await page.goto(portal.at('/members', 'live'));
  await page.getByRole('link', { name: 'Roles', exact: true }).click();
  await page.getByText('No own roles yet').waitFor();
  await page.getByRole('button', { name: 'New role' }).click();
  const dialog = page.getByRole('dialog', { name: 'New role' });
  await dialog.getByRole('textbox', { name: 'Name' }).fill('Bookkeeping');
  await dialog.getByLabel('Gifts and orders').uncheck();
  await dialog.getByLabel('What others sent').uncheck();
  await dialog.getByLabel('The balance, statements and top-ups').check();
  await look(page, 'role-new');
  await dialog.getByRole('button', { name: 'Create role' }).click();
  await page.getByText('Role Bookkeeping created.', { exact: true }).waitFor();

  await page.getByRole('button', { name: 'New role' }).click();
  await dialog.getByRole('textbox', { name: 'Name' }).fill('bookkeeping');
  await dialog.getByRole('button', { name: 'Create role' }).click();
  await dialog.getByText('A role is called “bookkeeping” already.').waitFor();
  assert.equal(await dialog.getByRole('textbox', { name: 'Name' }).getAttribute('aria-invalid'), 'true');
  await page.keyboard.press('Escape');

  await page.getByRole('link', { name: 'Members', exact: true }).click();
  await page.getByRole('button', { name: `Change ${VIEWER}` }).click();
  await page.getByRole('menuitem', { name: 'Change role' }).click();
  const change = page.getByRole('dialog', { name: `Change the role of ${VIEWER}` });
  await change.getByLabel('Role').selectOption('Bookkeeping');
  await change.getByText('Includes the balance, statements and top-ups.').waitFor();
  await look(page, 'member-role');
  await change.getByRole('button', { name: 'Change role' }).click();
  await page.getByText(`${VIEWER} now has the role Bookkeeping.`, { exact: true }).waitFor();
  await page.getByRole('row').filter({ hasText: VIEWER }).getByRole('cell', { name: 'Bookkeeping' }).waitFor();
  await look(page, 'members');

  await page.goto(portal.at('/members/roles', 'live'));
  await page.getByText('1 member', { exact: true }).waitFor();
  await look(page, 'roles');
  await page.getByRole('button', { name: 'Remove the role Bookkeeping' }).click();
  const removal = page.getByRole('dialog', { name: 'Remove the role “Bookkeeping”?' });
  await removal.getByRole('button', { name: 'Remove role' }).click();
  await removal.getByText('Members have the role “Bookkeeping”. Give them another one first.').waitFor();
  await page.keyboard.press('Escape');

  await using other = await work(portal, VIEWER);
  await other.page.goto('/portal');
  await other.page.getByRole('region', { name: 'Balance' }).waitFor();
  assert.deepEqual(await menuOf(other.page), ['Overview', 'Spending', 'Balance']);
  await openAll(other.page, await menuOf(other.page));
  await assertShut(portal, other.page, '/gifts', 'gifts and orders');
  await other.page.getByRole('link', { name: 'What each role includes' }).click();
  await other.page.getByText('Your role', { exact: true }).waitFor();
  assert.equal(await other.page.getByRole('button', { name: /New role|Change|Remove/ }).count(), 0);
  other.assertClean();

  await page.getByRole('button', { name: 'Change the role Bookkeeping' }).click();
  const edit = page.getByRole('dialog', { name: 'Change the role' });
  await edit.getByText('It counts at once for the 1 member with this role.').waitFor();
  await edit.getByRole('textbox', { name: 'Name' }).fill('Accounts');
  await edit.getByLabel('Gifts and orders').check();
  await edit.getByRole('button', { name: 'Save' }).click();
  await page.getByText('Role Accounts saved.', { exact: true }).waitFor();
  await other.page.goto(portal.at(''));
  await other.page.getByRole('region', { name: 'Balance' }).waitFor();
  assert.deepEqual(visit.complaints, []);
});
