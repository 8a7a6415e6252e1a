import assert from 'node:assert/strict';
import { randomInt } from 'node:crypto';
import { test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { bestow, freePort, until } from '../../server/test/harness/server-process.ts';
import type { TestDatabase } from '../../server/test/harness/test-database.ts';
import { LINK_SECRET, startTestService } from '../../server/test/harness/test-service.ts';
import { clients, makeCalls } from './client-drivers.ts';

// Kills the server 20 times while each client places orders and follows the feed.

const KILLS = 20;
const LONGEST_LIFE_MS = 600;
const ORDERS = 300;

const urlOf = ({ host, port, user, database }: TestDatabase['target']) =>
  `postgres://${user}@localhost:${port}/${database}?host=${encodeURIComponent(`${host}`)}`;

test('over 20 kills of the server each client places each order once and reads each event once', async (t) => {
  const service = await startTestService();
  t.after(() => service.close());
  const target = service.target as TestDatabase['target'];
  const PORT = `${await freePort()}`;
  const variables = { DATABASE_URL: urlOf(target), LINK_SECRET, PORT, LOG_LEVEL: 'silent' };
  const start = async () => {
    const server = bestow(['serve', '--no-worker'], variables);
    await server.ready();
    return server;
  };
  let server = await start();
  const body = { gifts: [{ amount: 1000, category: 'coffee', delivery: { method: 'link' } }] };
  const here = clients.flatMap(({ name, command }) => (command === undefined ? [] : [{ name, command }]));
  const runs = here.map(async ({ name, command }) => {
    const organization = await service.organization({ sandbox: 2 * ORDERS * 1000 });
    const call = { base_url: `http://127.0.0.1:${PORT}`, key: organization.keys.sandbox, count: ORDERS, body };
    const told = await makeCalls<{ id: string; result: string; order_ids?: string[]; sequences?: number[] }>(command, [
      { ...call, id: 'orders', call: 'orders', idempotency_key: name },
      { ...call, id: 'stream', call: 'stream' },
    ]);
    return { name, organization, told };
  });
  let areDone = false;
  const done = Promise.all(runs).finally(() => {
    areDone = true;
  });
  // An address that never answered would be a wrong one: the stream, too, has been answered by then.
  await until(async () => {
    const begun = await service.sql('select from orders group by organization_id having count(*) >= 10');
    return begun.length === here.length;
  }, 'the first orders of each client');
  let kills = 0;
  for (; kills < KILLS && !areDone; kills += 1) {
    await sleep(randomInt(LONGEST_LIFE_MS));
    server.signal('SIGKILL');
    await server.ended;
    server = await start();
  }
  for (const { name, organization, told } of await done)
    await t.test(name, async () => {
      const placed = await service.sql(`select count(*)::integer as orders from orders where organization_id = $1`, [
        organization.organizationUuid,
      ]);
      assert.deepEqual(placed, [{ orders: ORDERS }]);
      assert.equal(new Set(told.get('orders')?.order_ids).size, ORDERS);
      const { body: feed } = await organization.sandbox.get('/v1/events?types=order.created&limit=1000');
      const sequences = feed.data.map(({ sequence }: { sequence: number }) => sequence);
      const stream = told.get('stream');
      assert.equal(stream?.result, 'ok', JSON.stringify(stream));
      assert.deepEqual(stream?.sequences, sequences);
    });
  assert.equal(kills, KILLS, 'the clients ended before the last kill: they need more orders');
});
