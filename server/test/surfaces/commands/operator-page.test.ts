import assert from 'node:assert/strict';
import { test } from 'node:test';
import { requestApproval } from '../../../src/core/balances/approvals.ts';
import { runBestow } from '../../harness/command-line.ts';
import { openForFile } from '../../harness/open-for-file.ts';
import { OPERATOR } from '../../harness/operator.ts';
import { startTestService } from '../../harness/test-service.ts';

/** The command shows and does what the operator's page does. */

const service = openForFile(() => startTestService());
const bestow = (...args: string[]) => runBestow(service.target, args);

test('operators are named, listed and removed, and the log has it', async () => {
  const added = await bestow('operator', 'add', 'Olga@gifts.example');
  assert.match(added.stdout, /^operator {2,}olga@gifts\.example\n/);
  assert.match((await bestow('operator', 'list')).stdout, /olga@gifts\.example .* no {2,}–/);
  const again = await bestow('operator', 'add', 'olga@gifts.example');
  assert.deepEqual([again.code, again.stderr], [1, 'olga@gifts.example is an operator already.\n']);
  assert.equal((await bestow('operator', 'remove', 'olga@gifts.example', '--yes')).code, 0);
  const removed = await bestow('operator', 'remove', 'olga@gifts.example', '--yes');
  assert.match(removed.stderr, /olga@gifts\.example is no operator/);
  const log = JSON.parse((await bestow('operator', 'log', '--json')).stdout);
  assert.deepEqual(
    log.map(({ action }: { action: string }) => action),
    ['removeOperator', 'addOperator'],
  );
});

test('doctor --work lists what waits, of all organizations', async () => {
  const { organizationId } = await service.organization();
  const input = { organizationId, environment: 'live', kind: 'funding', amountCents: 700 } as const;
  const asked = { ...input, reference: 'asked', note: undefined, actor: OPERATOR };
  const { approval_id: approvalId } = await requestApproval(service.service.deps, asked);
  const work = JSON.parse((await bestow('doctor', '--work', '--json')).stdout);
  assert.equal(work.approvals[0].approval_id, approvalId);
  assert.deepEqual(Object.keys(work).sort(), ['approvals', 'claims', 'endpoints', 'messages', 'queues', 'stocks']);
  assert.match((await bestow('doctor', '--work')).stdout, new RegExp(`approvals:\n.*\n.*${approvalId}`));
});

test('report money shows the bank as it was entered, and each account as CSV', async () => {
  await service.organization({ live: 12_300, sandbox: 0 });
  assert.equal((await bestow('report', 'bank', '2026-11-20', '--amount', '45600')).code, 0);
  const { stdout } = await bestow('report', 'money');
  assert.match(stdout, /\nbank +456\.00 USD on 2026-11-20\n/);
  assert.match((await bestow('report', 'money', '--csv')).stdout, /live,available,\d+\.\d\d\r?\n/);
  const early = await bestow('report', 'bank', '2999-01-01', '--amount', '1');
  assert.match(early.stderr, /It must be a day that has begun\./);
});

test('a member is mailed the invitation again', async () => {
  const { organizationId, organizationUuid } = await service.organization();
  const added = await bestow(
    'member',
    'add',
    '--org',
    organizationId,
    '--email',
    'bob@acme.example',
    '--role',
    'member',
  );
  const [, memberId = ''] = /(mem_\w+)/.exec(added.stdout) ?? [];
  assert.equal((await bestow('member', 'invite-again', memberId)).code, 0);
  const mails = await service.sql(
    `select 1 from notices where organization_id = $1 and recipient = 'bob@acme.example' and kind = 'member_invited'`,
    [organizationUuid],
  );
  assert.equal(mails.length, 2);
});

test('a verification of the ledger is written down', async () => {
  assert.equal((await bestow('ledger', 'verify')).code, 0);
  const [latest] = JSON.parse((await bestow('operator', 'log', '--limit', '1', '--json')).stdout);
  assert.deepEqual([latest.action, latest.details.holds], ['ledgerVerified', 'true']);
});
