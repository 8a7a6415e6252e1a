import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { dirname, join } from 'node:path';
import { after, before, test } from 'node:test';
import { Client } from 'pg';
import { addFunds } from '../../src/core/balances/change-balance.ts';
import type { ConnectionTarget } from '../../src/platform/database/connections.ts';
import { shardOf } from '../../src/platform/database/shard-of.ts';
import { linkGift } from '../harness/api-client.ts';
import { programPath } from '../harness/debian-programs.ts';
import { balanceOf, verifyAll } from '../harness/ledger.ts';
import { OPERATOR } from '../harness/operator.ts';
import { createRouter, type Router } from '../harness/router.ts';
import { until } from '../harness/server-process.ts';
import { type RunningShards, startShards } from '../harness/shards.ts';
import { TEMPLATE_DATABASE } from '../harness/test-database.ts';
import { startTestServiceOn, type TestOrganization, type TestService } from '../harness/test-service.ts';

// The steps of docs/scale.md, with its files.

const SHARDS = 4;

let servers: RunningShards;
let first: ConnectionTarget;
let second: ConnectionTarget;
const shards: ConnectionTarget[] = [];
let organizations: TestOrganization[];
let router: Router;
let sharded: TestService;

before(async () => {
  servers = (await startShards()) ?? assert.fail('There is no PgDog.');
  [first, second] = servers.shards as [ConnectionTarget, ConnectionTarget];
});
after(async () => {
  await sharded?.close();
  await router?.stop();
  await servers.close();
});

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

/** A migrated database on this server. */
async function create(server: ConnectionTarget, database: string): Promise<ConnectionTarget> {
  await query(server, `create database ${database} template ${TEMPLATE_DATABASE}`);
  return { ...server, database, options: '-c pgboss.test_clock=on' };
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

/** Waits until the subscribers have all of it. */
async function hasAll(old: ConnectionTarget): Promise<void> {
  const [{ position = '' } = {}] = await query<{ position: string }>(
    old,
    'select pg_current_wal_lsn()::text as position',
  );
  const behind = `select 1 from pg_replication_slots where database = current_database() and confirmed_flush_lsn < '${position}'`;
  await until(async () => (await query(old, behind)).length === 0, 'the subscribers have all of it');
}

async function fill(service: TestService): Promise<TestOrganization[]> {
  const organizations = await Promise.all(Array.from({ length: 12 }, () => service.organization()));
  for (const { sandbox, live } of organizations) {
    assert.equal((await sandbox.order([linkGift()])).status, 201);
    assert.equal((await live.order([linkGift()])).status, 201);
  }
  return organizations;
}

interface Load {
  /** Waits until each organization's balance has changed once more. */
  eachHasChanged(): Promise<void>;
  /** Returns the cents that each organization got. */
  stop(): Promise<number[]>;
}

/** Adds a cent to each organization again and again; the first error fails `stop`. */
function startLoad(): Load {
  const added = organizations.map(() => 0);
  let isOn = true;
  const running = organizations.map(async ({ organizationId }, index) => {
    const funds = {
      organizationId,
      environment: 'live',
      amountCents: 1,
      reference: undefined,
      note: undefined,
    } as const;
    while (isOn) {
      await addFunds(sharded.service.deps, { ...funds, actor: OPERATOR });
      added[index] = (added[index] ?? 0) + 1;
    }
  });
  return {
    async eachHasChanged() {
      const earlier = [...added];
      await until(() => added.every((cents, index) => cents > (earlier[index] ?? 0)), 'each balance has changed');
    },
    async stop() {
      isOn = false;
      await Promise.all(running);
      return added;
    },
  };
}

test('one database becomes four shards while orders go on', async () => {
  const old = await create(first, 'old');
  const service = await startTestServiceOn({ target: old, shards: [], router: undefined, drop: async () => undefined });
  await service.addCategory('coffee');
  organizations = await fill(service);

  psql(old, 'publish.sql', { shards: SHARDS });
  for (let shard = 0; shard < SHARDS; shard += 1) {
    const target = await create(second, `bestow_${shard}`);
    await query(target, `create subscription bestow_${shard} connection '${url(old)}' publication bestow_${shard}`);
    shards.push(target);
  }
  for (const { sandbox } of organizations) assert.equal((await sandbox.order([linkGift()])).status, 201);
  for (const shard of shards) await until(() => hasCopied(shard), 'the shard is copied');
  for (const { sandbox } of organizations) assert.equal((await sandbox.order([linkGift()])).status, 201);
  const balances = await Promise.all(organizations.map((each) => balanceOf(service, each, 'sandbox')));
  await service.close();
  await makeReadOnly(old);
  await hasAll(old);
  for (const [shard, target] of shards.entries()) psql(target, 'finish.sql', { shards: SHARDS, shard });

  router = await createRouter(servers.program, join(servers.directory, 'router'), shards);
  await router.start();
  sharded = await startTestServiceOn({ target: router.target, shards, router, drop: async () => undefined });
  for (const [index, organization] of organizations.entries()) {
    assert.equal(await balanceOf(sharded, organization, 'sandbox'), balances[index]);
    const found: number[] = [];
    for (const [shard, target] of shards.entries()) {
      const own = `select 1 from orders where organization_id = '${organization.organizationUuid}'`;
      found.push(...(await query(target, own)).map(() => shard));
    }
    assert.deepEqual(found, Array(4).fill(shardOf(organization.organizationUuid, SHARDS)));
  }
  await verifyAll(sharded);
});

test('a shard moves to another server while balances change, without an error', async () => {
  const MOVED = 3;
  const old = shards[MOVED] as ConnectionTarget;
  const moved = await create(first, 'bestow_3');
  await query(moved, 'truncate schema_migrations');
  await query(old, 'create publication moved for tables in schema public, table pgboss.job_common');
  await query(moved, `create subscription moved connection '${url(old)}' publication moved`);
  await until(() => hasCopied(moved), 'the shard is copied');

  const before = await Promise.all(organizations.map((each) => balanceOf(sharded, each, 'live')));
  const load = startLoad();
  await load.eachHasChanged();
  await router.administer('maintenance on');
  await makeReadOnly(old);
  await until(async () => (await query(old, `select 1 ${OTHER_SESSIONS} and state <> 'idle'`)).length === 0, 'idle');
  await query(old, `select pg_terminate_backend(pid) ${OTHER_SESSIONS}`);
  await hasAll(old);
  await router.setShards(shards.with(MOVED, moved));
  await router.administer('reload');
  await router.administer('maintenance off');
  await load.eachHasChanged();
  const added = await load.stop();
  await query(moved, 'drop subscription moved');

  const now = await Promise.all(organizations.map((each) => balanceOf(sharded, each, 'live')));
  assert.deepEqual(
    now,
    before.map((cents, index) => cents + (added[index] ?? 0)),
  );
  // pg-boss's test clock writes when it stops.
  await query(second, `alter database ${old.database} reset default_transaction_read_only`);
  await query(old, `select pg_terminate_backend(pid) ${OTHER_SESSIONS}`);
  await sharded.close();
  sharded = await startTestServiceOn({
    target: router.target,
    shards: shards.with(MOVED, moved),
    router,
    drop: async () => undefined,
  });
  await verifyAll(sharded);
});
