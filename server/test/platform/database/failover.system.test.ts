import assert from 'node:assert/strict';
import { mkdtemp } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import { finishRestore } from '../../../src/capabilities/restores/finish-restore.ts';
import { systemClock } from '../../../src/platform/base/clock.ts';
import { checkHistory } from '../../../src/surfaces/doctor/check-history.ts';
import { linkGift } from '../../harness/api-client.ts';
import { OPERATOR } from '../../harness/operator.ts';
import { type ReplicatedPostgres, startReplicatedPostgres } from '../../harness/replicated-postgres.ts';
import { until } from '../../harness/server-process.ts';
import { createTemplate } from '../../harness/template-database.ts';
import { TestClock } from '../../harness/test-clock.ts';
import { createTestDatabase, type TestDatabase } from '../../harness/test-database.ts';
import { startTestServiceOn, type TestOrganization, type TestService } from '../../harness/test-service.ts';

// An asynchronous standby of PostgreSQL takes over: with everything, without the last commits, and while the leader lives on.

// biome-ignore lint/suspicious/noExplicitAny: as the API client
type Body = any;

interface Story {
  postgres: ReplicatedPostgres;
  database: TestDatabase;
  service: TestService;
  organization: TestOrganization;
  /** Places an order; returns its id, or the status of a refusal. */
  order(): Promise<string>;
  /** Waits until orders are placed again. */
  ordersAgain(): Promise<void>;
  read(after: number): Promise<{ status: number; body: Body }>;
  findings(): Promise<string[]>;
  start(): Promise<TestService>;
}

async function begin(): Promise<Story> {
  const postgres = await startReplicatedPostgres();
  await createTemplate(postgres.target);
  const database = await createTestDatabase(undefined, [postgres.target]);
  const HISTORY_FILE = join(await mkdtemp(join(tmpdir(), 'bestow-history-')), 'history.json');
  const start = async () =>
    await startTestServiceOn(database, { HISTORY_FILE }, new TestClock(new Date(systemClock.now()).toISOString()));
  const service = await start();
  await service.addCategory('coffee');
  const organization = await service.organization();
  const { sandbox } = organization;
  const order = async () => {
    const { status, body } = await sandbox.order([linkGift()]);
    return status === 201 ? body.order_id : String(status);
  };
  const story: Story = {
    postgres,
    database,
    service,
    organization,
    order,
    ordersAgain: () => until(async () => (await order()).startsWith('ord_'), 'orders are placed again'),
    read: (after) => sandbox.get(`/v1/events?after=${after}`),
    findings: async () => {
      const { config, database: connections } = service.service.deps;
      return (await checkHistory(config, connections)).map(({ state, found }) => `${state}: ${found}`);
    },
    start,
  };
  return story;
}

test('a failover without a loss needs no one', async () => {
  const { postgres, order, ordersAgain, read, findings } = await begin();
  const placed = await order();
  await postgres.catchUp();
  const { body: before } = await read(0);
  await postgres.kill('leader');
  await postgres.promote();
  await postgres.move('standby');
  await ordersAgain();
  const { body } = await read(before.next_after);
  assert.deepEqual(
    body.data.map(({ type }: { type: string }) => type),
    ['order.created'],
  );
  assert.ok(placed.startsWith('ord_'));
  assert.deepEqual(await findings(), ['ok: as remembered']);
});

test('a failover that loses orders is noticed, and the service goes on as after a restore', async () => {
  const { postgres, service, order, ordersAgain, read, findings } = await begin();
  await order();
  await postgres.catchUp();
  await postgres.cut();
  const { body: before } = await read(0);
  for (let orders = 0; orders < 3; orders += 1) await order();
  const { body: lost } = await read(0);
  await postgres.kill('leader');
  await postgres.promote();
  await postgres.move('standby');
  await ordersAgain();

  const early = await read(lost.next_after);
  assert.deepEqual([early.status, early.body.error.code], [422, 'cursor_invalid']);
  const { body } = await read(before.next_after);
  assert.deepEqual(
    body.data.map(({ type }: { type: string }) => type),
    ['database.restored', 'order.created'],
  );
  const [finding] = await findings();
  assert.match(finding ?? '', /^fault: what was committed after .* is lost: the service went on as after a restore$/);
  const finished = await finishRestore(service.service.deps, undefined, OPERATOR);
  assert.deepEqual([finished.moved_on, finished.moved_before], [0, 1]);
  assert.deepEqual(await findings(), ['ok: as remembered']);
});

test('a leader that lives on is left within seconds, and what it took meanwhile is known to be lost', async () => {
  const { postgres, order, ordersAgain, findings } = await begin();
  await order();
  await postgres.catchUp();
  await postgres.promote();
  await postgres.move('standby');
  // The sessions still lead to the old leader.
  assert.match(await order(), /^ord_/);
  const sessions = async () =>
    (await postgres.query('leader', `select from pg_stat_activity where application_name like 'bestow%'`)).length;
  await until(async () => (await sessions()) === 0, 'no session is left');
  await ordersAgain();
  assert.match((await findings())[0] ?? '', /^fault: what was committed after/);
});

test('a start on an older copy of the files notices what is lost', async () => {
  const { postgres, service, order, ordersAgain, start } = await begin();
  await order();
  await postgres.copyLeader();
  await ordersAgain();
  for (let orders = 0; orders < 20; orders += 1) await order();
  await service.close();
  await postgres.rewindLeader();
  const again = await start();
  const { config, database } = again.service.deps;
  const [finding] = await checkHistory(config, database);
  assert.match(finding?.found ?? '', /^what was committed after .* went on as after a restore$/);
});
