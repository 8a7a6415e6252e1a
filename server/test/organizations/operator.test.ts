import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { verifyLedger } from '../../src/balances/verify-ledger.ts';
import { connectDatabase } from '../../src/database/connections.ts';
import { hashKey } from '../../src/keys/key-format.ts';
import { selectKeyByHash } from '../../src/keys/queries.ts';
import { addMember } from '../../src/organizations/add-member.ts';
import { deactivateMember } from '../../src/organizations/deactivate-member.ts';
import { seedDemo } from '../../src/seed/seed-demo.ts';
import { OPERATOR } from '../harness/operator.ts';
import { isOperatorError, startTestActs, type TestActs } from '../harness/test-acts.ts';
import { createTestDatabase } from '../harness/test-database.ts';

let acts: TestActs;
before(async () => {
  acts = await startTestActs();
});
after(() => acts.close());

test('of two admins deactivated simultaneously, exactly one is reported as the last', async () => {
  const { id, memberId } = await acts.newOrganization();
  const second = await addMember(acts.deps, {
    organizationId: id,
    email: 'bob@acme.test',
    role: 'admin',
    actor: OPERATOR,
  });
  const left = await Promise.all(
    [memberId, second.member_id].map((leaving) =>
      deactivateMember(acts.deps, { organizationId: id, memberId: leaving, actor: OPERATOR, keepsAdmin: false }),
    ),
  );
  assert.equal(left.filter(({ wasLastActiveAdmin }) => wasLastActiveAdmin).length, 1);
  await assert.rejects(
    addMember(acts.deps, { organizationId: id, email: 'BOB@acme.test', role: 'member', actor: OPERATOR }),
    isOperatorError(/^BOB@acme\.test is already a member but deactivated; activate them instead\.$/),
  );
});

test('seeds the demo once, also if several processes start together', async () => {
  const ownDatabase = await createTestDatabase();
  const connections = Array.from({ length: 3 }, () => connectDatabase(ownDatabase.target, () => undefined));
  try {
    const seeded = await Promise.all(connections.map((database) => seedDemo({ ...acts.deps, database })));
    const [demo, ...others] = seeded.filter((result) => result !== undefined);
    assert.equal(others.length, 0);
    const [database] = connections;
    assert.ok(demo && database);
    assert.equal(await seedDemo({ ...acts.deps, database }), undefined);
    const [live] = await selectKeyByHash(database.read, [hashKey(demo.liveKey)]);
    const [sandbox] = await selectKeyByHash(database.read, [hashKey(demo.sandboxKey)]);
    assert.equal(live?.environment, 'live');
    assert.equal(sandbox?.environment, 'sandbox');
    assert.equal(sandbox?.sandbox_exists, true);
    assert.equal(live?.organization_name, demo.organizationName);
    const { rows } = await database.pool.query(
      `select environment::text, balance_cents from balances order by environment`,
    );
    assert.deepEqual(rows, [
      { environment: 'live', balance_cents: 1_000_000 },
      { environment: 'sandbox', balance_cents: 100_000_000 },
    ]);
    const { rows: categories } = await database.pool.query('select category_id from categories order by position');
    assert.equal(categories.length, 8);
    const report = await verifyLedger({ database });
    assert.equal(report.holds, true);
    assert.equal(report.checked.ledger_entries, 2);
    const { rows: events } = await database.pool.query('select action, actor_name from audit_events order by event_id');
    const keyAndFunds = ['key.created', 'balance.funded'];
    assert.deepEqual(
      events,
      ['organization.created', ...keyAndFunds, 'sandbox.created', ...keyAndFunds].map((action) => ({
        action,
        actor_name: 'the operator (first start)',
      })),
    );
    const { rows: mails } = await database.pool.query('select from notices');
    assert.equal(mails.length, 0);
  } finally {
    await Promise.all(connections.map((database) => database.close()));
    await ownDatabase.drop();
  }
});

test('does not seed the demo beside an organization', async () => {
  await acts.newOrganization();
  assert.equal(await seedDemo(acts.deps), undefined);
});
