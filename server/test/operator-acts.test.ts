import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { Client } from 'pg';
import { pino } from 'pino';
import { addFunds } from '../src/balances/add-funds.ts';
import { adjustBalance } from '../src/balances/adjust-balance.ts';
import { showBalances } from '../src/balances/show-balances.ts';
import { verifyLedger } from '../src/balances/verify-ledger.ts';
import { systemClock } from '../src/base/clock.ts';
import type { Environment } from '../src/base/environment.ts';
import { createIdGenerator, decodeId, encodeId } from '../src/base/ids.ts';
import { OperatorError } from '../src/base/operator-error.ts';
import { connectDatabase } from '../src/database/connections.ts';
import type { Deps } from '../src/deps.ts';
import { startJobs } from '../src/jobs/jobs.ts';
import { createKey } from '../src/keys/create-key.ts';
import { findKey } from '../src/keys/find-key.ts';
import { importKey } from '../src/keys/import-key.ts';
import { hashKey } from '../src/keys/key-format.ts';
import { listKeys } from '../src/keys/list-keys.ts';
import { selectKeyByHash } from '../src/keys/queries.ts';
import { createKeyUseRecorder } from '../src/keys/record-key-use.ts';
import { revokeKey } from '../src/keys/revoke-key.ts';
import { addMember } from '../src/organizations/add-member.ts';
import { createOrganization } from '../src/organizations/create-organization.ts';
import { deactivateMember } from '../src/organizations/deactivate-member.ts';
import { seedDemo } from '../src/organizations/seed-demo.ts';
import { createSandbox } from '../src/sandbox/create-sandbox.ts';
import { deleteSandbox } from '../src/sandbox/delete-sandbox.ts';
import { resetSandbox } from '../src/sandbox/reset-sandbox.ts';
import { OPERATOR } from './harness/operator.ts';
import { TestClock } from './harness/test-clock.ts';
import { createTestDatabase, type TestDatabase } from './harness/test-database.ts';

type ActDeps = Pick<Deps, 'database' | 'clock' | 'ids' | 'jobs' | 'log'>;

const actor = OPERATOR;
const clock = new TestClock('2026-11-21T12:00:30Z');
const log = pino({ level: 'silent' });
let testDatabase: TestDatabase;
let deps: ActDeps;
let client: Client;

before(async () => {
  testDatabase = await createTestDatabase();
  const database = connectDatabase(testDatabase.target, () => undefined);
  const jobs = await startJobs(testDatabase.target, clock, log);
  deps = { database, clock, ids: createIdGenerator(clock), jobs, log };
  client = new Client(testDatabase.target);
  await client.connect();
});

after(async () => {
  await client.end();
  await deps.jobs.stop();
  await deps.database.close();
  await testDatabase.drop();
});

async function sql<Row extends object>(text: string, values: unknown[] = []): Promise<Row[]> {
  const { rows } = await client.query<Row>(text, values);
  return rows;
}

async function newOrganization(): Promise<{ id: string; uuid: string; memberId: string }> {
  const created = await createOrganization(deps, { name: 'Acme', adminEmail: 'ann@acme.test', actor });
  const uuid = decodeId('org', created.organization_id) ?? '';
  return { id: created.organization_id, uuid, memberId: created.member_id };
}

function fund(
  organizationId: string,
  amountCents: number,
  more: { environment?: Environment; reference?: string } = {},
) {
  const { environment = 'sandbox', reference } = more;
  return addFunds(deps, { organizationId, environment, amountCents, reference, note: undefined, actor });
}

const newKey = (organizationId: string, environment: Environment) =>
  createKey(deps, { organizationId, environment, name: 'test', actor });

/** An order with gifts of these amounts, the last `pending` of which are still to be made; its debit is one of `taken`. */
async function insertOrder(uuid: string, amounts: number[], { pending = 0, taken = 0 } = {}): Promise<string> {
  const [key] = await sql<{ key_id: string }>('select key_id from api_keys where organization_id = $1', [uuid]);
  const [member] = await sql<{ member_id: string }>('select member_id from members where organization_id = $1', [uuid]);
  await sql(`insert into categories values ('books', 'Books', 'For readers.', null, null, 1, now(), null)
    on conflict do nothing`);
  const orderId = deps.ids.next();
  const sum = amounts.reduce((total, amount) => total + amount, 0);
  const rest = amounts.slice(amounts.length - pending).map((amount_cents, index) => ({
    position: amounts.length - pending + index,
    amount_cents,
  }));
  await sql(
    `insert into orders (organization_id, environment, order_id, idempotency_key, fingerprint, amount_cents, key_id,
       member_id, created_at, completes_at, pending_gifts)
     values ($1, 'sandbox', $2, $3, $4, $5, $6, $7, now(), $8, $9)`,
    [
      uuid,
      orderId,
      orderId,
      Buffer.alloc(32),
      sum,
      key?.key_id,
      member?.member_id,
      pending > 0 ? new Date() : null,
      pending > 0 ? JSON.stringify(rest) : null,
    ],
  );
  for (const [position, amount] of amounts.slice(0, amounts.length - pending).entries())
    await sql(
      `insert into gifts (organization_id, environment, gift_id, order_id, position, amount_cents, category_id, method,
         sender_name, link_expires_at, created_at)
       values ($1, 'sandbox', $2, $3, $4, $5, 'books', 'link', 'Acme', now(), now())`,
      [uuid, deps.ids.next(), orderId, position, amount],
    );
  await sql(
    `with debit as (
       update balances set balance_cents = balance_cents - $3 where organization_id = $1 and environment = 'sandbox'
       returning balance_cents
     )
     insert into ledger_entries (organization_id, environment, entry_id, kind, amount_cents, balance_after_cents,
       order_id, created_at)
     select $1, 'sandbox', $4, 'order', -$3::bigint, balance_cents, $2, now() from debit`,
    [uuid, orderId, taken || sum, deps.ids.next()],
  );
  return orderId;
}

const isOperatorError = (pattern: RegExp) => (error: unknown) =>
  error instanceof OperatorError && pattern.test(error.message);

test('at most ten active keys, both environments together, under fifty creations at once', async () => {
  const { id, uuid } = await newOrganization();
  const outcomes = await Promise.allSettled(
    Array.from({ length: 50 }, (_, n) => newKey(id, n % 2 === 0 ? 'live' : 'sandbox')),
  );
  assert.equal(outcomes.filter(({ status }) => status === 'fulfilled').length, 10);
  for (const outcome of outcomes)
    if (outcome.status === 'rejected') assert.ok(isOperatorError(/has 10 active keys/)(outcome.reason));
  const [count] = await sql<{ n: number }>('select count(*)::integer as n from api_keys where organization_id = $1', [
    uuid,
  ]);
  assert.equal(count?.n, 10);

  const [first] = await listKeys(deps, id);
  assert.ok(first);
  await revokeKey(deps, { organizationId: id, keyId: first.key_id, actor });
  await newKey(id, 'live');
  await assert.rejects(newKey(id, 'live'), isOperatorError(/has 10 active keys/));
});

test('only the hash and a hint of a key are stored', async () => {
  const { id, uuid } = await newOrganization();
  const { key } = await newKey(id, 'live');
  const [row] = await sql<{ text: string }>(
    'select row_to_json(k)::text as text from api_keys k where organization_id = $1',
    [uuid],
  );
  assert.ok(row?.text.includes(hashKey(key).toString('hex')));
  assert.ok(row?.text.includes(`bestow-…${key.slice(-4)}`));
  assert.ok(!row?.text.includes(key.slice(7, 20)));
});

test('a key’s record says organization, environment, revocation, suspension and sandbox', async () => {
  const { id, uuid } = await newOrganization();
  const created = await newKey(id, 'live');
  const look = async () => (await selectKeyByHash(deps.database.read, [hashKey(created.key)]))[0];
  const fresh = {
    organization_id: uuid,
    organization_name: 'Acme',
    environment: 'live',
    key_id: decodeId('key', created.key_id),
    revoked: false,
    suspended: false,
    sandbox_exists: false,
  };
  assert.deepEqual(await look(), fresh);
  await newKey(id, 'sandbox');
  await sql('update organizations set suspended_at = now() where organization_id = $1', [uuid]);
  const revoked = await revokeKey(deps, { organizationId: id, keyId: created.key_id, actor });
  assert.deepEqual(await look(), { ...fresh, revoked: true, suspended: true, sandbox_exists: true });
  assert.deepEqual(await selectKeyByHash(deps.database.read, [hashKey('sk_unknown_key')]), []);

  await clock.advance(1000);
  assert.deepEqual(await revokeKey(deps, { organizationId: id, keyId: created.key_id, actor }), revoked);
});

test('the first sandbox key brings the sandbox into being; a deleted one does not come back with the next key', async () => {
  const { id, uuid } = await newOrganization();
  const exists = async () => (await sql('select from sandboxes where organization_id = $1', [uuid])).length === 1;
  await newKey(id, 'live');
  assert.equal(await exists(), false);
  await newKey(id, 'sandbox');
  assert.equal(await exists(), true);
  await deleteSandbox(deps, { organizationId: id, actor });
  await newKey(id, 'sandbox');
  assert.equal(await exists(), false);
  const created = await createSandbox(deps, { organizationId: id, actor });
  await clock.advance(1000);
  assert.deepEqual(await createSandbox(deps, { organizationId: id, actor }), created);
  assert.equal(await exists(), true);
});

test('an older key is imported once, whichever organization asks, also where many ask at once', async () => {
  const organizations = await Promise.all([newOrganization(), newOrganization(), newOrganization()]);
  const key = 'sk_old_0123456789';
  const outcomes = await Promise.allSettled(
    Array.from({ length: 9 }, (_, n) =>
      importKey(deps, { organizationId: organizations[n % 3]?.id ?? '', environment: 'live', name: 'old', key, actor }),
    ),
  );
  assert.equal(outcomes.filter(({ status }) => status === 'fulfilled').length, 1);
  for (const outcome of outcomes)
    if (outcome.status === 'rejected')
      assert.ok(isOperatorError(/was imported before: it is key_\w{26} of org_\w{26}\.$/)(outcome.reason));
  const [record] = await selectKeyByHash(deps.database.read, [hashKey(key)]);
  assert.equal(record?.environment, 'live');
});

test('a key is found by its id alone, in whichever organization it is', async () => {
  const { id } = await newOrganization();
  const { key_id } = await newKey(id, 'live');
  assert.deepEqual(await findKey(deps, key_id), { organizationId: id, keyId: key_id });
  for (const unknown of [encodeId('key', deps.ids.next()), id, 'nonsense'])
    await assert.rejects(findKey(deps, unknown), isOperatorError(new RegExp(`^There is no key ${unknown}\\.$`)));
});

test('the last use of a key is recorded to the minute, in the background, and at stop', async () => {
  const { id, uuid } = await newOrganization();
  const { key_id } = await newKey(id, 'live');
  const keyUuid = decodeId('key', key_id) ?? '';
  const lastUsed = async () => (await listKeys(deps, id))[0]?.last_used_at?.toISOString();
  const versions = async () =>
    (await sql<{ xmin: string }>('select xmin from api_keys where key_id = $1', [keyUuid]))[0]?.xmin;
  const minute = (ms: number) => new Date(ms - (ms % 60_000)).toISOString();

  const recorder = createKeyUseRecorder(deps);
  recorder.record(uuid, keyUuid);
  assert.equal(await lastUsed(), undefined);
  await clock.advance(5_000);
  await waitFor(async () => (await lastUsed()) === minute(clock.now()));
  const version = await versions();
  recorder.record(uuid, keyUuid);
  await clock.advance(5_000);
  assert.equal(await versions(), version, 'the same minute is not written again');

  await clock.advance(120_000);
  recorder.record(uuid, keyUuid);
  await recorder.stop();
  assert.equal(await lastUsed(), minute(clock.now()));
});

test('a use that cannot be recorded is tried again and never thrown', async () => {
  const { id, uuid } = await newOrganization();
  const { key_id } = await newKey(id, 'live');
  let failures = 0;
  const failing = {
    query: () => {
      failures += 1;
      return Promise.reject(new Error('out of reach'));
    },
  };
  const database = { ...deps.database, read: failing as unknown as Deps['database']['read'] };
  const recorder = createKeyUseRecorder({ ...deps, database });
  recorder.record(uuid, decodeId('key', key_id) ?? '');
  await clock.advance(10_000);
  await recorder.stop();
  assert.ok(failures >= 2, `${failures}`);
});

test('the same reference credits once and answers the same, also where twenty run at once', async () => {
  const { id } = await newOrganization();
  const answers = await Promise.all(Array.from({ length: 20 }, () => fund(id, 5_000, { reference: 'invoice-1' })));
  for (const answer of answers) assert.deepEqual(answer, answers[0]);
  await fund(id, 100);
  assert.deepEqual(await fund(id, 5_000, { reference: 'invoice-1' }), answers[0]);
  assert.equal((await showBalances(deps, id))[1]?.balance, 5_100);
  await assert.rejects(
    fund(id, 5_001, { reference: 'invoice-1' }),
    isOperatorError(/“invoice-1” belongs to another entry/),
  );
  // References are each environment's own.
  await fund(id, 7, { reference: 'invoice-1', environment: 'live' });
  assert.equal((await showBalances(deps, id))[0]?.balance, 7);
});

test('fundings at once add up, and the ledger holds', async () => {
  const { id } = await newOrganization();
  await Promise.all(Array.from({ length: 40 }, (_, n) => fund(id, n + 1)));
  assert.equal((await showBalances(deps, id))[1]?.balance, 820);
  assert.equal((await verifyLedger(deps)).holds, true);
});

test('a balance never falls below zero and never exceeds the largest', async () => {
  const { id } = await newOrganization();
  const adjust = (amountCents: number) =>
    adjustBalance(deps, {
      organizationId: id,
      environment: 'sandbox',
      amountCents,
      reference: undefined,
      note: 'why',
      actor,
    });
  await assert.rejects(adjust(-1), isOperatorError(/is 0 cents, so 1 cents/));
  await fund(id, 1_000);
  await assert.rejects(adjust(-1_001), isOperatorError(/is 1000 cents, so 1001 cents cannot be taken/));
  const outcomes = await Promise.allSettled(Array.from({ length: 15 }, () => adjust(-100)));
  assert.equal(outcomes.filter(({ status }) => status === 'fulfilled').length, 10);
  assert.equal((await fund(id, Number.MAX_SAFE_INTEGER)).balance, Number.MAX_SAFE_INTEGER);
  await assert.rejects(fund(id, 1), isOperatorError(/cannot hold 1 more/));
  assert.equal((await verifyLedger(deps)).holds, true);
});

test('funding leaves the last order’s id on the balance alone, and makes an id above it', async () => {
  const { id, uuid } = await newOrganization();
  await fund(id, 100);
  // Of a process whose clock is an hour ahead.
  const lastId = createIdGenerator({ ...systemClock, now: () => clock.now() + 3_600_000 }).next();
  await sql('update balances set last_id = $2 where organization_id = $1', [uuid, lastId]);
  const { entry_id } = await fund(id, 100);
  const [row] = await sql<{ last_id: string }>('select last_id from balances where organization_id = $1', [uuid]);
  assert.equal(row?.last_id, lastId);
  assert.ok((decodeId('led', entry_id) ?? '') > lastId);
});

test('a reset counts exactly what it deletes, and touches nothing else', async () => {
  const { id, uuid } = await newOrganization();
  const none = { orders_deleted: 0, gifts_deleted: 0, balances_deleted: 0, ledger_entries_deleted: 0 };
  assert.deepEqual(await resetSandbox(deps, { organizationId: uuid, actor }), none);
  assert.deepEqual(await sql('select from balances where organization_id = $1', [uuid]), []);
  await newKey(id, 'sandbox');
  await fund(id, 100_000);
  await fund(id, 555, { environment: 'live' });
  await insertOrder(uuid, [1000, 2000, 3000]);
  await insertOrder(uuid, [1000, 2000], { pending: 1 });
  assert.deepEqual(await resetSandbox(deps, { organizationId: uuid, actor }), {
    orders_deleted: 2,
    gifts_deleted: 4,
    balances_deleted: 1,
    ledger_entries_deleted: 3,
  });
  assert.deepEqual(await resetSandbox(deps, { organizationId: uuid, actor }), none);
  assert.deepEqual(
    (await showBalances(deps, id)).map(({ balance }) => balance),
    [555, 0],
  );
  assert.equal((await listKeys(deps, id)).length, 1);
  assert.equal((await verifyLedger(deps)).holds, true);
});

test('resets and fundings at once leave a ledger that holds, and count every entry once', async () => {
  const { id, uuid } = await newOrganization();
  const resets: Promise<{ ledger_entries_deleted: number }>[] = [];
  const fundings: Promise<unknown>[] = [];
  for (let n = 0; n < 30; n += 1) {
    fundings.push(fund(id, 100));
    if (n % 3 === 0) resets.push(resetSandbox(deps, { organizationId: uuid, actor }));
  }
  await Promise.all(fundings);
  const last = resetSandbox(deps, { organizationId: uuid, actor });
  const counts = await Promise.all([...resets, last]);
  assert.equal(
    counts.reduce((sum, { ledger_entries_deleted }) => sum + ledger_entries_deleted, 0),
    30,
  );
  assert.equal((await verifyLedger(deps)).holds, true);
});

test('a sandbox that is not there cannot be deleted', async () => {
  const { id, uuid } = await newOrganization();
  await fund(id, 100);
  await assert.rejects(deleteSandbox(deps, { organizationId: id, actor }), isOperatorError(/has no sandbox/));
  assert.equal((await sql('select from ledger_entries where organization_id = $1', [uuid])).length, 1);
});

test('the last of two admins who leave at the same moment is known to be the last', async () => {
  const { id, memberId } = await newOrganization();
  const second = await addMember(deps, { organizationId: id, email: 'bob@acme.test', role: 'admin', actor });
  const left = await Promise.all(
    [memberId, second.member_id].map((leaving) =>
      deactivateMember(deps, { organizationId: id, memberId: leaving, actor, keepsAdmin: false }),
    ),
  );
  assert.equal(left.filter(({ wasLastActiveAdmin }) => wasLastActiveAdmin).length, 1);
  await assert.rejects(
    addMember(deps, { organizationId: id, email: 'BOB@acme.test', role: 'member', actor }),
    isOperatorError(/^BOB@acme\.test is already a member, but deactivated; activate them instead\.$/),
  );
});

test('ledger verification finds each kind of fault and names the culprit', async () => {
  const faults: Record<string, { break: string; check: RegExp }> = {
    balance: {
      break: `update balances set balance_cents = balance_cents + 1 where organization_id = $1 and $2::uuid is not null`,
      check: /^balance is the sum/,
    },
    'missing balance': {
      break: `delete from balances where organization_id = $1 and $2::uuid is not null`,
      check: /^balance is the sum/,
    },
    'running balance': {
      break: `update ledger_entries set balance_after_cents = balance_after_cents + 1
              where organization_id = $1 and order_id = $2`,
      check: /^entries form a chain/,
    },
    'missing debit': {
      break: 'delete from ledger_entries where organization_id = $1 and order_id = $2',
      check: /^each order has one debit/,
    },
    'wrong debit': {
      break: `update ledger_entries set amount_cents = amount_cents - 1 where organization_id = $1 and order_id = $2`,
      check: /^each order has one debit/,
    },
    'wrong amount': {
      break: 'update orders set amount_cents = amount_cents + 1 where organization_id = $1 and order_id = $2',
      check: /is the sum of its gifts/,
    },
    'missing gift': {
      break: 'delete from gifts where organization_id = $1 and order_id = $2 and position = 0',
      check: /1 to 10 gifts/,
    },
    'no gift': {
      break: `with emptied as (
                update orders set pending_gifts = null, completes_at = null where organization_id = $1 and order_id = $2
              )
              delete from gifts where organization_id = $1 and order_id = $2`,
      check: /1 to 10 gifts/,
    },
  };
  for (const [name, fault] of Object.entries(faults)) {
    const { id, uuid } = await newOrganization();
    await newKey(id, 'sandbox');
    await fund(id, 100_000);
    await insertOrder(uuid, [1000, 2000]);
    const orderId = await insertOrder(uuid, [1000, 2000, 3000], { pending: 1 });
    await fund(id, 10);
    assert.deepEqual((await verifyLedger(deps)).culprits, [], `before ${name}`);
    await sql(fault.break, [uuid, orderId]);
    const report = await verifyLedger(deps);
    assert.equal(report.holds, false, name);
    assert.ok(
      report.culprits.some(({ check }) => fault.check.test(check)),
      name,
    );
    for (const { organization_id } of report.culprits) assert.equal(organization_id, id, name);
    for (const { check, faults } of report.checks)
      assert.equal(faults, report.culprits.filter((culprit) => culprit.check === check).length, `${check}: ${name}`);
    await sql('delete from ledger_entries where organization_id = $1', [uuid]);
    await sql('delete from gifts where organization_id = $1', [uuid]);
    await sql('delete from orders where organization_id = $1', [uuid]);
    await sql('delete from balances where organization_id = $1', [uuid]);
  }
});

test('a demo is seeded on the first run only, and once where several processes start at once', async () => {
  const ownDatabase = await createTestDatabase();
  const connections = Array.from({ length: 3 }, () => connectDatabase(ownDatabase.target, () => undefined));
  try {
    const seeded = await Promise.all(connections.map((database) => seedDemo({ ...deps, database })));
    const [demo, ...others] = seeded.filter((result) => result !== undefined);
    assert.equal(others.length, 0);
    const [database] = connections;
    assert.ok(demo && database);
    assert.equal(await seedDemo({ ...deps, database }), undefined);
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

test('nothing is seeded where there is an organization already', async () => {
  assert.equal(await seedDemo(deps), undefined);
});

async function waitFor(condition: () => Promise<boolean>): Promise<void> {
  for (let attempt = 0; attempt < 100; attempt += 1) {
    if (await condition()) return;
    await new Promise((resolve) => setTimeout(resolve, 10));
  }
  assert.fail('What was waited for did not come within a second.');
}
