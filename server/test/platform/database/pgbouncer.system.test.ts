import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';
import { createApiClient, linkGift } from '../../harness/api-client.ts';
import { startDebianPostgres } from '../../harness/debian-postgres.ts';
import { openForFile } from '../../harness/open-for-file.ts';
import { startPgBouncer } from '../../harness/pgbouncer.ts';
import { bestow, serve, temporaryDirectory } from '../../harness/server-process.ts';

// Debian's PgBouncer before Debian's PostgreSQL, set up as docs/operating.md#poolers says.

const postgres = openForFile(() => startDebianPostgres());

const guide = readFileSync(new URL('../../../../docs/operating.md', import.meta.url), 'utf8');
const [, section = ''] = /^## Poolers\n(.*?)^## /ms.exec(guide) ?? assert.fail();
const [ignored] = /ignore_startup_parameters = [\w,]+/.exec(section) ?? assert.fail();
const [, roleSettings = ''] = /```sql\n(.*?)```/s.exec(section) ?? assert.fail();

/** The settings of a service on a new database behind PgBouncer. */
async function behindPgBouncer(...settings: string[]) {
  const database = `pooled_${randomUUID().slice(0, 8)}`;
  assert.equal(await postgres.run('createdb', [database]), '');
  const DATABASE_URL = await startPgBouncer(postgres.target(database), settings);
  return { DATABASE_URL, LINK_SECRET: 'a link secret behind a pooler that is long enough', DEMO: '1' };
}

const doctor = async (variables: Record<string, string>) => {
  const { stdout } = await bestow(['doctor', '--json'], variables).ended;
  const findings = JSON.parse(stdout) as { check: string; state: string; found: string }[];
  return Object.fromEntries(findings.map(({ check, state, found }) => [check, `${state}: ${found}`]));
};

test('behind PgBouncer’s session mode the service works, and doctor finds no fault', async (t) => {
  assert.equal(await postgres.run('psql', ['--quiet', '--command', roleSettings]), '');
  const variables = await behindPgBouncer('pool_mode = session', ignored);
  const { address, sandboxKey, liveKey } = await serve(await temporaryDirectory(t), variables).ready();
  const client = createApiClient(address, sandboxKey);
  const orders = await Promise.all(Array.from({ length: 40 }, () => client.order([linkGift()])));
  assert.deepEqual(new Set(orders.map(({ status }) => status)), new Set([201]));
  const reads = Array.from({ length: 40 }, (_, n) =>
    createApiClient(address, n % 2 === 0 ? sandboxKey : liveKey).get('/v1/orders'),
  );
  assert.deepEqual(new Set((await Promise.all(reads)).map(({ status }) => status)), new Set([200]));
  const { PostgreSQL = '', session, migrations } = await doctor(variables);
  assert.match(PostgreSQL, /^ok: 15\./);
  assert.deepEqual([session, migrations?.slice(0, 7)], ['ok: has its settings', 'ok: all']);
});

for (const poolSize of [1, 20])
  test(`PgBouncer’s transaction mode is refused at start and by doctor, a pool of ${poolSize}`, async (t) => {
    const size = `default_pool_size = ${poolSize}`;
    const variables = await behindPgBouncer('pool_mode = transaction', ignored, size);
    const { code, stderr } = await serve(await temporaryDirectory(t), variables).ended;
    assert.deepEqual([code, stderr.split(';', 1)[0]?.replace(/ \(.*\)/, '')], [1, REFUSED]);
    assert.match((await doctor(variables))['PostgreSQL'] ?? '', /^fault: .* pooler in transaction mode/);
  });

const REFUSED = 'The database of DATABASE_URL is behind a pooler in transaction mode, so valid keys would be refused';

test('a PgBouncer that refuses settings of connections is named with the section on poolers', async (t) => {
  const variables = await behindPgBouncer('pool_mode = session');
  const { code, stderr } = await serve(await temporaryDirectory(t), variables).ended;
  assert.equal(code, 1);
  assert.match(stderr, /lacks settings \(unsupported startup parameter: .*\); see docs\/operating\.md#poolers\.\n$/);
  assert.match((await doctor(variables))['PostgreSQL'] ?? '', /docs\/operating\.md#poolers/);
});
