import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { test } from 'node:test';
import { Client } from 'pg';
import type { OperatorError } from '../../../src/platform/base/operator-error.ts';
import type { ConnectionTarget } from '../../../src/platform/database/connections.ts';
import {
  createServiceRole,
  isThereRole,
  selectMayCreate,
  selectWrongPrivileges,
} from '../../../src/platform/database/service-role.ts';
import { SERVICE_USER_NAME } from '../../../src/platform/embedded-postgres/cluster.ts';
import { openDatabase } from '../../../src/platform/installation/open-database.ts';
import { linkGift } from '../../harness/api-client.ts';
import { commandEnvironment } from '../../harness/command-line.ts';
import { openForFile } from '../../harness/open-for-file.ts';
import { until } from '../../harness/server-process.ts';
import { createTestDatabase } from '../../harness/test-database.ts';
import { startTestService } from '../../harness/test-service.ts';

const service = openForFile(() => startTestService());

/** Runs the act as the service's role; every test of the service runs as this role. */
async function asService<Result>(target: ConnectionTarget, act: (client: Client) => Promise<Result>): Promise<Result> {
  const client = new Client({ ...target, user: SERVICE_USER_NAME });
  await client.connect();
  try {
    return await act(client);
  } finally {
    await client.end();
  }
}

const urlOf = (target: ConnectionTarget) => commandEnvironment(target)['DATABASE_URL'] ?? '';

test('the service’s role has the privileges that it needs, and no other', async () => {
  const [wrong, [rights]] = await asService(service.target, async (client) => [
    await selectWrongPrivileges(client, [SERVICE_USER_NAME]),
    await selectMayCreate(client, [SERVICE_USER_NAME]),
  ]);
  assert.deepEqual(
    wrong.filter(({ table_name }) => !table_name.startsWith('pgboss.')),
    [],
  );
  assert.deepEqual(rights, { may_create: false });
});

test('the service’s role cannot rewrite history, nor change schema or triggers', async () => {
  const { live } = await service.organization();
  assert.equal((await live.order([linkGift()])).status, 201);
  const attacks = [
    'update ledger_entries set note = note',
    'delete from ledger_entries',
    `delete from ledger_entries where environment = 'sandbox'`,
    'truncate ledger_entries cascade',
    'update audit_events set actor_name = actor_name',
    'delete from audit_events',
    'update seals set head = head',
    'delete from seals',
    'update request_log set status = status',
    'update portal.events set event = event',
    'alter table ledger_entries disable trigger all',
    'alter table audit_events disable trigger user',
    'alter table gifts disable trigger user',
    'drop trigger audit_events_are_append_only on audit_events',
    'create or replace function refuse_change() returns trigger language plpgsql as $$ begin return new; end $$',
    'set session_replication_role = replica',
    'set role bestow',
    'alter table gifts add column extra text',
    'drop table request_log',
    'create table public.extra (id integer)',
    'create schema extra',
    `insert into schema_migrations (name) values ('999999_extra.sql')`,
    `alter role ${SERVICE_USER_NAME} superuser`,
    `update gifts set amount_cents = amount_cents + 1`,
  ];
  await asService(service.target, async (client) => {
    await client.query(`set app.organization_id to '*'`);
    for (const attack of attacks) await assert.rejects(client.query(attack), { code: '42501' }, attack);
  });
});

test('migrations run as the owner, and the service opens the database as its own role', async (t) => {
  const { target, drop } = await createTestDatabase('template0');
  t.after(drop);
  const url = urlOf({ ...target, user: SERVICE_USER_NAME });
  const open = (more = {}) => openDatabase({ databaseUrls: [url], dataDir: '', ...more }, 'command');
  await assert.rejects(open(), ({ message }: OperatorError) => /MIGRATION_DATABASE_USER/.test(message));
  const migrationUser = { user: target.user ?? '', password: undefined };
  for (const opened of [await open({ migrationUser }), await open()]) {
    assert.equal(opened.servers[0]?.user, SERVICE_USER_NAME);
    await opened.close();
  }
  await asService(target, async (client) => {
    assert.deepEqual(await selectWrongPrivileges(client, [SERVICE_USER_NAME]), []);
    await assert.rejects(client.query('create table extra (id integer)'), { code: '42501' });
  });
});

test('the service does not start between a migration and its grants', async (t) => {
  const { target, drop } = await createTestDatabase('template0');
  t.after(drop);
  const open = (more = {}) =>
    openDatabase({ databaseUrls: [urlOf({ ...target, user: SERVICE_USER_NAME })], dataDir: '', ...more }, 'command');
  const migrationUser = { user: target.user ?? '', password: undefined };
  await (await open({ migrationUser })).close();
  const owner = new Client({ ...target });
  await owner.connect();
  // As if the migration that made the table had been killed.
  await owner.query(`create table later (id integer)`);
  await assert.rejects(open(), ({ message }: OperatorError) => /its migration has not ended; name their/.test(message));
  // Bestow leaves a table of another owner alone.
  await owner.query(`create role stranger_${process.pid}; alter table later owner to stranger_${process.pid}`);
  await (await open()).close();
  await owner.query(`drop table later; create table later (id integer)`);
  await (await open({ migrationUser })).close();
  await (await open()).close();
  await owner.query(`drop table later; drop role stranger_${process.pid}`);
  await owner.end();
});

test('of two processes that create the role at once, none fails', async (t) => {
  const { target, drop } = await createTestDatabase('template0');
  t.after(drop);
  const role = `raced_${randomUUID()}`;
  const first = new Client({ ...target });
  await first.connect();
  await first.query(`begin; create role "${role}"`);
  const second = createServiceRole(target, role);
  const waits = `select from pg_stat_activity where query like 'create role%${role}%' and wait_event_type = 'Lock'`;
  await until(async () => (await service.sql(waits)).length === 1, 'the second waits for the first');
  await first.query('commit');
  await first.end();
  await second;
  assert.ok(await isThereRole(target, role));
});
