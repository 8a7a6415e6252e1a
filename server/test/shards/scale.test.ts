import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { dirname, join } from 'node:path';
import { after, before, test } from 'node:test';
import { setTimeout as wait } from 'node:timers/promises';
import { Client } from 'pg';
import { encodeId } from '../../src/platform/base/ids.ts';
import type { ConnectionTarget } from '../../src/platform/database/connections.ts';
import { shardOf } from '../../src/platform/database/shard-of.ts';
import { openDatabase } from '../../src/platform/installation/open-database.ts';
import { linkGift } from '../harness/api-client.ts';
import { programPath } from '../harness/debian-programs.ts';
import { verifyAll } from '../harness/ledger.ts';
import { until } from '../harness/server-process.ts';
import { type RunningShards, startShards } from '../harness/shards.ts';
import { TEMPLATE_DATABASE, type TestDatabase } from '../harness/test-database.ts';
import { startTestServiceOn, type TestOrganization, type TestService } from '../harness/test-service.ts';

// The steps of docs/scale.md, with its files.

const SHARDS = 4;

let servers: RunningShards;
let first: ConnectionTarget;
let second: ConnectionTarget;
const shards: ConnectionTarget[] = [];
let organizations: TestOrganization[];
/** Takes the orders; a test replaces it as a balancer would. */
let current: TestService;

before(async () => {
  servers = await startShards();
  [first, second] = servers.shards as [ConnectionTarget, ConnectionTarget];
});
after(() => servers.close());

const url = ({ host, port, user, database }: ConnectionTarget) => `postgres://${user}@${host}:${port}/${database}`;

async function query<Row>(target: ConnectionTarget, text: string): Promise<Row[]> {
  const client = new Client({ ...target, options: '' });
  await client.connect();
  try {
    return (await client.query(text)).rows as Row[];
  } finally {
    await client.end();
  }
}

/** A migrated database on this server, as `bestow migrate` makes it. */
async function create(server: ConnectionTarget, database: string): Promise<ConnectionTarget> {
  await query(server, `create database ${database} template ${TEMPLATE_DATABASE}`);
  const made = { ...server, database, options: '-c pgboss.test_clock=on' };
  await open([made]);
  return made;
}

/** Runs a file of deploy/shards. */
function psql(target: ConnectionTarget, file: string, variables: Record<string, number>): void {
  const set = Object.entries(variables).flatMap(([name, value]) => ['-v', `${name}=${value}`]);
  const args = [url(target), '-q', ...set, '-f', join('deploy/shards', file)];
  const { status, stderr } = spawnSync(join(dirname(programPath('pg_dump')), 'psql'), args, { encoding: 'utf8' });
  assert.equal(status, 0, stderr);
}

const hasCopied = async (subscriber: ConnectionTarget) => {
  const rows = await query(subscriber, `select 1 from pg_subscription_rel where srsubstate <> 'r'`);
  return rows.length === 0;
};

const OTHER_SESSIONS = `from pg_stat_activity
  where datname = current_database() and backend_type = 'client backend' and pid <> pg_backend_pid()`;

const makeReadOnly = ({ database, ...server }: ConnectionTarget) =>
  query({ ...server, database }, `alter database ${database} set default_transaction_read_only = on`);

/** pg-boss's test clock writes when it stops. */
async function endReadOnly({ database, ...server }: ConnectionTarget): Promise<void> {
  await query({ ...server, database: 'postgres' }, `alter database ${database} reset default_transaction_read_only`);
  await cutOff({ ...server, database });
}

/** Waits until the subscribers have all of it. */
async function hasAll(old: ConnectionTarget): Promise<void> {
  const [{ position = '' } = {}] = await query<{ position: string }>(
    old,
    'select pg_current_wal_lsn()::text as position',
  );
  const behind = `select 1 from pg_replication_slots where database = current_database() and confirmed_flush_lsn < '${position}'`;
  await until(async () => (await query(old, behind)).length === 0, 'the subscribers have all of it');
}

const drop = async () => undefined;
const databasesOf = (targets: ConnectionTarget[]): TestDatabase => ({
  target: targets[0] as ConnectionTarget,
  servers: targets,
  serviceServers: targets,
  drop,
});

/** As a start does, which also checks the numbers of the shards. */
const open = (targets: ConnectionTarget[]) => openDatabase({ databaseUrls: targets.map(url), dataDir: '' }, 'server');

interface Load {
  /** Waits until each organization has placed one more order. */
  eachHasOrdered(): Promise<void>;
  /** Returns each organization's orders, and the longest time that one took. */
  stop(): Promise<{ placed: Set<string>[]; longestMs: number }>;
}

/** Without a pause the load takes most of the processor's time; with it, some orders are still under way at each moment. */
const BETWEEN_ORDERS_MS = 20;

/** Each organization places one order after another, and repeats one with its key until it is placed, as the SDK does. */
function startLoad(): Load {
  const placed = organizations.map(() => new Set<string>());
  let isOn = true;
  let longestMs = 0;
  const running = organizations.map(async ({ keys }, index) => {
    while (isOn) {
      const key = randomUUID();
      const startedAtMs = performance.now();
      for (let orderId: string | undefined; orderId === undefined; ) {
        const answer = await current
          .api(keys.live)
          .order([linkGift(1_000)], key)
          .catch(() => undefined);
        assert.doesNotMatch(`${answer?.status}`, /4\d\d/, JSON.stringify(answer?.body));
        orderId = answer?.body.order_id;
        if (orderId === undefined) await wait(20);
        else placed[index]?.add(orderId);
      }
      longestMs = Math.max(longestMs, performance.now() - startedAtMs);
      await wait(BETWEEN_ORDERS_MS);
    }
  });
  return {
    async eachHasOrdered() {
      const earlier = placed.map(({ size }) => size);
      await until(() => placed.every(({ size }, index) => size > (earlier[index] ?? 0)), 'each has ordered');
    },
    async stop() {
      isOn = false;
      await Promise.all(running);
      return { placed, longestMs };
    },
  };
}

/** The organization's orders on its shard. */
async function ordersOf({ organizationUuid }: TestOrganization): Promise<string[]> {
  const own = shards[shardOf(organizationUuid, SHARDS)] as ConnectionTarget;
  const text = `select order_id from orders where environment = 'live' and organization_id = '${organizationUuid}'`;
  return (await query<{ order_id: string }>(own, text)).map(({ order_id }) => encodeId('ord', order_id));
}

/** Every order that was placed is there, on its shard and paid once; there is no other. */
async function nothingIsLostOrDoubled(placed: Set<string>[]): Promise<void> {
  for (const [index, organization] of organizations.entries())
    assert.deepEqual((await ordersOf(organization)).sort(), [...(placed[index] ?? [])].sort());
  await verifyAll(current);
}

/** Ends the sessions of the services that write to it, as the documents say. */
const cutOff = (old: ConnectionTarget) => query(old, `select pg_terminate_backend(pid) ${OTHER_SESSIONS}`);

test('one database becomes four shards while orders go on', async (t) => {
  const old = await create(first, 'old');
  const alone = await startTestServiceOn(databasesOf([old]));
  current = alone;
  await alone.addCategory('coffee');
  organizations = await Promise.all(Array.from({ length: 12 }, () => alone.organization({ live: 100_000_000 })));
  const load = startLoad();
  await load.eachHasOrdered();

  psql(old, 'publish.sql', { shards: SHARDS });
  for (let shard = 0; shard < SHARDS; shard += 1) {
    const target = await create(second, `bestow_${shard}`);
    await query(target, 'truncate installation');
    await query(target, `create subscription bestow_${shard} connection '${url(old)}' publication bestow_${shard}`);
    shards.push(target);
  }
  for (const shard of shards) await until(() => hasCopied(shard), 'the shard is copied');
  await load.eachHasOrdered();
  await makeReadOnly(old);
  await cutOff(old);
  await hasAll(old);
  for (const [shard, target] of shards.entries()) psql(target, 'finish.sql', { shards: SHARDS, shard });
  await open(shards);
  await assert.rejects(open(shards.toReversed()), /name the servers in their order/);
  current = await startTestServiceOn(databasesOf(shards));
  await load.eachHasOrdered();
  const { placed, longestMs } = await load.stop();
  t.diagnostic(`the longest order took ${Math.round(longestMs)} ms`);
  await nothingIsLostOrDoubled(placed);
  await endReadOnly(old);
  await alone.close();
});

test('a shard moves to another server while orders go on', async (t) => {
  const MOVED = 3;
  const old = shards[MOVED] as ConnectionTarget;
  const moved = await create(first, 'bestow_3');
  await query(moved, 'truncate schema_migrations, installation');
  await query(old, 'create publication moved for tables in schema public, table pgboss.job_common');
  await query(moved, `create subscription moved connection '${url(old)}' publication moved`);
  await until(() => hasCopied(moved), 'the shard is copied');

  const before = await Promise.all(organizations.map(ordersOf));
  const previous = await startTestServiceOn(databasesOf(shards));
  current = previous;
  const load = startLoad();
  await load.eachHasOrdered();
  await makeReadOnly(old);
  await cutOff(old);
  await hasAll(old);
  await query(moved, 'drop subscription moved');
  shards[MOVED] = moved;
  await open(shards);
  current = await startTestServiceOn(databasesOf(shards));
  await load.eachHasOrdered();
  const { placed, longestMs } = await load.stop();
  t.diagnostic(`the longest order took ${Math.round(longestMs)} ms`);
  await nothingIsLostOrDoubled(placed.map((orders, index) => orders.union(new Set(before[index]))));
  await endReadOnly(old);
  await previous.close();
});
