import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { showBalances } from '../../src/balances/show-balances.ts';
import { verifyLedger } from '../../src/balances/verify-ledger.ts';
import { listKeys } from '../../src/keys/list-keys.ts';
import { deleteSandbox } from '../../src/sandbox/delete-sandbox.ts';
import { resetSandbox } from '../../src/sandbox/reset-sandbox.ts';
import { OPERATOR } from '../harness/operator.ts';
import { isOperatorError, startTestActs, type TestActs } from '../harness/test-acts.ts';

let acts: TestActs;
before(async () => {
  acts = await startTestActs();
});
after(() => acts.close());

test('a reset counts exactly what it deletes, and touches nothing else', async () => {
  const { id, uuid } = await acts.newOrganization();
  const none = { orders_deleted: 0, gifts_deleted: 0, balances_deleted: 0, ledger_entries_deleted: 0 };
  assert.deepEqual(await resetSandbox(acts.deps, { organizationId: uuid, actor: OPERATOR }), none);
  assert.deepEqual(await acts.sql('select from balances where organization_id = $1', [uuid]), []);
  await acts.newKey(id, 'sandbox');
  await acts.fund(id, 100_000);
  await acts.fund(id, 555, { environment: 'live' });
  await acts.insertOrder(uuid, [1000, 2000, 3000]);
  await acts.insertOrder(uuid, [1000, 2000], { pending: 1 });
  assert.deepEqual(await resetSandbox(acts.deps, { organizationId: uuid, actor: OPERATOR }), {
    orders_deleted: 2,
    gifts_deleted: 4,
    balances_deleted: 1,
    ledger_entries_deleted: 3,
  });
  assert.deepEqual(await resetSandbox(acts.deps, { organizationId: uuid, actor: OPERATOR }), none);
  assert.deepEqual(
    (await showBalances(acts.deps, id)).map(({ balance }) => balance),
    [555, 0],
  );
  assert.equal((await listKeys(acts.deps, id)).length, 1);
  assert.equal((await verifyLedger(acts.deps)).holds, true);
});

test('resets and fundings at once leave a ledger that holds, and count every entry once', async () => {
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

test('a sandbox that is not there cannot be deleted', async () => {
  const { id, uuid } = await acts.newOrganization();
  await acts.fund(id, 100);
  await assert.rejects(
    deleteSandbox(acts.deps, { organizationId: id, actor: OPERATOR }),
    isOperatorError(/has no sandbox/),
  );
  assert.equal((await acts.sql('select from ledger_entries where organization_id = $1', [uuid])).length, 1);
});
