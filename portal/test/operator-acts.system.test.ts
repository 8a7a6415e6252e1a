import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import type { Page } from 'playwright-core';
import { linkGift } from '../../server/test/harness/api-client.ts';
import { OPERATOR_EMAIL } from '../../server/test/harness/operator-client.ts';
import { codeOf } from '../../server/test/harness/portal-client.ts';
import { startTestService } from '../../server/test/harness/test-service.ts';
import { actWithReason, type OperatedService, startOperatedService } from './harness/operator-page.ts';
import { ADMIN, expectCode, look } from './harness/portal.ts';

/** What an operator does on the page, and what the service and the organization have of it. */

const MINUTE_MS = 60_000;

let operated: OperatedService;
before(async () => {
  operated = await startOperatedService((variables) =>
    startTestService({ ...variables, APPROVAL_ABOVE_CENTS: '600000000' }),
  );
});
after(() => operated?.close());

const organizationPath = () => `/operator/organizations/${operated.organization.organizationId}`;

const stateOf = async () => {
  const [row] = await operated.service.sql<{ suspended_at: Date | null; name: string }>(
    'select suspended_at, name from organizations where organization_id = $1',
    [operated.organization.organizationUuid],
  );
  return { isSuspended: row?.suspended_at !== null, name: row?.name };
};

/** Proves the authenticator app in the dialog above the page. */
async function prove(page: Page, title: string, action: string): Promise<void> {
  const dialog = page.getByRole('dialog', { name: title });
  // A code of the app works once.
  await operated.service.clock.jump(MINUTE_MS);
  await dialog.getByLabel('Code from your authenticator app').fill(operated.operator.shown());
  await dialog.getByRole('button', { name: action, exact: true }).click();
  await dialog.waitFor({ state: 'detached' });
}

test('an operator finds an organization and suspends it, and its admins read the reason', async () => {
  await using visit = await operated.operatorVisit();
  const { page, complaints, foreign } = visit;
  await page.goto('/operator');
  await page.getByLabel('Part of a name, or an ID').fill('test org');
  await page.keyboard.press('Enter');
  await page.getByRole('link', { name: 'Test Organization' }).click();
  await page.getByRole('heading', { name: 'Test Organization', level: 1 }).waitFor();
  await page.getByRole('button', { name: 'Suspend' }).click();
  const dialog = page.getByRole('dialog', { name: 'Suspend “Test Organization”?' });
  await dialog.getByText(`bestow org suspend ${operated.organization.organizationId} --hold-gifts`).waitFor();
  await dialog.getByText('The organization reads this reason in its audit log.').waitFor();
  assert.ok(await dialog.getByRole('button', { name: 'Suspend organization' }).isDisabled(), 'without a reason');
  await look(page, 'operator-suspend');
  await actWithReason(page, 'Suspend organization', 'Its bank called us about fraud.');
  await page.getByText('Suspended “Test Organization”.').waitFor();
  assert.equal((await stateOf()).isSuspended, true);
  assert.equal((await operated.organization.sandbox.order([linkGift()])).status, 403);

  await using admin = await operated.visit(ADMIN);
  await admin.page.goto(`/portal/${operated.organization.organizationId}/live/audit`);
  await admin.page
    .getByText(/Its bank called us about fraud\./)
    .first()
    .waitFor();

  await page.getByRole('button', { name: 'Reinstate' }).click();
  await actWithReason(page, 'Reinstate organization', 'The bank was wrong.');
  await page.getByText('Its gifts stay on hold, so that it cannot order.').waitFor();
  await page.getByRole('button', { name: 'Release gifts' }).click();
  await actWithReason(page, 'Release gifts', 'The bank was wrong.');
  await page.getByText('Its gifts are released.').waitFor();
  assert.equal((await stateOf()).isSuspended, false);
  await page.getByRole('link', { name: 'Log', exact: true }).click();
  await page.getByText('Suspend organization').waitFor();
  assert.deepEqual([complaints, foreign], [[], []]);
});

test('after ten minutes an act asks for the app again, keeps what was typed, and is sent once', async () => {
  await using visit = await operated.operatorVisit();
  const { page } = visit;
  await page.goto(organizationPath());
  await page.getByRole('button', { name: 'Rename' }).click();
  await page.getByRole('dialog').getByLabel('Name').fill('Renamed Organization');
  await operated.service.clock.jump(11 * MINUTE_MS);
  await actWithReason(page, 'Rename organization', 'They asked for it.');
  await page.getByRole('dialog', { name: 'Confirm that it is you' }).waitFor();
  await look(page, 'operator-confirm');
  assert.equal((await stateOf()).name, 'Test Organization');
  await prove(page, 'Confirm that it is you', 'Confirm');
  await page.getByRole('heading', { name: 'Renamed Organization', level: 1 }).waitFor();
  const changes = await operated.service.sql(`select from audit_events where action = 'organization.renamed'`);
  assert.equal(changes.length, 1);
});

test('after an hour an act asks to sign in above the page and goes on', async () => {
  await using visit = await operated.operatorVisit();
  const { page } = visit;
  await page.goto(organizationPath());
  await page.getByRole('button', { name: 'Hold gifts' }).click();
  await operated.service.clock.jump(61 * MINUTE_MS);
  await actWithReason(page, 'Hold gifts', 'A recipient reported a stolen phone.');
  await prove(page, 'Sign in to continue', 'Sign in');
  await page.getByText('Its gifts are on hold.').waitFor();
  await page.getByRole('button', { name: 'Release gifts' }).click();
  await actWithReason(page, 'Release gifts', 'It was found.');
  await page.getByText('Its gifts are released.').waitFor();
});

test('without the sign-in to the portal, the dialog asks for a mailed code first', async () => {
  await using visit = await operated.operatorVisit();
  const { page } = visit;
  await page.goto(organizationPath());
  await page.getByRole('button', { name: 'Rename' }).click();
  await page.getByRole('dialog').getByLabel('Name').fill('Test Organization');
  await operated.service.sql('delete from portal.sessions');
  await operated.service.clock.jump(11 * MINUTE_MS);
  await actWithReason(page, 'Rename organization', 'They want the old name.');
  const dialog = page.getByRole('dialog', { name: 'Confirm that it is you' });
  await dialog.getByLabel('Code from your authenticator app').fill(operated.operator.shown());
  await dialog.getByRole('button', { name: 'Confirm' }).click();
  await expectCode(operated.service);
  await dialog.getByRole('button', { name: 'Send code' }).click();
  await dialog.getByLabel('Code from the email').fill(await codeOf(operated.service, OPERATOR_EMAIL));
  await dialog.getByRole('button', { name: 'Confirm' }).click();
  await prove(page, 'Confirm that it is you', 'Confirm');
  await page.getByRole('heading', { name: 'Test Organization', level: 1 }).waitFor();
  // Later visits continue the sign-in of this one.
  for (const { name, value } of await visit.context.cookies()) operated.operator.cookies.set(name, value);
});

test('funds are added once, an unusual amount is asked for again, and a refusal is a sentence', async () => {
  await using visit = await operated.operatorVisit();
  const { page } = visit;
  await page.goto(organizationPath());
  await page.getByRole('button', { name: 'Add funds in live' }).click();
  const dialog = page.getByRole('dialog');
  await dialog.getByLabel('Amount (USD)').fill('5000000');
  await dialog.getByLabel('Reference').fill('transfer 7');
  await dialog.getByText("--amount 500000000 --reference 'transfer 7'").waitFor();
  await actWithReason(page, 'Add funds', 'Transfer of November 20.');
  await dialog.getByText(/far beyond what this organization got before/).waitFor();
  await look(page, 'operator-unusual');
  await dialog.getByRole('button', { name: 'Yes, this amount' }).click();
  await page.getByText('Live balance: $5,010,000.00.').waitFor();

  await page.getByRole('button', { name: 'Correct the balance in live' }).click();
  await dialog.getByLabel('Direction').selectOption('Take from the balance');
  await dialog.getByLabel('Amount (USD)').fill('6000000');
  await dialog.getByLabel('Reference').fill('correction 1');
  await actWithReason(page, 'Correct balance', 'It was entered twice.');
  await dialog.getByRole('alert').waitFor();
  await dialog.getByLabel('Amount (USD)').fill('4000000');
  await dialog.getByRole('button', { name: 'Correct balance' }).click();
  await page.getByText('Live balance: $1,010,000.00.').waitFor();
});

test('a gift is found by its recipient, held and canceled, and each look is in the log once', async () => {
  const { body } = await operated.organization.live.order([
    {
      amount: 2_500,
      category: 'coffee',
      delivery: { method: 'email', email: 'ada@example.com' },
      personalization: { recipient_name: 'Ada', message: 'Hello' },
    },
  ]);
  const giftId = body.gifts[0].gift_id;
  await using visit = await operated.operatorVisit();
  const { page, complaints } = visit;
  await page.goto('/operator/search');
  await page.getByLabel('What the customer gave you').fill('ada@example.com');
  await page.keyboard.press('Enter');
  await page.getByText('Found by address').waitFor();
  await look(page, 'operator-found');
  await page.getByRole('link', { name: /^a•+@/ }).click();
  await page.getByRole('heading', { name: 'Timeline' }).waitFor();
  await page.getByText('ada@example.com').first().waitFor();
  await page.getByRole('button', { name: 'Put on hold' }).click();
  await actWithReason(page, 'Put on hold', 'The address may be wrong.');
  await page.getByText('On hold', { exact: true }).waitFor();
  await page.getByRole('button', { name: 'Cancel the gift' }).click();
  await actWithReason(page, 'Cancel gift', 'The address was wrong.');
  await page.getByText('Canceled', { exact: true }).first().waitFor();
  const looks = await operated.service.sql(
    `select from portal.operator_events where action = 'showGift' and details->>'gift_id' = $1`,
    [giftId],
  );
  assert.equal(looks.length, 1);
  await page.goBack();
  await page.getByText('Found by address').waitFor();
  assert.deepEqual(complaints, []);
});

test('an operator adds a member, changes the role and deactivates them from the menu', async () => {
  await using visit = await operated.operatorVisit();
  const { page } = visit;
  await page.goto(organizationPath());
  await page.getByRole('button', { name: 'Add a member' }).click();
  await page.getByRole('dialog').getByLabel('Email address').fill('new@example.com');
  await actWithReason(page, 'Add member', 'The last admin left.');
  const row = page.getByRole('table', { name: 'Members' }).getByRole('row', { name: /new@example\.com/ });
  await row.getByText('Admin').waitFor();
  const choose = async (act: string) => {
    await row.getByRole('button', { name: 'Change new@example.com' }).click();
    await page.getByRole('menuitem', { name: act }).click();
  };
  await choose('Change the role');
  await page.getByRole('dialog').getByLabel('Role').selectOption('member');
  await actWithReason(page, 'Change role', 'They only read.');
  await row.getByText('Member', { exact: true }).waitFor();
  await choose('Deactivate');
  await actWithReason(page, 'Deactivate', 'They left, too.');
  await row.getByRole('cell', { name: 'Deactivated', exact: true }).waitFor();
});

test('a change above the limit waits under “Work”, and its own author cannot approve it', async () => {
  await using visit = await operated.operatorVisit();
  const { page } = visit;
  await page.goto(organizationPath());
  await page.getByRole('button', { name: 'Correct the balance in sandbox' }).click();
  const dialog = page.getByRole('dialog');
  await dialog.getByLabel('Amount (USD)').fill('7000000');
  await dialog.getByLabel('Reference').fill('large 1');
  await actWithReason(page, 'Correct balance', 'A test of large amounts.');
  await page.getByText(/waits for a second person/).waitFor();
  await page.getByRole('link', { name: 'Work', exact: true }).click();
  await page.getByText('+$7,000,000.00').waitFor();
  await look(page, 'operator-approval');
  await page.getByRole('button', { name: /^Approve/ }).click();
  await actWithReason(page, 'Approve change', 'I want it myself.');
  await dialog.getByRole('alert').waitFor();
  await dialog.getByRole('button', { name: 'Close' }).last().click();
  await page.getByRole('button', { name: /^Decline/ }).click();
  await actWithReason(page, 'Decline change', 'It was a test.');
  await page.getByText('No change waits.').waitFor();
});

test('the checks run when they are asked for, and the ledger is verified', async () => {
  await using visit = await operated.operatorVisit();
  const { page, complaints } = visit;
  await page.goto('/operator/health');
  await page.getByRole('button', { name: 'Run the checks' }).click();
  await page.getByText(/\d+ fine\.$|checks are fine/).waitFor();
  await page.getByRole('button', { name: 'Verify now' }).click();
  await actWithReason(page, 'Verify ledger', 'Before the month ends.');
  await page.getByText('The ledger holds.').waitFor();
  await page.getByText('It holds').waitFor();
  await look(page, 'operator-findings');
  assert.deepEqual(complaints, []);
});

test('own codes are chosen as the issuer, with the settings of the kind, and removed', async () => {
  await using visit = await operated.operatorVisit();
  const { page } = visit;
  await page.goto(organizationPath());
  await page.getByRole('button', { name: 'Add an issuer' }).click();
  const dialog = page.getByRole('dialog');
  await dialog.getByLabel('Kind').selectOption('codes');
  await dialog.getByLabel('low_stock').fill('none');
  await actWithReason(page, 'Add issuer', 'They have their own codes.');
  await dialog.getByRole('alert').filter({ hasText: 'low_stock must be a whole number' }).waitFor();
  await dialog.getByLabel('low_stock').fill('5');
  await dialog.getByRole('button', { name: 'Add issuer' }).click();
  await page.getByText('“codes” makes the cards now.').waitFor();
  await look(page, 'operator-issuer');
  await page.getByRole('button', { name: 'Remove codes' }).click();
  await actWithReason(page, 'Remove issuer', 'It was a test.');
  await page.getByRole('cell', { name: 'Removed', exact: true }).waitFor();
});
