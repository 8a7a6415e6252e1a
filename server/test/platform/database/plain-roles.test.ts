import assert from 'node:assert/strict';
import { test } from 'node:test';
import { Client } from 'pg';
import { migrate } from '../../../src/platform/database/migrate.ts';
import { selectRowSecurity } from '../../../src/platform/database/row-security.ts';
import { selectWrongPrivileges } from '../../../src/platform/database/service-role.ts';
import { SERVICE_USER_NAME } from '../../../src/platform/embedded-postgres/cluster.ts';
import { openForFile } from '../../harness/open-for-file.ts';
import { PLAIN_OWNER } from '../../harness/template-database.ts';
import { startTestService } from '../../harness/test-service.ts';

// Row security with an owner and a service that are both plain roles, as on a managed PostgreSQL. The databases of all tests
// are migrated so; the tests of plans run behind it.

const service = openForFile(() => startTestService());

async function withOwner<Result>(act: (owner: Client) => Promise<Result>): Promise<Result> {
  const owner = new Client({ ...service.target });
  await owner.connect();
  try {
    return await act(owner);
  } finally {
    await owner.end();
  }
}

const rowSecurity = () => withOwner(async (owner) => (await selectRowSecurity(owner, []))[0]);
const ON = { unlimited_tables: [], open_tables: [] };

test('two plain roles are enough for row security', async () => {
  const [found] = await service.sql(
    `select r.rolsuper, r.rolcreaterole, r.rolbypassrls, s.rolsuper as is_service_superuser,
       (select bool_or(proleakproof) from pg_proc where proname in ('enum_eq', 'lower')) as is_declared
     from pg_class c join pg_roles r on r.oid = c.relowner, pg_roles s
     where c.oid = 'limited.gifts'::regclass and s.rolname = $1`,
    [SERVICE_USER_NAME],
  );
  assert.deepEqual(new Set(Object.values(found ?? {})), new Set([false]));
  assert.deepEqual(await rowSecurity(), ON);
});

test('a view that is made again keeps its privileges, and can leave out a column to be dropped', async () => {
  const wrong = async () =>
    (await withOwner((owner) => selectWrongPrivileges(owner, [SERVICE_USER_NAME]))).filter(
      ({ table_name }) => table_name === 'limited.seals',
    );
  await service.sql(`set role ${PLAIN_OWNER}`);
  assert.deepEqual(await wrong(), []);
  await assert.rejects(service.sql('alter table seals drop column head'), { code: '2BP01' });
  await service.sql(`call limit_rows('seals', '{head}'); alter table seals drop column head; reset role`);
  assert.deepEqual(await wrong(), []);
  assert.deepEqual(await rowSecurity(), ON);
});

test('tables stay open for the release before until the next migration', async () => {
  await service.organization();
  const tables = await service.sql<{ name: string }>(
    `select polrelid::regclass::text as name from pg_policy where polname = 'organizations'`,
  );
  for (const { name } of tables) await service.sql(`alter table ${name} disable row level security`);
  await service.sql('drop schema limited cascade; drop procedure limit_rows');
  const [{ name = '' } = {}] = await service.sql<{ name: string }>(
    `delete from schema_migrations where name ~ 'limited_rows' returning name`,
  );
  assert.deepEqual(await migrate(service.target), [name]);
  assert.deepEqual(await rowSecurity(), { ...ON, open_tables: tables.map((table) => table.name).sort() });
  assert.deepEqual(await migrate(service.target), []);
  assert.deepEqual(await rowSecurity(), ON);
});
