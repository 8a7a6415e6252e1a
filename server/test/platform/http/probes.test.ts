import assert from 'node:assert/strict';
import { test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { isDeepStrictEqual } from 'node:util';
import { openForFile } from '../../harness/open-for-file.ts';
import { unlessHung, until } from '../../harness/server-process.ts';
import { startTestService } from '../../harness/test-service.ts';

// GET /healthz: the process lives. GET /readyz: it can serve.

const service = openForFile(() =>
  startTestService({ RATE_LIMIT_ADDRESS_PER_SECOND: '1', RATE_LIMIT_ADDRESS_BURST: '5' }),
);

async function probe(path: '/healthz' | '/readyz'): Promise<{ status: number; body: unknown }> {
  const response = await fetch(service.url + path);
  assert.match(response.headers.get('content-type') ?? '', /^application\/json/);
  assert.equal(response.headers.get('cache-control'), 'no-store');
  assert.match(response.headers.get('request-id') ?? '', /^req_/);
  return { status: response.status, body: await response.json() };
}

/** A finding is kept for half a second. */
const forget = () => sleep(550);
const probeAnew = () => forget().then(() => probe('/readyz'));

/** On a busy machine the first connection may take a second longer; until then the process is not ready. */
const untilItIs = (expected: unknown) =>
  until(async () => isDeepStrictEqual(await probeAnew(), expected), JSON.stringify(expected));
const untilReady = () => untilItIs(READY);

const READY = { status: 200, body: { status: 'ok' } };
const unready = (reason: string) => ({ status: 503, body: { status: 'unavailable', reasons: [reason] } });

test('both probes of a ready process succeed without a rate limit', async () => {
  await untilReady();
  for (let n = 0; n < 20; n += 1) {
    assert.deepEqual(await probe('/healthz'), READY);
    assert.deepEqual(await probe('/readyz'), READY);
  }
});

test('without its database the process is alive but not ready until it is back', async () => {
  const { database } = service.target;
  const other = await startTestService();
  await other.sql(`alter database ${database} with allow_connections false`);
  await other.sql(
    `select pg_terminate_backend(pid, 5000) from pg_stat_activity where datname = $1 and application_name = 'bestow'`,
    [database],
  );
  assert.deepEqual(await probeAnew(), unready('database_unreachable'));
  assert.deepEqual(await probe('/healthz'), READY);
  await other.sql(`alter database ${database} with allow_connections true`);
  await untilReady();
  await other.close();
});

test('a database that does not answer is reported while it hangs', async () => {
  await service.sql('begin');
  await service.sql('lock table schema_migrations in access exclusive mode');
  await forget();
  assert.deepEqual(await unlessHung(probe('/readyz'), 'the report'), unready('database_unreachable'));
  await service.sql('rollback');
  await untilReady();
});

test('not ready if a migration is missing; ready with one of a later release', async () => {
  await service.sql(`insert into schema_migrations (name) values ('999999_of_a_later_release.sql')`);
  await untilReady();
  const [first] = await service.sql<{ name: string }>('select name from schema_migrations order by name limit 1');
  await service.sql('delete from schema_migrations where name = $1', [first?.name]);
  await untilItIs(unready('migrations_missing'));
  await service.sql('insert into schema_migrations (name) values ($1)', [first?.name]);
  await untilReady();
});

test('many probes query the database twice a second', async (t) => {
  const { read } = service.service.deps.database;
  const query = read.query.bind(read);
  let looks = 0;
  read.query = (asked) => {
    if (asked.name === 'database.migrations') looks += 1;
    return query(asked);
  };
  t.after(() => {
    read.query = query;
  });
  // Whole milliseconds, because fractions would round differently.
  let nowMs = Math.ceil(performance.now()) + 500;
  t.mock.method(performance, 'now', () => nowMs);
  for (const [ms, expected] of [
    [0, 1],
    [499, 1],
    [1, 2],
  ] as const) {
    nowMs += ms;
    await Promise.all(Array.from({ length: 100 }, () => probe('/readyz')));
    assert.equal(looks, expected);
  }
});
