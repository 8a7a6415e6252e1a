import assert from 'node:assert/strict';
import { test } from 'node:test';
import { deleteSandbox } from '../../../src/capabilities/erasure/delete-sandbox.ts';
import { verifyLedger } from '../../../src/capabilities/seals/verify-ledger.ts';
import { addFunds, changeOrRepeat } from '../../../src/core/balances/change-balance.ts';
import { showBalances } from '../../../src/core/balances/show-balances.ts';
import { systemClock } from '../../../src/platform/base/clock.ts';
import { createIdGenerator, decodeId } from '../../../src/platform/base/ids.ts';
import { allowChanges } from '../../harness/allow-changes.ts';
import { openForFile } from '../../harness/open-for-file.ts';
import { OPERATOR } from '../../harness/operator.ts';
import { isOperatorError, startTestActs } from '../../harness/test-acts.ts';

const acts = openForFile(startTestActs);

test('the same reference credits once and returns the same result, also concurrently', async () => {
  const { id } = await acts.newOrganization();
  const answers = await Promise.all(Array.from({ length: 20 }, () => acts.fund(id, 5_000, { reference: 'invoice-1' })));
  for (const answer of answers) assert.deepEqual(answer, answers[0]);
  await acts.fund(id, 100);
  assert.deepEqual(await acts.fund(id, 5_000, { reference: 'invoice-1' }), answers[0]);
  assert.equal((await showBalances(acts.deps, id))[1]?.balance, 5_100);
  const taken = isOperatorError(/“invoice-1” belongs to another entry/);
  await assert.rejects(acts.fund(id, 5_001, { reference: 'invoice-1' }), taken);
  // References are unique per environment.
  await acts.fund(id, 7, { reference: 'invoice-1', environment: 'live' });
  assert.equal((await showBalances(acts.deps, id))[0]?.balance, 7);
});

test('simultaneous fundings add up', async () => {
  const { id } = await acts.newOrganization();
  await Promise.all(Array.from({ length: 40 }, (_, n) => acts.fund(id, n + 1)));
  assert.equal((await showBalances(acts.deps, id))[1]?.balance, 820);
  assert.equal((await verifyLedger(acts.deps)).holds, true);
});

test('a sandbox that does not exist gets no funds, also while it is deleted', async () => {
  const { id } = await acts.newOrganization();
  const change = { organizationId: id, environment: 'sandbox', reference: undefined, actor: OPERATOR } as const;
  const add = () => addFunds(acts.deps, { ...change, amountCents: 100, note: undefined });
  const missing = isOperatorError(/has no sandbox\. Create it with bestow sandbox create/);
  await assert.rejects(add(), missing);
  await assert.rejects(
    changeOrRepeat(acts.deps, { ...change, kind: 'adjustment', amountCents: 100, note: 'why' }),
    missing,
  );
  await acts.fund(id, 100);
  const fundings = Promise.allSettled(Array.from({ length: 10 }, add));
  await deleteSandbox(acts.deps, { organizationId: id, actor: OPERATOR });
  for (const outcome of await fundings) if (outcome.status === 'rejected') assert.ok(missing(outcome.reason));
  assert.equal((await showBalances(acts.deps, id))[1]?.balance, 0);
  assert.equal((await verifyLedger(acts.deps)).holds, true);
});

test('a balance stays between zero and the maximum', async () => {
  const { id } = await acts.newOrganization();
  await acts.newKey(id, 'sandbox');
  const change = { organizationId: id, environment: 'sandbox', reference: undefined, note: 'why' } as const;
  const adjust = (amountCents: number) =>
    changeOrRepeat(acts.deps, { ...change, kind: 'adjustment', amountCents, actor: OPERATOR });
  await assert.rejects(adjust(-1), isOperatorError(/is 0 cents; it cannot be reduced by 1 cents/));
  await acts.fund(id, 1_000);
  await assert.rejects(adjust(-1_001), isOperatorError(/is 1000 cents; it cannot be reduced by 1001/));
  const outcomes = await Promise.allSettled(Array.from({ length: 15 }, () => adjust(-100)));
  assert.equal(outcomes.filter(({ status }) => status === 'fulfilled').length, 10);
  assert.equal((await acts.fund(id, Number.MAX_SAFE_INTEGER)).balance, Number.MAX_SAFE_INTEGER);
  await assert.rejects(acts.fund(id, 1), isOperatorError(/cannot grow by 1/));
  assert.equal((await verifyLedger(acts.deps)).holds, true);
});

test('funding uses an id above the balance’s last one, which it becomes', async () => {
  const { id, uuid } = await acts.newOrganization();
  await acts.fund(id, 100);
  // As from a process whose clock is an hour ahead.
  const lastId = createIdGenerator({ ...systemClock, now: () => acts.clock.now() + 3_600_000 }).next();
  await acts.sql('update balances set last_id = $2 where organization_id = $1', [uuid, lastId]);
  const { entry_id } = await acts.fund(id, 100);
  const [row] = await acts.sql<{ last_id: string }>('select last_id from balances where organization_id = $1', [uuid]);
  assert.equal(row?.last_id, decodeId('led', entry_id));
  assert.ok((row?.last_id ?? '') > lastId);
});

test('ledger verification finds each kind of fault', async () => {
  await allowChanges(acts.sql);
  const BALANCE = 'where organization_id = $1 and $2::uuid is not null';
  const ORDER = 'where organization_id = $1 and order_id = $2';
  const faults: [name: string, sql: string, check: RegExp][] = [
    ['balance', `update balances set balance_cents = balance_cents + 1 ${BALANCE}`, /^balance is the sum/],
    ['missing balance', `delete from balances ${BALANCE}`, /^balance is the sum/],
    [
      'running balance',
      `update ledger_entries set balance_after_cents = balance_after_cents + 1 ${ORDER}`,
      /^entries form a chain/,
    ],
    ['missing debit', `delete from ledger_entries ${ORDER}`, /^each order has one debit/],
    ['wrong debit', `update ledger_entries set amount_cents = amount_cents - 1 ${ORDER}`, /^each order has one debit/],
    ['wrong amount', `update orders set amount_cents = amount_cents + 1 ${ORDER}`, /is the sum of its gifts/],
    ['missing gift', `delete from gifts ${ORDER} and position = 0`, /1 to 10 gifts/],
    [
      'no gift',
      `with emptied as (update orders set pending_gifts = null, completes_at = null ${ORDER}) delete from gifts ${ORDER}`,
      /1 to 10 gifts/,
    ],
    ['missing key', `update orders set key_id = gen_random_uuid() ${ORDER}`, /has its key/],
    ['missing member', `update orders set member_id = gen_random_uuid() ${ORDER}`, /has its key and its member/],
    ['missing order', `delete from orders ${ORDER}`, /^a gift has its order/],
    ['missing category', `update gifts set category_id = 'missing' ${ORDER}`, /^a gift has its order and its category/],
    [
      'message without a gift',
      `insert into deliveries (organization_id, environment, gift_id, delivery_id, channel, address, link_version,
         link_expires_at, state, created_at)
       select organization_id, environment, order_id, order_id, 'email', 'a@example.com', 1, now(), 'pending', now()
       from orders ${ORDER}`,
      /a message its gift/,
    ],
    [
      'proof without a gift',
      `insert into card_proofs (organization_id, environment, gift_id)
       select organization_id, environment, order_id from orders ${ORDER}`,
      /a message its gift/,
    ],
  ];
  for (const [name, sql, broken] of faults) {
    const { id, uuid } = await acts.newOrganization();
    await acts.newKey(id, 'sandbox');
    await acts.fund(id, 100_000);
    await acts.insertOrder(uuid, [1000, 2000]);
    const orderId = await acts.insertOrder(uuid, [1000, 2000, 3000], { pending: 1 });
    await acts.fund(id, 10);
    assert.deepEqual((await verifyLedger(acts.deps)).culprits, [], `before ${name}`);
    await acts.sql(sql, [uuid, orderId]);
    const report = await verifyLedger(acts.deps);
    assert.equal(report.holds, false, name);
    const names = report.culprits.map(({ check }) => check);
    assert.ok(
      names.some((check) => broken.test(check)),
      name,
    );
    for (const { organization_id } of report.culprits) assert.equal(organization_id, id, name);
    for (const { check, faults } of report.checks)
      assert.equal(faults, names.filter((one) => one === check).length, `${check}: ${name}`);
    for (const table of ['ledger_entries', 'deliveries', 'gifts', 'orders', 'balances'])
      await acts.sql(`delete from ${table} where organization_id = $1`, [uuid]);
  }
});
