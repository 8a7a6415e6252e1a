import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Finding } from '../../../src/surfaces/doctor/finding.ts';
import { startDebianPostgres } from '../../harness/debian-postgres.ts';
import { bestow, freePort, until } from '../../harness/server-process.ts';
import { createSetClock } from '../../harness/set-clock.ts';

// The whole service on a machine whose clock is set, beside a PostgreSQL whose clock is right.

const DAY_MS = 86_400_000;

test('a process whose clock is wrong takes no jobs and says so until it is right', async () => {
  const postgres = await startDebianPostgres();
  const clock = await createSetClock();
  const variables = {
    DATABASE_URL: postgres.url('bestow'),
    LINK_SECRET: 'a link secret for tests that is long enough',
    PORT: String(await freePort()),
  };
  await clock.setAhead(120 * DAY_MS);
  const server = bestow(['serve'], { ...variables, ...clock.variables });
  const address = `http://127.0.0.1:${variables.PORT}`;
  const ready = async () => (await fetch(`${address}/readyz`)).json();
  const doctor = async () => {
    const { stdout } = await bestow(['doctor', '--json'], variables).ended;
    return (JSON.parse(stdout) as Finding[]).find(({ check }) => check === 'clocks of processes');
  };
  await until(() => server.stdout().includes('Stop it with Ctrl-C.\n'), 'the service listens');

  assert.deepEqual(await ready(), { status: 'unavailable', reasons: ['clock_differs'] });
  const sentence = /This machine’s clock is 120\.0 days ahead of PostgreSQL’s \([^)]*, process \d+\)/;
  await until(() => sentence.test(server.stdout()), 'it says so');
  const found = await doctor();
  assert.equal(found?.state, 'fault');
  assert.match(
    found?.found ?? '',
    /process \d+: 120\.0 days ahead of PostgreSQL’s; it answers no requests and works on no jobs/,
  );
  await postgres.query(`insert into pgboss.job (name) values ('every-minute') on conflict do nothing`);
  const waiting = async () =>
    (
      await postgres.query(`select from pgboss.job where name = 'every-minute'
    and state < 'active' and created_on < clock_timestamp() - interval '3 seconds'`)
    ).length;
  await until(async () => (await waiting()) > 0, 'a job waits for three seconds');

  await clock.setAhead(0);
  await until(async () => (await ready()).status === 'ok', 'the clock is right');
  await until(async () => (await waiting()) === 0, 'the job is taken');
  assert.equal((await doctor())?.state, 'ok');

  await clock.setAhead(-120 * DAY_MS);
  assert.deepEqual(await ready(), { status: 'unavailable', reasons: ['clock_differs'] });
  server.signal('SIGTERM');
  assert.equal((await server.ended).code, 0);
});
