import assert from 'node:assert/strict';
import { once } from 'node:events';
import { createServer } from 'node:net';
import { after, before, test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { Client } from 'pg';
import { fillGifts } from '../../../../bench/fill-gifts.ts';
import { sealChains } from '../../../src/capabilities/seals/seal-chains.ts';
import '../../../src/core/balances/check-books.ts';
import { statements } from '../../../src/platform/database/statement.ts';
import { linkGift } from '../../harness/api-client.ts';
import { commandEnvironment, runBestow } from '../../harness/command-line.ts';
import { explainPlan, rowsRead } from '../../harness/explain-plan.ts';
import { openForFile } from '../../harness/open-for-file.ts';
import { bestow, until } from '../../harness/server-process.ts';
import { startTestService, type TestOrganization } from '../../harness/test-service.ts';

// The doctor verifies the ledger from its newest seals on, and all of it with `--ledger`.

const SEALED_ORDERS = 5_000;
const DAY_MS = 86_400_000;
const service = openForFile(() => startTestService());
let sql: Client;
let organization: TestOrganization;
/** UUIDs of the live ledger's entries: one in the middle of what is sealed, the last sealed one, and one after it. */
let entries: { middle: string; sealed: string; recent: string };

before(async () => {
  sql = new Client(service.target);
  await sql.connect();
  organization = await service.organization({ live: SEALED_ORDERS * 5_000 + 1_000_000 });
  const { organizationUuid: organizationId, live } = organization;
  const nowMs = service.clock.now();
  const span = { fromMs: nowMs - 2 * DAY_MS, toMs: nowMs - DAY_MS };
  await fillGifts(sql, { organizationId, environment: 'live', orders: SEALED_ORDERS, ...span });
  assert.equal((await live.order([linkGift()])).status, 201);
  await sealChains(service.service.deps);
  const newest = async (skipped: number): Promise<string> => {
    const { rows } = await sql.query<{ entry_id: string }>(
      `select entry_id from ledger_entries where organization_id = $1 and environment = 'live'
       order by entry_id desc limit 1 offset $2`,
      [organizationId, skipped],
    );
    return rows[0]?.entry_id ?? assert.fail();
  };
  const [middle, sealed] = [await newest(SEALED_ORDERS / 2), await newest(0)];
  for (let n = 0; n < 3; n += 1) assert.equal((await live.order([linkGift(), linkGift()])).status, 201);
  entries = { middle, sealed, recent: await newest(0) };
  await sql.query('analyze');
});
after(() => sql.end());

async function ledger(...args: string[]) {
  const { stdout, stderr } = await runBestow(service.target, ['doctor', '--json', ...args]);
  const findings = JSON.parse(stdout) as { check: string; state: string; found: string; advice: string | null }[];
  return { ...(findings.find(({ check }) => check === 'ledger') ?? assert.fail(stdout)), stderr };
}

const KEPT = { ledger_entries: 'entry_id >= $1', gifts: 'gift_id > $1', balances: 'last_id >= $1' };

/** Changes rows as only the database's owner can, runs the act, and takes the changes back. */
async function tampered(change: string, act: () => Promise<void>): Promise<void> {
  for (const [table, condition] of Object.entries(KEPT))
    await sql.query(
      `create temporary table kept_${table} as select * from ${table} where ${condition.replace('$1', `'${entries.sealed}'`)}`,
    );
  await sql.query('set session_replication_role = replica');
  try {
    await sql.query(change);
    await act();
  } finally {
    for (const [table, condition] of Object.entries(KEPT))
      await sql.query(`delete from ${table} where ${condition.replace('$1', `'${entries.sealed}'`)};
        insert into ${table} table kept_${table}; drop table kept_${table}`);
    await sql.query('reset session_replication_role');
  }
}

test('a consistent ledger is ok, with what was looked at and how to verify all', async () => {
  const { state, found } = await ledger();
  assert.deepEqual(
    [state, found],
    [
      'ok',
      'consistent, 3 entries after the newest seals of 2 ledgers; bestow doctor --ledger verifies all, last done never',
    ],
  );
  const whole = await ledger('--ledger');
  assert.deepEqual([whole.state, whole.found], ['ok', `consistent, all ${SEALED_ORDERS + 6} entries`]);
});

test('a fault after the newest seals is found', async () => {
  const { sealed, recent } = entries;
  const ofRecent = `order_id = (select order_id from ledger_entries where entry_id = '${recent}')`;
  const faults = [
    `update balances set balance_cents = balance_cents + 1 where last_id >= '${recent}'`,
    `update ledger_entries set amount_cents = amount_cents - 1 where entry_id = '${recent}'`,
    `update ledger_entries set balance_after_cents = balance_after_cents + 1 where entry_id = '${recent}'`,
    `update ledger_entries set order_id = gen_random_uuid() where entry_id = '${recent}'`,
    `delete from ledger_entries where entry_id = '${recent}'`,
    `update ledger_entries set note = 'other' where entry_id = '${sealed}'`,
    `delete from ledger_entries where entry_id = '${sealed}'`,
    `update gifts set amount_cents = amount_cents + 1 where ${ofRecent}`,
    `update gifts set position = position + 2 where ${ofRecent}`,
    `update gifts set canceled_at = created_at where ${ofRecent}`,
  ];
  for (const change of faults)
    await tampered(change, async () => {
      const { state, found, advice } = await ledger();
      assert.equal(state, 'fault', `${change}: ${found}`);
      assert.match(advice ?? '', /bestow ledger verify/);
    });
  assert.equal((await ledger()).state, 'ok');
});

test('a ledger that is not verified in time is no fault, although each statement is', async () => {
  const [first, second] = [new Client(service.target), new Client(service.target)];
  await Promise.all([first.connect(), second.connect()]);
  try {
    await first.query('begin; lock table seals');
    await second.query('begin; lock table orders');
    const looking = ledger();
    const waits = `select from pg_locks where not granted and relation = 'seals'::regclass`;
    await until(async () => ((await sql.query(waits)).rowCount ?? 0) > 0, 'the ledger is looked at');
    await sleep(3_000);
    await first.query('rollback');
    await sleep(3_000);
    await second.query('rollback');
    const { state, found, advice } = await looking;
    assert.deepEqual(
      [state, found, advice],
      ['warning', 'not verified within 4 seconds', 'Run: bestow doctor --ledger.'],
    );
  } finally {
    await Promise.all([first.end(), second.end()]);
  }
});

test('a fault among what is sealed is found with --ledger only', async () => {
  const set = (cents: string) =>
    sql.query(`set session_replication_role = replica;
      update ledger_entries set amount_cents = amount_cents ${cents} where entry_id = '${entries.middle}';
      reset session_replication_role`);
  await set('- 1');
  assert.equal((await ledger()).state, 'ok');
  assert.equal((await ledger('--ledger')).state, 'fault');
  await runBestow(service.target, ['ledger', 'verify']);
  const { state, found } = await ledger();
  assert.deepEqual([state, /\d faults in the whole ledger on \d{4}-/.test(found)], ['warning', true], found);
  await set('+ 1');
  await runBestow(service.target, ['ledger', 'verify']);
  assert.match((await ledger()).found, /last done on \d{4}-\d\d-\d\d$/);
});

test('--ledger says on standard error how far it is, but not with --json', async () => {
  const { stderr } = await runBestow(service.target, ['doctor', '--ledger']);
  assert.match(stderr, /^ledger: each order has one debit of its amount$/m);
  assert.match(stderr, new RegExp(`^ledger: 0 of ${SEALED_ORDERS + 3} sealed rows$`, 'm'));
  assert.doesNotMatch((await ledger('--ledger')).stderr, /^ledger:/m);
});

test('the statements of the doctor read none of the sealed entries, orders and gifts', async () => {
  const { organizationUuid } = organization;
  await sql.query('set enable_seqscan = off');
  const heads = [[organizationUuid], ['live'], [entries.sealed]];
  const recent = [...statements.keys()].filter((name) => /^ledger\..*_recent$/.test(name));
  assert.ok(recent.length > 8, `${recent.length} statements`);
  for (const name of recent)
    for (const mode of ['force_custom_plan', 'force_generic_plan']) {
      const parameters = [name === 'ledger.count_recent' ? null : 50, ...heads];
      const plan = await explainPlan(sql, '*', { name, parameters, mode });
      assert.ok(rowsRead(plan) < 100, `${name}, ${mode}: ${rowsRead(plan)} rows`);
    }
});

test('what is found is printed before a mail server that does not answer', async (t) => {
  const silent = createServer().listen(0, '127.0.0.1');
  await once(silent, 'listening');
  t.after(() => silent.close());
  const { port } = silent.address() as { port: number };
  const smtp = { SMTP_URL: `smtp://127.0.0.1:${port}`, MAIL_FROM: 'gifts@bestow.example' };
  const connected = once(silent, 'connection');
  const doctor = bestow(['doctor'], { ...commandEnvironment(service.target), ...smtp });
  const [socket] = await connected;
  await until(() => /^ledger +ok +consistent/m.test(doctor.stdout()), 'the ledger is printed');
  assert.doesNotMatch(doctor.stdout(), /^SMTP +/m);
  socket.destroy();
  assert.match((await doctor.ended).stdout, /^SMTP +fault/m);
});
