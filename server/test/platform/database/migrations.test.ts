import assert from 'node:assert/strict';
import { globSync, readFileSync } from 'node:fs';
import { basename } from 'node:path';
import { after, before, test } from 'node:test';
import { startProxy } from '../../../../reliability/proxy/start-proxy.ts';
import { OperatorError } from '../../../src/platform/base/operator-error.ts';
import { migrate, migrationNames } from '../../../src/platform/database/migrate.ts';
import { runBestow } from '../../harness/command-line.ts';
import { until } from '../../harness/server-process.ts';
import { createTestDatabase, type TestDatabase } from '../../harness/test-database.ts';
import { startTestService, type TestService } from '../../harness/test-service.ts';

// Migrations are safe in rolling updates.

/** The last migration of the previous release; until the first release, of the initial schema. */
const PUBLISHED = '000292_providers.sql';

let service: TestService;
let empty: TestDatabase;
before(async () => {
  service = await startTestService();
  empty = await createTestDatabase('template0');
});
after(async () => {
  await service.close();
  await empty.drop();
});

test('twenty migrators at once make the schema once', async () => {
  const applied = await Promise.all(Array.from({ length: 20 }, () => migrate(empty.target)));
  const names = await migrationNames();
  assert.deepEqual(applied.flat().sort(), names);
  assert.equal(applied.filter((some) => some.length > 0).length, 1);
});

test('ledger verify does not migrate an older schema and names the needed one', async () => {
  const verify = () => runBestow(service.target, ['ledger', 'verify']);
  const [before, last] = (await migrationNames()).slice(-2);
  await service.sql('delete from schema_migrations where name = $1', [last]);
  assert.deepEqual(await verify(), {
    code: 1,
    stdout: '',
    stderr: `The database has the schema ${before}, but this command needs ${last} and changes nothing; run bestow migrate first, or use the Bestow that made it.\n`,
  });
  assert.deepEqual(await service.sql('select name from schema_migrations where name = $1', [last]), []);
  await service.sql('insert into schema_migrations (name) values ($1)', [last]);
  assert.equal((await verify()).code, 0);
});

test('ledger verify reports a connection lost while reading the schema', async (t) => {
  const proxy = await startProxy(service.target);
  t.after(() => proxy.close());
  await service.sql('begin');
  await service.sql('lock table schema_migrations');
  const verified = runBestow(service.target, ['ledger', 'verify'], { variables: { DATABASE_URL: proxy.url } });
  const waiting = `select from pg_locks where relation = 'schema_migrations'::regclass and not granted`;
  await until(async () => (await service.sql(waiting)).length > 0, 'it waits');
  proxy.cutAll();
  const { code, stderr } = await verified;
  await service.sql('rollback');
  assert.equal(code, 1);
  assert.match(stderr, /^Unexpected error \(Connection terminated unexpectedly\)\. .*\n$/);
});

/** Changes that could break the previous release; `limit_rows` makes its view again at once. */
const takesAway =
  /\b(?:drop\s+(?:table|column|view(?! if exists %s)|function|type)|rename\s|set\s+not\s+null|alter\s+column\s+\w+\s+type)\b/i;
const demands =
  /\badd\s+column\s+(?:if\s+not\s+exists\s+)?\w+\s+[^,;]*\bnot\s+null\b(?![^,;]*\bdefault\b)(?<!\bdefault\b[^,;]*)/i;
const isUnsafe = (text: string) => takesAway.test(text) || demands.test(text);

const since = () =>
  globSync('server/src/platform/database/migrations/*.sql').filter((path) => basename(path) > PUBLISHED);

test('a migration removes and requires nothing unless its name says contract', () => {
  const unsafe = since().filter((path) => !/_contract_/.test(path) && isUnsafe(readFileSync(path, 'utf8')));
  assert.deepEqual(unsafe, []);
});

test('control: the check finds changes that break the previous release', () => {
  for (const text of [
    'alter table gifts drop column address',
    'drop table orders',
    'alter table gifts rename column address to recipient',
    'alter table gifts alter column address set not null',
    'alter table gifts add column colour text not null',
  ])
    assert.ok(isUnsafe(text), text);
  for (const text of [
    'alter table gifts add column colour text',
    `alter table gifts add column colour text not null default 'red'`,
    `alter table gifts add column colour text default 'red' not null`,
    'create table colours (name text not null)',
  ])
    assert.ok(!isUnsafe(text), text);
});

const tableOf = /\bon\s+(?:only\s+)?([\w.]+)/i;

/** Existing tables whose writes an index of this migration would block. */
function tablesStopped(text: string): string[] {
  const made = [...text.matchAll(/\bcreate\s+table\s+(?:if\s+not\s+exists\s+)?([\w.]+)/gi)].map(([, name]) => name);
  const indexed = [...text.matchAll(/\bcreate\s+(?:unique\s+)?index\s+(?!concurrently\b)[^;]*/gi)];
  return indexed.map(([statement]) => tableOf.exec(statement)?.[1] ?? statement).filter((name) => !made.includes(name));
}

/** Statements that a migration without a transaction may hold: each can be repeated. */
const buildsBeside =
  /^(?:(?:--.*\n)*drop index concurrently if exists (\w+);\ncreate (?:unique )?index concurrently \1 on [^;]+;\n)+$/;

test('a migration builds indexes on existing tables concurrently', () => {
  const texts = since().map((path) => readFileSync(path, 'utf8'));
  assert.deepEqual(texts.flatMap(tablesStopped), []);
  const beside = texts.filter((text) => /\bconcurrently\b/i.test(text));
  for (const text of beside) assert.match(text, buildsBeside);
});

test('control: the check finds an index that blocks writes', () => {
  for (const text of [
    'create index a on orders (x)',
    'CREATE UNIQUE INDEX if not exists a\n  on only public.orders (x)',
    'create index on orders (x)',
    'create table colours (name text); create index a on orders (x)',
    'create table orders_more (name text); create index concurrently a on gifts (x); create index b on orders (x)',
  ])
    assert.equal(tablesStopped(text).length, 1, text);
  for (const text of [
    'create index concurrently a on orders (x)',
    'create table colours (name text); create index a on colours (name)',
    'create table if not exists portal.colours (name text); create unique index a on portal.colours (name)',
  ])
    assert.deepEqual(tablesStopped(text), [], text);
  for (const text of [
    'create index concurrently a on orders (x);\n',
    'drop index concurrently if exists a;\ncreate index concurrently b on orders (x);\n',
    'drop index concurrently if exists a;\ncreate index concurrently a on orders (x);\ndrop table gifts;\n',
  ])
    assert.doesNotMatch(text, buildsBeside);
});

test('a release starts on an extended newer schema, not on a reduced one', async () => {
  await service.sql(`insert into schema_migrations (name) values ('999998_something_new.sql')`);
  assert.deepEqual(await migrate(service.target), []);
  await service.sql(`insert into schema_migrations (name) values ('999999_contract_gifts.sql')`);
  await assert.rejects(migrate(service.target), (error: unknown) => {
    assert.ok(error instanceof OperatorError);
    assert.equal(
      error.message,
      'The database was migrated by a newer Bestow (999999_contract_gifts.sql); start that version or a later one.',
    );
    return true;
  });
});
