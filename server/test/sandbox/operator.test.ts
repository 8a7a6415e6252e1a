import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { verifyLedger } from '../../src/balances/verify-ledger.ts';
import { deleteSandbox } from '../../src/sandbox/delete-sandbox.ts';
import { resetSandbox } from '../../src/sandbox/reset-sandbox.ts';
import { OPERATOR } from '../harness/operator.ts';
import { isOperatorError, startTestActs, type TestActs } from '../harness/test-acts.ts';

let acts: TestActs;
before(async () => {
  acts = await startTestActs();
});
after(() => acts.close());

test('concurrent resets and fundings keep the ledger whole and count entries once', async () => {
  const { id, uuid } = await acts.newOrganization();
  const resets: Promise<{ ledger_entries_deleted: number }>[] = [];
  const fundings: Promise<unknown>[] = [];
  for (let n = 0; n < 30; n += 1) {
    fundings.push(acts.fund(id, 100));
    if (n % 3 === 0) resets.push(resetSandbox(acts.deps, { organizationId: uuid, actor: OPERATOR }));
  }
  await Promise.all(fundings);
  const last = resetSandbox(acts.deps, { organizationId: uuid, actor: OPERATOR });
  const counts = await Promise.all([...resets, last]);
  assert.equal(
    counts.reduce((sum, { ledger_entries_deleted }) => sum + ledger_entries_deleted, 0),
    30,
  );
  assert.equal((await verifyLedger(acts.deps)).holds, true);
});

test('refuses to delete a sandbox that does not exist', async () => {
  const { id, uuid } = await acts.newOrganization();
  await acts.fund(id, 100);
  await assert.rejects(
    deleteSandbox(acts.deps, { organizationId: id, actor: OPERATOR }),
    isOperatorError(/has no sandbox/),
  );
  assert.equal((await acts.sql('select from ledger_entries where organization_id = $1', [uuid])).length, 1);
});
