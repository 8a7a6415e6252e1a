import assert from 'node:assert/strict';
import { globSync, readFileSync } from 'node:fs';
import { basename } from 'node:path';
import { after, before, test } from 'node:test';
import { startProxy } from '../../../reliability/proxy/start-proxy.ts';
import { OperatorError } from '../../src/base/operator-error.ts';
import { migrate, migrationNames } from '../../src/database/migrate.ts';
import { runBestow } from '../harness/command-line.ts';
import { until } from '../harness/server-process.ts';
import { createTestDatabase, type TestDatabase } from '../harness/test-database.ts';
import { startTestService, type TestService } from '../harness/test-service.ts';

// Migrations are safe under rolling updates. `statements-published.json` holds the statements of the
// release before; at each release it is replaced with those of that release.

/** The last migration of the release before. */
const PUBLISHED = '000009_portal.sql';
const published = JSON.parse(readFileSync(new URL('./statements-published.json', import.meta.url), 'utf8')) as Record<
  string,
  string
>;

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

test('ledger verify leaves an older schema as it is, and says which one it needs', async () => {
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

test('ledger verify says in a line that its connection was lost while it looked at the schema', async (t) => {
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

test('every statement of the release before can be prepared against the schema of this one', async () => {
  assert.ok(Object.keys(published).length > 100);
  for (const [name, text] of Object.entries(published))
    await service
      .sql(`prepare "published ${name}" as ${text}`)
      .catch((error: Error) => assert.fail(`${name}: ${error.message}`));
  await assert.rejects(service.sql('prepare broken as select gone from gifts'));
});

/** What the release before may still read, or leave out of what it writes. */
const takesAway =
  /\b(?:drop\s+(?:table|column|view|function|type)|rename\s|set\s+not\s+null|alter\s+column\s+\w+\s+type)\b/i;
const demands =
  /\badd\s+column\s+(?:if\s+not\s+exists\s+)?\w+\s+[^,;]*\bnot\s+null\b(?![^,;]*\bdefault\b)(?<!\bdefault\b[^,;]*)/i;
const isUnsafe = (text: string) => takesAway.test(text) || demands.test(text);

const since = () => globSync('server/src/database/migrations/*.sql').filter((path) => basename(path) > PUBLISHED);

test('a migration since that release takes nothing away and demands nothing new, unless it is named so', () => {
  assert.ok(since().length > 0);
  const unsafe = since().filter((path) => !/_contract_/.test(path) && isUnsafe(readFileSync(path, 'utf8')));
  assert.deepEqual(unsafe, []);
});

test('the check itself sees what would break the release before', () => {
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

/** The tables that an index of this migration stops all writing to while it reads them: not those that it makes itself. */
function tablesStopped(text: string): string[] {
  const made = [...text.matchAll(/\bcreate\s+table\s+(?:if\s+not\s+exists\s+)?([\w.]+)/gi)].map(([, name]) => name);
  const indexed = [...text.matchAll(/\bcreate\s+(?:unique\s+)?index\s+(?!concurrently\b)[^;]*/gi)];
  return indexed.map(([statement]) => tableOf.exec(statement)?.[1] ?? statement).filter((name) => !made.includes(name));
}

/** All that a migration without a transaction may hold: whatever of it was done before, it can be done again. */
const buildsBeside =
  /^(?:(?:--.*\n)*drop index concurrently if exists (\w+);\ncreate (?:unique )?index concurrently \1 on [^;]+;\n)+$/;

test('a migration since that release stops no writing: an index on a table that is there is built beside it', () => {
  const texts = since().map((path) => readFileSync(path, 'utf8'));
  assert.deepEqual(texts.flatMap(tablesStopped), []);
  const beside = texts.filter((text) => /\bconcurrently\b/i.test(text));
  assert.ok(beside.length > 0);
  for (const text of beside) assert.match(text, buildsBeside);
});

test('the check itself sees what would stop writing', () => {
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

test('a release starts on a schema that the next one has added to, and not on one that it took away from', async () => {
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
