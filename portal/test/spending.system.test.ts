import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { linkGift } from '../../server/test/harness/api-client.ts';
import { ADMIN, assertFaultless, look, type PortalService, startPortal } from './harness/portal.ts';
import { addMembers, work } from './harness/role-visit.ts';

/** Who may spend how much, and who approves it: one page. */

const SENDER = 'sender@example.com';
const APPROVER = 'approver@example.com';

let portal: PortalService;
before(async () => {
  portal = await startPortal();
  await addMembers(portal, { [SENDER]: 'sender', [APPROVER]: 'approver' });
});
after(() => portal?.close());

test('an admin caps what orders may cost, and raises a cap', async () => {
  await using visit = await portal.visit(ADMIN);
  const { page, complaints } = visit;
  await page.goto(portal.at('/spending'));
  const caps = page.getByRole('table', { name: 'Spending' });
  await caps.getByRole('button', { name: 'Caps of all orders' }).click();
  const dialog = page.getByRole('dialog', { name: 'Caps of all orders' });
  await dialog.getByLabel('Per hour (USD)').fill('ten');
  assert.ok(await dialog.getByRole('button', { name: 'Save' }).isDisabled());
  await dialog.getByLabel('Per hour (USD)').fill('');
  await dialog.getByLabel('Per day (USD)').fill('50');
  await dialog.getByRole('button', { name: 'Save' }).click();
  const row = caps.getByRole('row', { name: /All orders/ });
  await row.getByText('$50', { exact: true }).waitFor();
  assert.match(await row.innerText(), /\$50 per day \(\$[\d,]+\.00 spent\)/);
  const refused = await portal.organization.sandbox.order([linkGift(50_000)]);
  assert.deepEqual(
    [refused.body.error.code, refused.body.error.reason],
    ['insufficient_balance', 'organization_cap_reached'],
  );
  await row.getByRole('button', { name: 'Caps of all orders' }).click();
  assert.equal(await dialog.getByLabel('Per day (USD)').inputValue(), '50.00');
  await dialog.getByLabel('Per day (USD)').fill('');
  await dialog.getByRole('button', { name: 'Save' }).click();
  await dialog.waitFor({ state: 'detached' });
  await row.getByText('No limit').waitFor();
  assert.deepEqual(complaints, []);
});

test('an admin limits a sender, who sees the own limit and the rule, and no one else’s', async () => {
  await using admins = await portal.visit(ADMIN);
  const { page } = admins;
  await page.goto(portal.at('/spending'));
  await page.getByRole('button', { name: `Limits of ${SENDER}` }).click();
  await page
    .getByRole('dialog')
    .getByLabel(/^A day to one recipient/)
    .fill('30');
  await page.getByRole('dialog').getByRole('button', { name: 'Save' }).click();
  const row = page.getByRole('row').filter({ hasText: SENDER });
  await row.getByText('$30 a day to one recipient').waitFor();
  await assertFaultless(page);
  await look(page, 'spending');
  assert.equal(await page.getByRole('row').filter({ hasText: APPROVER }).count(), 0, 'who decides spends nothing');

  await using visit = await work(portal, SENDER);
  await visit.page.goto(portal.at('/spending'));
  await visit.page.getByText('$30 a day to one recipient').waitFor();
  await visit.page.getByRole('cell', { name: 'No orders need an approval.', exact: true }).waitFor();
  assert.equal(await visit.page.getByRole('row').filter({ hasText: ADMIN }).count(), 0);
  assert.equal(await visit.page.getByRole('main').getByRole('button').count(), 0);
  await look(visit.page, 'spending-sender');
  visit.assertClean();
});
