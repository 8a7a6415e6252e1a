import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { ADMIN, look, type PortalService, startPortal } from './harness/portal.ts';
import { addMembers, work } from './harness/role-visit.ts';

/** Teams with their members and limits. */

const SENDER = 'sara@example.com';

let portal: PortalService;
before(async () => {
  portal = await startPortal();
  await addMembers(portal, { [SENDER]: 'sender' });
});
after(() => portal?.close());

test('an admin limits a team, and a sender in it is refused beyond the limit', async () => {
  await using admins = await work(portal, ADMIN);
  const { page } = admins;
  await page.goto(portal.at('/members'));
  await page.getByRole('link', { name: 'Teams', exact: true }).click();
  await page.getByText('No teams yet').waitFor();
  await look(page, 'teams-none');
  await page.getByRole('button', { name: 'New team' }).click();
  await page.getByRole('dialog', { name: 'New team' }).getByRole('textbox', { name: 'Name' }).fill('Field sales');
  await look(page, 'team-new');
  await page.getByRole('button', { name: 'Create team' }).click();
  await page.getByText('Team Field sales created.', { exact: true }).waitFor();

  await page.getByRole('link', { name: 'Members', exact: true }).click();
  await page.getByRole('button', { name: `Change ${SENDER}` }).click();
  await look(page, 'member-menu');
  await page.getByRole('menuitem', { name: 'Change team' }).click();
  const change = page.getByRole('dialog', { name: `Change the team of ${SENDER}` });
  await change.getByLabel('Team').selectOption('Field sales');
  await look(page, 'member-team');
  await change.getByRole('button', { name: 'Change team' }).click();
  await page.getByRole('row').filter({ hasText: SENDER }).getByRole('cell', { name: 'Field sales' }).waitFor();

  await page.getByRole('link', { name: 'Teams', exact: true }).click();
  await page.getByText(`1 member: ${SENDER}`).waitFor();
  await page.goto(portal.at('/spending'));
  await page.getByRole('button', { name: 'Limits of Field sales' }).click();
  const limits = page.getByRole('dialog', { name: 'Limits of Field sales in Sandbox mode' });
  await limits.getByLabel(/^A month/).fill('60');
  await look(page, 'team-limits');
  await limits.getByRole('button', { name: 'Save' }).click();
  await page.getByText('$60 a month ($0.00 sent)').waitFor();
  await look(page, 'teams');

  await using visit = await portal.visit(SENDER);
  const sender = visit.page;
  const send = async () => {
    await sender.goto(portal.at('/gifts/send'));
    await sender.getByText(/^Your team can send \$(60|20)\.00 more this month\.$/).waitFor();
    await sender.getByLabel('Email address').fill('delivered@sandbox.gift.test');
    await sender.getByLabel(/^Amount/).fill('40.00');
    await sender.getByLabel('Category').selectOption('coffee');
    await sender.getByRole('button', { name: 'Review gift' }).click();
    await sender.getByRole('button', { name: 'Send gift' }).click();
  };
  await send();
  await sender.getByRole('link', { name: 'View gift' }).waitFor();
  await send();
  await sender.getByText('What the team sends may cost at most $60.00 per month').waitFor();
  await look(sender, 'limit-refused');
  assert.deepEqual(
    visit.complaints.filter((complaint) => !complaint.includes('429')),
    [],
  );

  await page.reload();
  await page.getByText('$60 a month ($40.00 sent)').waitFor();
  await page.goto(portal.at('/members/teams'));
  await page.getByRole('button', { name: 'Rename the team Field sales' }).click();
  await page.getByRole('textbox', { name: 'Name' }).fill('Sales');
  await page.getByRole('button', { name: 'Save' }).click();
  await page.getByRole('button', { name: 'Remove the team Sales' }).click();
  await page.getByText('Its members stay, without a team.').waitFor();
  await look(page, 'team-remove');
  await page.getByRole('button', { name: 'Remove team' }).click();
  await page.getByText('No teams yet').waitFor();
  admins.assertClean();
});
