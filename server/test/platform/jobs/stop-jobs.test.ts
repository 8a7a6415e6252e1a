import assert from 'node:assert/strict';
import { once } from 'node:events';
import { type AddressInfo, connect, createServer, type Socket } from 'node:net';
import { test } from 'node:test';
import { systemClock } from '../../../src/platform/base/clock.ts';
import type { ConnectionTarget } from '../../../src/platform/database/connections.ts';
import { startJobs } from '../../../src/platform/jobs/jobs.ts';
import { until } from '../../harness/server-process.ts';
import { createTestDatabase } from '../../harness/test-database.ts';

/** Passes bytes on until `hold` is called; then what a client sends is kept back, such as the end of its session. */
async function startHolding({ host = '', port = 5432 }: ConnectionTarget) {
  let isHeld = false;
  const sessions: { client: Socket; upstream: Socket }[] = [];
  const server = createServer({ allowHalfOpen: true }, (client) => {
    const upstream = host.startsWith('/') ? connect(`${host}/.s.PGSQL.${port}`) : connect(port, host);
    for (const socket of [client, upstream]) socket.on('error', () => undefined);
    client.on('data', (bytes) => isHeld || upstream.write(bytes));
    upstream.pipe(client);
    sessions.push({ client, upstream });
  });
  await once(server.listen(0, '127.0.0.1'), 'listening');
  return {
    port: (server.address() as AddressInfo).port,
    hold: () => {
      isHeld = true;
    },
    areEnded: () => sessions.every(({ client, upstream }) => upstream.closed && client.closed),
    close: () => server.close(),
  };
}

test('a session that PostgreSQL ends after the stop is no error', async () => {
  const database = await createTestDatabase();
  const proxy = await startHolding(database.target);
  const errors: object[] = [];
  const log = { error: (fields: object) => errors.push(fields), warn: () => undefined };
  const target = { ...database.target, host: '127.0.0.1', port: proxy.port };
  const jobs = await startJobs([target], systemClock, log as never, undefined);
  await jobs.finish();
  proxy.hold();
  await jobs.stop();
  await database.drop();
  await until(proxy.areEnded, 'all sessions ended');
  assert.deepEqual(errors, []);
  proxy.close();
});
