import assert from 'node:assert/strict';
import { test } from 'node:test';
import { isDeepStrictEqual } from 'node:util';
import { examine } from '../../../src/surfaces/doctor/examine.ts';
import { startDebianPostgres } from '../../harness/debian-postgres.ts';
import { scrape } from '../../harness/metrics-text.ts';
import { until } from '../../harness/server-process.ts';
import { createTemplate } from '../../harness/template-database.ts';
import { createTestDatabase } from '../../harness/test-database.ts';
import { startTestServiceOn, testConfig } from '../../harness/test-service.ts';

test('a standby that acknowledges no commit, and a leader that became a standby, show in readyz, metrics and doctor', async () => {
  const postgres = await startDebianPostgres();
  const server = postgres.target('postgres');
  await createTemplate(server);
  const service = await startTestServiceOn(await createTestDatabase(undefined, [server]), { METRICS_PORT: '0' });
  const { deps, metricsAddress } = service.service;
  const found = async () => ({
    ready: await (await fetch(`${service.url}/readyz`)).json(),
    up: (await scrape(metricsAddress() ?? assert.fail()))['bestow_database_up'],
    doctor: (await Array.fromAsync(examine(testConfig(), deps.database, service.clock))).find(
      ({ check }) => check === 'a write',
    )?.state,
  });
  const isFound = (expected: unknown) =>
    until(async () => isDeepStrictEqual(await found(), expected), JSON.stringify(expected));
  const setStandbys = async (names: string) => {
    await postgres.query(`alter system set synchronous_standby_names = '${names}'`);
    await postgres.query('select pg_reload_conf()');
  };
  await isFound({ ready: { status: 'ok' }, up: 1, doctor: 'ok' });

  await setStandbys('gone');
  await isFound({ ready: { status: 'unavailable', reasons: ['database_waits_for_standby'] }, up: 0, doctor: 'fault' });
  // However often it is asked, one session of the service waits, and the doctor's is ended.
  await isFound({ ready: { status: 'unavailable', reasons: ['database_waits_for_standby'] }, up: 0, doctor: 'fault' });
  const waiting = await postgres.query(`select from pg_stat_activity where wait_event = 'SyncRep'`);
  assert.equal(waiting.length, 1);

  await setStandbys('');
  await isFound({ ready: { status: 'ok' }, up: 1, doctor: 'ok' });

  await postgres.becomeStandby();
  // Not a fault of the write as well: `writable` says why.
  await isFound({ ready: { status: 'unavailable', reasons: ['database_read_only'] }, up: 0, doctor: undefined });
  // A stop of the service writes.
  await postgres.query('select pg_promote()');
});
