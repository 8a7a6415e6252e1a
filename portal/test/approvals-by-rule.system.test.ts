import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import type { Page } from 'playwright-core';
import { DAY_MS } from '../../server/src/platform/base/id-time.ts';
import { workUntil } from '../../server/test/harness/mail-server.ts';
import { ADMIN, look, type PortalService, startPortal } from './harness/portal.ts';
import { addMembers, work } from './harness/role-visit.ts';

/** A rule holds orders back until two people approve them. */

const SENDER = 'sara@example.com';
const OTHER = 'omar@example.com';
const SECOND = 'second@example.com';
const APPROVERS = ['ann@example.com', 'ben@example.com'] as const;

let portal: PortalService;
before(async () => {
  portal = await startPortal();
  await addMembers(portal, {
    [SENDER]: 'sender',
    [OTHER]: 'sender',
    [APPROVERS[0]]: 'approver',
    [APPROVERS[1]]: 'approver',
  });
  // Whom someone has just made an admin is no second person.
  await portal.service.clock.jump(2 * DAY_MS);
});
after(() => portal?.close());

async function writeGift(page: Page, amount: string, recipient: string): Promise<void> {
  await page.goto(portal.at('/gifts/send'));
  await page.getByLabel('Email address').fill(`${recipient.toLowerCase()}@sandbox.gift.test`);
  await page.getByLabel(/^Amount/).fill(amount);
  await page.getByLabel('Category').selectOption('coffee');
  await page.getByLabel('Recipient’s name (optional)').fill(recipient);
  await page.getByRole('button', { name: 'Review gift' }).click();
  await page.getByRole('button', { name: 'Send gift' }).click();
}

const approve = async (page: Page) => {
  await page.getByRole('button', { name: 'Approve' }).click();
  await page.getByRole('dialog').getByRole('button', { name: 'Approve' }).click();
};

test('an admin sets the rule, and reads the server’s reason beside the field', async () => {
  await using visit = await portal.visit(ADMIN);
  const { page } = visit;
  await page.goto(portal.at('/spending'));
  const section = page.getByRole('table', { name: 'Spending' });
  const general = section
    .getByRole('row', { name: /^All orders/ })
    .getByRole('cell')
    .nth(2);
  await general.getByText('No orders need an approval.').waitFor();
  await section.getByRole('button', { name: 'Change the rule for approvals' }).click();
  const dialog = page.getByRole('dialog', { name: 'Approvals' });
  await dialog.getByLabel('Rule').selectOption('Orders above an amount');
  await dialog.getByLabel(/^Orders above/).fill('40');
  await dialog.getByLabel('Approvals').selectOption('Two people approve');
  await dialog.getByLabel('Who decides').selectOption('Chosen members');
  await dialog.getByLabel(APPROVERS[0]).check();
  await look(page, 'rule');
  await dialog.getByRole('button', { name: 'Save' }).click();
  await dialog.getByText('Only one person could approve that.').waitFor();
  await look(page, 'rule-refused');
  await dialog.getByLabel(APPROVERS[1]).check();
  await dialog.getByRole('button', { name: 'Save' }).click();
  await general.getByText(`Orders above $40 need two approvals, given by ${APPROVERS.join(', ')}.`).waitFor();

  await page.getByRole('button', { name: `Approvals of orders by ${OTHER}` }).click();
  const own = page.getByRole('dialog', { name: `Approvals of orders by ${OTHER}` });
  await own.getByLabel('Rule').selectOption('Own rule');
  await own.getByLabel(/^Orders above/).fill('1000');
  await look(page, 'rule-own');
  await own.getByRole('button', { name: 'Save' }).click();
  await page.getByText('Another person must confirm this. All admins get an email.').waitFor();
  const waiting = page.getByRole('list', { name: 'Changes that wait for a second person' });
  await waiting.getByText('You asked for this').waitFor();
  assert.equal(await waiting.getByRole('button', { name: 'Confirm' }).count(), 0);
  await look(page, 'rule-asked');

  await using another = await portal.visit(SECOND);
  await another.page.goto(portal.at('/spending'));
  const seen = another.page.getByRole('main');
  await seen.getByText(`${ADMIN} asked for this`).waitFor();
  await look(another.page, 'rule-to-confirm');
  await seen.getByRole('button', { name: 'Confirm' }).click();
  await another.page.getByText('Rule for approvals saved.', { exact: true }).waitFor();
  await page.reload();
  await section
    .getByRole('row')
    .filter({ hasText: OTHER })
    .getByRole('cell', { name: 'Orders above $1,000 need an approval' })
    .waitFor();
  await waiting.waitFor({ state: 'detached' });
  await look(page, 'rule-settings');
});

test('a sender asks once, two people approve, and the sender sees the gift and no others', async () => {
  await using others = await portal.visit(OTHER);
  await writeGift(others.page, '50.00', 'Grace');
  await others.page.getByRole('link', { name: 'View gift' }).waitFor();

  await using visit = await portal.visit(SENDER);
  const { page, complaints } = visit;
  await writeGift(page, '50.00', 'Ada');
  await page.getByText('This needs an approval. Nothing was bought.').waitFor();
  await look(page, 'held');
  await page.getByRole('button', { name: 'Ask for approval' }).dblclick();
  await page.getByRole('heading', { level: 1, name: 'Request for a gift of $50.00' }).waitFor();
  await page.getByText('0 of 2 approvals').waitFor();
  assert.equal(await page.getByRole('button', { name: /Approve|Decline/ }).count(), 0);
  await look(page, 'asked');
  assert.equal((await portal.service.sql('select from gift_requests')).length, 1);

  await using first = await work(portal, APPROVERS[0]);
  await first.page.goto(portal.at('/gifts/requests'));
  await first.page.getByRole('table').getByText('0 of 2 approvals').first().waitFor();
  await look(first.page, 'list');
  await first.page.goto(page.url());
  await first.page.frameLocator('iframe[title="Preview of the email"]').getByText('Ada').first().waitFor();
  await first.page.getByRole('button', { name: 'Approve' }).click();
  await first.page.getByText('Nothing is bought yet: someone else must approve it too.').waitFor();
  await look(first.page, 'approve-first');
  await first.page.getByRole('dialog').getByRole('button', { name: 'Approve' }).click();
  await first.page.getByText('1 of 2 approvals').waitFor();
  await first.page.getByText('Approved by you. It waits for another approval.').first().waitFor();
  await first.page.getByRole('button', { name: 'Approve' }).waitFor({ state: 'detached' });
  await look(first.page, 'approved-first');
  first.assertClean();

  await using second = await work(portal, APPROVERS[1]);
  await second.page.goto(page.url());
  await second.page.getByText('1 of 2 approvals').waitFor();
  await approve(second.page);
  await second.page.getByRole('link', { name: 'View order' }).waitFor();
  await look(second.page, 'approved-second');
  second.assertClean();

  await page.goto(portal.at('/gifts'));
  await page.getByRole('table').getByText('Ada').first().waitFor();
  assert.equal(await page.getByRole('table').getByText('Grace').count(), 0);
  // The refusal that names the rule.
  assert.deepEqual(
    complaints.filter((complaint) => !complaint.includes('409')),
    [],
  );
});

test('a file waits as a whole, and is sent with the second approval', async () => {
  await using visit = await portal.visit(SENDER);
  const { page } = visit;
  await page.goto(portal.at('/gifts/send-many'));
  const lines = ['email,amount,category', 'mary@sandbox.gift.test,25.00,coffee', 'alan@sandbox.gift.test,25.00,coffee'];
  await page
    .locator('input[type="file"]')
    .setInputFiles({ name: 'spring.csv', mimeType: 'text/csv', buffer: Buffer.from(lines.join('\n')) });
  await page.getByRole('button', { name: /^Check/ }).click();
  await page.getByRole('button', { name: 'Send 2 gifts' }).click();
  await page.getByText('This needs an approval. Nothing was bought.').waitFor();
  await look(page, 'held-file');
  await page.getByRole('button', { name: 'Ask for approval' }).click();
  await page.getByRole('heading', { level: 1, name: 'Request for a file of $50.00' }).waitFor();
  await page.getByText(', 2 gifts').waitFor();
  await look(page, 'asked-file');
  for (const approver of APPROVERS) {
    await using other = await work(portal, approver);
    await other.page.goto(page.url());
    await other.page.getByRole('link', { name: 'spring' }).waitFor();
    await approve(other.page);
    await other.page.getByText(approver === APPROVERS[0] ? '1 of 2 approvals' : '2 of 2 approvals').waitFor();
    other.assertClean();
  }
  await page.reload();
  await page.getByRole('link', { name: 'spring' }).click();
  await workUntil(portal.service, () => page.getByText('2 of 2 gifts bought').isVisible(), 'the gifts were bought');
});
