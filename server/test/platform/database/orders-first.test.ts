import assert from 'node:assert/strict';
import { test } from 'node:test';
import { Client, type Pool } from 'pg';
import { linkGift } from '../../harness/api-client.ts';
import { until } from '../../harness/server-process.ts';
import { startTestService } from '../../harness/test-service.ts';

/** Opens as many sessions of the pool, at the same time; returns their processes. */
const sessionsOf = async (pool: Pool, count: number): Promise<number[]> =>
  await Promise.all(
    Array.from({ length: count }, async () => {
      const { rows } = await pool.query<{ pid: number }>('select pg_backend_pid() as pid from pg_sleep(0.1)');
      return rows[0]?.pid ?? assert.fail();
    }),
  );

test('when PostgreSQL has no session left, orders get theirs before all others', async () => {
  const service = await startTestService();
  const { sandbox } = await service.organization();
  const [server] = service.service.deps.database.servers;
  const { pool, placement } = server ?? assert.fail();
  assert.equal((await sandbox.order([linkGift()])).status, 201);
  const { host, port, user, database } = pool.options;
  await sessionsOf(pool, 6);
  const ofOrders = await sessionsOf(placement, 2);
  const [there] = await service.sql<{ count: string }>(
    'select count(*) from pg_stat_activity where usename = $1 and datname = $2',
    [user, database],
  );
  await service.sql(`alter database ${database} connection limit ${there?.count}`);
  // Those that a cut left at the server take the places of those that were lost.
  const left: Client[] = [];
  await service.sql('select pg_terminate_backend(pid, 5000) from unnest($1::integer[]) as lost (pid)', [ofOrders]);
  for (const _ of ofOrders) {
    const client = new Client({ host, port, user, database });
    client.on('error', () => undefined);
    await client.connect().then(
      () => left.push(client),
      () => undefined,
    );
  }
  await until(() => placement.idleCount > 0, 'orders have a session again');
  assert.equal((await sandbox.order([linkGift()])).status, 201);
  for (const client of left) await client.end();
  await service.close();
});
