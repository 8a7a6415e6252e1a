import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { setTimeout as wait } from 'node:timers/promises';
import { Client } from 'pg';
import type { ConnectionTarget } from '../../src/platform/database/connections.ts';
import { shardOf } from '../../src/platform/database/shard-of.ts';
import { createApiClient, linkGift } from '../harness/api-client.ts';
import { balanceOf, verifyAll } from '../harness/ledger.ts';
import { freePort, serve, temporaryDirectory } from '../harness/server-process.ts';
import { type RunningShards, startShards } from '../harness/shards.ts';
import { createTestDatabase, type TestDatabase } from '../harness/test-database.ts';
import {
  giftLink,
  LINK_SECRET,
  openLink,
  startTestServiceOn,
  type TestOrganization,
  type TestService,
} from '../harness/test-service.ts';

/** Settings of a process beside the test's service. */
const READY = { LINK_SECRET, LOG_LEVEL: 'silent', RATE_LIMIT_BURST: '100000' };
const FUNDS = 1_000_000;
const CENTS = 1_000;

let shards: RunningShards;
let database: TestDatabase;
let service: TestService;
/** Two organizations of each shard. */
let organizations: TestOrganization[][];
/** The orders of each until now. */
const counts = new Map<TestOrganization, number>();

before(async () => {
  shards = await startShards();
  database = await createTestDatabase(undefined, shards.shards);
  service = await startTestServiceOn(database);
  await service.addCategory('coffee');
  organizations = shards.shards.map(() => []);
  while (organizations.some((ofShard) => ofShard.length < 2)) {
    const organization = await service.organization({ sandbox: FUNDS });
    organizations[shardOf(organization.organizationUuid, shards.shards.length)]?.push(organization);
  }
});

after(async () => {
  await service.close();
  await database.drop();
  await shards.close();
});

async function queryOn(server: ConnectionTarget, text: string) {
  const client = new Client(server);
  await client.connect();
  return await client.query<{ organization_id: string }>(text).finally(() => client.end());
}

interface Orders {
  placed: Set<string>;
  /** Answers that were neither an order nor its replay. */
  errors: string[];
}

/**
 * Places orders for every organization until the act is done; retries each with its key until it is placed.
 *
 * @param address of the service
 */
async function whileOrdering(act: () => Promise<void>, address = service.url): Promise<Map<TestOrganization, Orders>> {
  const all = new Map(organizations.flat().map((each) => [each, { placed: new Set<string>(), errors: [] } as Orders]));
  let isOn = true;
  const running = [...all].map(async ([{ keys }, { placed, errors }]) => {
    const sandbox = createApiClient(address, keys.sandbox);
    while (isOn) {
      const key = crypto.randomUUID();
      for (let isPlaced = false; !isPlaced; ) {
        const answer = await sandbox.order([linkGift(CENTS)], key).catch(() => undefined);
        isPlaced = answer?.status === 201 || answer?.status === 200;
        if (isPlaced) placed.add(answer?.body.order_id);
        else errors.push(answer === undefined ? 'no answer' : `${answer.status} ${answer.body.error.code}`);
      }
    }
  });
  const untilEach = async (placed: number) => {
    while ([...all.values()].some((orders) => orders.placed.size < placed)) await wait(10);
  };
  await untilEach(3);
  await act();
  await untilEach(Math.max(...[...all.values()].map(({ placed }) => placed.size)) / 2);
  isOn = false;
  await Promise.all(running);
  return all;
}

/** Checks that every order that was placed is there and was paid for once, and that there is no other. */
async function nothingLostOrDoubled(all: Map<TestOrganization, Orders>): Promise<void> {
  // Its connections are newer than the fault.
  const second = await service.second();
  for (const [organization, { placed }] of all) {
    const rows = await second.sql('select 1 from orders where organization_id = $1', [organization.organizationUuid]);
    assert.equal(rows.length, (counts.get(organization) ?? 0) + placed.size);
    assert.equal(await balanceOf(second, organization, 'sandbox'), FUNDS - rows.length * CENTS);
    counts.set(organization, rows.length);
  }
  await verifyAll(second);
  await second.close();
}

test('all of an organization is on its shard', async () => {
  for (const organization of organizations.flat()) {
    const { body } = await organization.sandbox.order([linkGift(CENTS)]);
    counts.set(organization, 1);
    const path = `/v1/gifts/${body.gifts[0].gift_id}`;
    assert.equal((await organization.sandbox.get(path)).status, 200);
    assert.equal((await organization.sandbox.get('/v1/gifts?limit=10')).status, 200);
    assert.equal((await organization.sandbox.get('/v1/orders')).status, 200);
    const link = await giftLink(service, organization, 'sandbox');
    assert.equal((await openLink(service, link)).status, 200);
    assert.equal((await organization.sandbox.post(`/v1/sandbox${path.slice(3)}/claim`)).status, 200);
  }
  for (const [shard, server] of database.servers.entries()) {
    const { rows } = await queryOn(server, 'select distinct organization_id from events');
    const own = organizations[shard]?.map(({ organizationUuid }) => organizationUuid);
    assert.deepEqual(rows.map(({ organization_id }) => organization_id).sort(), own?.sort());
  }
});

test('orders of the other shard notice nothing of a crash; nothing is lost or doubled', async () => {
  const all = await whileOrdering(async () => {
    await shards.stopShard(0);
    await wait(500);
    await shards.startShard(0);
  });
  const errorsOf = (shard: number) => (organizations[shard] ?? []).flatMap((each) => all.get(each)?.errors ?? []);
  assert.deepEqual(errorsOf(1), []);
  for (const error of errorsOf(0)) assert.match(error, /^no answer$|^500 internal_error$|^409 /);
  await nothingLostOrDoubled(all);
});

test('after a crash of every shard all is well; nothing is lost or doubled', async () => {
  const all = await whileOrdering(async () => {
    await Promise.all([shards.stopShard(0), shards.stopShard(1)]);
    await wait(300);
    await Promise.all([shards.startShard(0), shards.startShard(1)]);
  });
  for (const { errors } of all.values())
    for (const error of errors) assert.match(error, /^no answer$|^500 internal_error$|^409 /);
  await nothingLostOrDoubled(all);
});

test('after kill -9 of the service nothing is lost or doubled', async (t) => {
  const dataDir = await temporaryDirectory(t);
  const urls = database.servers.map(
    ({ user, host, port, database: name }) => `postgres://${user}@${host}:${port}/${name}`,
  );
  const port = await freePort();
  const start = async () => {
    const process = serve(dataDir, { ...READY, PORT: `${port}`, DATABASE_SHARDS: urls.join() });
    await process.ready();
    return process;
  };
  let process = await start();
  const all = await whileOrdering(async () => {
    process.signal('SIGKILL');
    await process.ended;
    process = await start();
  }, `http://localhost:${port}`);
  for (const { errors } of all.values()) for (const error of errors) assert.match(error, /^no answer$|^409 /);
  process.signal('SIGTERM');
  assert.equal((await process.ended).code, 0);
  await nothingLostOrDoubled(all);
});
