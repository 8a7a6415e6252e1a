import assert from 'node:assert/strict';
import { test } from 'node:test';
import { verifyLedger } from '../../../src/capabilities/seals/verify-ledger.ts';
import { addMember } from '../../../src/core/organizations/add-member.ts';
import { deactivateMember } from '../../../src/core/organizations/deactivate-member.ts';
import { parametersOf } from '../../../src/platform/authentication/caller.ts';
import { parseKey } from '../../../src/platform/authentication/key-format.ts';
import { selectCallerAlone } from '../../../src/platform/authentication/queries.ts';
import { connectDatabase } from '../../../src/platform/database/connections.ts';
import { seedDemo } from '../../../src/surfaces/seed/seed-demo.ts';
import { openForFile } from '../../harness/open-for-file.ts';
import { OPERATOR } from '../../harness/operator.ts';
import { isOperatorError, startTestActs } from '../../harness/test-acts.ts';
import { createTestDatabase } from '../../harness/test-database.ts';

const acts = openForFile(startTestActs);

test('of two admins deactivated simultaneously, exactly one is reported as the last', async () => {
  const { id, memberId } = await acts.newOrganization();
  const bob = { organizationId: id, email: 'bob@acme.test', role: 'admin', actor: OPERATOR } as const;
  const second = await addMember(acts.deps, bob);
  const left = await Promise.all(
    [memberId, second.member_id].map((leaving) =>
      deactivateMember(acts.deps, { organizationId: id, memberId: leaving, actor: OPERATOR, keepsAdmin: false }),
    ),
  );
  assert.equal(left.filter(({ wasLastActiveAdmin }) => wasLastActiveAdmin).length, 1);
  await assert.rejects(
    addMember(acts.deps, { ...bob, email: 'BOB@acme.test', role: 'member' }),
    isOperatorError(/^BOB@acme\.test is already a member but deactivated; activate them instead\.$/),
  );
});

test('seeds the demo once, also if several processes start together', async () => {
  const ownDatabase = await createTestDatabase();
  const connections = Array.from({ length: 3 }, () => connectDatabase(ownDatabase.target, () => undefined));
  try {
    const seeded = await Promise.all(
      connections.map((database) => seedDemo({ ...acts.deps, database }, { hasLiveFunds: true })),
    );
    const [demo, ...others] = seeded.filter((result) => result !== undefined);
    assert.equal(others.length, 0);
    const [database] = connections;
    assert.ok(demo && database);
    assert.equal(await seedDemo({ ...acts.deps, database }, { hasLiveFunds: true }), undefined);
    // The tables: the service's views show no organization to a session that names none.
    const query = async (text: string) => (await database.pool.query(text.replaceAll('from ', 'from public.'))).rows;
    for (const environment of ['live', 'sandbox'] as const) {
      const { hash, organizationId = '' } = parseKey(demo[`${environment}Key`]) ?? assert.fail('not a key');
      const presented = parametersOf({ organizationId, environment, keyHash: hash });
      const [caller] = await selectCallerAlone(database.read, presented);
      assert.deepEqual([caller?.caller_state, caller?.organization_name], ['admitted', demo.organizationName]);
    }
    assert.deepEqual(await query('select environment::text, balance_cents from balances order by environment'), [
      { environment: 'live', balance_cents: 1_000_000 },
      { environment: 'sandbox', balance_cents: 100_000_000 },
    ]);
    assert.equal((await query('select from categories')).length, 8);
    const { holds, checked } = await verifyLedger({ database });
    assert.deepEqual([holds, checked.ledger_entries], [true, 2]);
    const keyAndFunds = ['key.created', 'balance.funded'];
    const actions = ['organization.created', ...keyAndFunds, 'sandbox.created', ...keyAndFunds];
    assert.deepEqual(
      await query('select action, actor_name from audit_events order by event_id'),
      actions.map((action) => ({ action, actor_name: 'the operator (first start)' })),
    );
    assert.deepEqual(await query('select kind from notices'), []);
  } finally {
    await Promise.all(connections.map((database) => database.close()));
    await ownDatabase.drop();
  }
});

test('does not seed the demo beside an organization', async () => {
  await acts.newOrganization();
  assert.equal(await seedDemo(acts.deps, { hasLiveFunds: true }), undefined);
});
