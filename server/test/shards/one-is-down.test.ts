import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { after, before, test } from 'node:test';
import { setTimeout as wait } from 'node:timers/promises';
import { Registry } from 'prom-client';
import { listRequests } from '../../src/capabilities/request-log/list-requests.ts';
import { systemClock } from '../../src/platform/base/clock.ts';
import { OutcomeUnknown } from '../../src/platform/base/outcome-unknown.ts';
import type { ConnectionTarget } from '../../src/platform/database/connections.ts';
import { inOrganization } from '../../src/platform/database/in-organization.ts';
import { createReadiness } from '../../src/platform/database/readiness.ts';
import { shardOf } from '../../src/platform/database/shard-of.ts';
import { examine } from '../../src/surfaces/doctor/examine.ts';
import { createRegistry } from '../../src/surfaces/metrics/registry.ts';
import { createService, type Service } from '../../src/surfaces/process/serve.ts';
import { createApiClient, linkGift } from '../harness/api-client.ts';
import { runBestow } from '../harness/command-line.ts';
import { parseMetrics } from '../harness/metrics-text.ts';
import { until } from '../harness/server-process.ts';
import { type RunningShards, startShards } from '../harness/shards.ts';
import { createTestDatabase, type TestDatabase } from '../harness/test-database.ts';
import { createTestLog } from '../harness/test-log.ts';
import { LINK_SECRET, startTestServiceOn, type TestOrganization, testConfig } from '../harness/test-service.ts';

// The second of two servers is down, with the organizations that it holds. People are on the first.

let shards: RunningShards;
let database: TestDatabase;
let service: Service;
let url: string;
let up: TestOrganization;
let down: TestOrganization;

before(async () => {
  shards = await startShards();
  database = await createTestDatabase(undefined, shards.shards);
  await makeOrganizations();
  // With the real clock: a test's clock cannot move the time of a server that is down.
  const servers = database.serviceServers.map((server) => ({ ...server, options: '' }));
  const surroundings = { servers, clock: systemClock, log: createTestLog(), linkSecrets: [LINK_SECRET] };
  service = await createService(testConfig(), surroundings);
  url = await service.listen();
  assert.deepEqual(await askForCode(), { success: true });
  // Rows of both wait for the request log when the server stops.
  for (let count = 0; count < 60; count += 1)
    for (const organization of [down, up]) assert.equal((await sandbox(organization).get('/v1/balance')).status, 200);
  await shards.stopShard(1);
});

after(async () => {
  await service.close();
  await shards.startShard(1);
  await database.drop();
  await shards.close();
});

/** One on each server. */
async function makeOrganizations(): Promise<void> {
  const earlier = await startTestServiceOn(database);
  await earlier.addCategory('coffee');
  const found: TestOrganization[] = [];
  while (found[0] === undefined || found[1] === undefined) {
    const organization = await earlier.organization();
    found[shardOf(organization.organizationUuid, 2)] = organization;
  }
  [up, down] = found as [TestOrganization, TestOrganization];
  await earlier.close();
}

const sandbox = ({ keys }: TestOrganization) => createApiClient(url, keys.sandbox);

async function askForCode(): Promise<unknown> {
  const answer = await fetch(`${url}/portal/api/auth/email-otp/send-verification-otp`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', origin: url },
    body: JSON.stringify({ email: 'stranger@example.com', type: 'sign-in' }),
  });
  return await answer.json();
}

const urlOf = ({ user, host, port, database: name }: ConnectionTarget) => `postgres://${user}@${host}:${port}/${name}`;

const bestow = (...args: string[]) =>
  runBestow(database.target, args, {
    variables: { DATABASE_URL: '', DATABASE_SHARDS: database.servers.map(urlOf).join() },
  });

test('requests of the other organizations are all in the request log', async () => {
  const scope = { organizationId: up.organizationUuid, environment: 'sandbox' } as const;
  const logged = async () => (await listRequests(service.deps, scope, { limit: 1_000 })).rows.length;
  await until(async () => (await logged()) === 60, '60 requests are logged');
  assert.equal((await sandbox(up).get('/v1/gifts')).status, 200);
  await until(async () => (await logged()) === 61, 'the next request is logged');
});

test('the event feed of another organization waits for its next event', async () => {
  const { body } = await sandbox(up).get('/v1/events?limit=1000');
  const waits = sandbox(up).get(`/v1/events?after=${body.next_after}&wait=20`);
  // Longer than the server that is down takes to refuse a look at its events.
  assert.equal(await Promise.race([waits.then(() => true), wait(1_000, false)]), false);
  await sandbox(up).order([linkGift()]);
  assert.ok((await waits).body.data.length > 0);
});

/** More of each kind than a server has connections. */
async function use({ organizationUuid: id }: TestOrganization) {
  const { database } = service.deps;
  const update = 'update gifts set opened_at = now() where organization_id = $1';
  const results = await Promise.allSettled(
    Array.from({ length: 30 }, () => [
      database.read.query({ name: 'read', text: 'select from gifts where organization_id = $1', values: [id] }),
      database.change.query({ name: 'change', text: update, values: [id] }),
      inOrganization(database, id, (client) => client.query('select 1')),
    ]).flat(),
  );
  return { statuses: [...new Set(results.map(({ status }) => status))], results };
}

test('the other organizations notice nothing, and the process is ready', async () => {
  const [ofUp, ofDown] = await Promise.all([use(up), use(down)]);
  assert.deepEqual([ofUp.statuses, ofDown.statuses], [['fulfilled'], ['rejected']]);
  // What comes later never runs, so its outcome is known.
  const later = await use(down);
  assert.ok(!later.results.some((each) => each.status === 'rejected' && each.reason instanceof OutcomeUnknown));
  assert.deepEqual(await createReadiness(service.deps.database)(), []);
});

test('orders of the server that is down are 500 and never 429', async () => {
  const answers = await Promise.all(
    Array.from({ length: 40 }, () =>
      sandbox(down)
        .order([linkGift()])
        .catch(() => undefined),
    ),
  );
  const statuses = new Set(answers.map((answer) => answer?.status));
  assert.deepEqual([...statuses], [500]);
  assert.equal((await sandbox(up).order([linkGift()])).status, 201);
});

test('commands work for the other organizations, and say which server is missing', async () => {
  const [first = '', second = ''] = [up, down].map(({ organizationId }) => organizationId);
  const shown = await bestow('balance', 'show', '--org', first);
  assert.equal(shown.code, 0, shown.stderr);
  assert.match(
    shown.stderr,
    /^The database of DATABASE_SHARDS, number 2 .* cannot be reached: .* The command goes on without it\.$/m,
  );
  const refused = await bestow('balance', 'show', '--org', second);
  assert.equal(refused.code, 1);
  assert.match(refused.stderr, /cannot be reached/);
  const named = await bestow('balance', 'show', '--org', first.slice(-8));
  assert.deepEqual([named.code, /Name the organization by its whole id/.test(named.stderr)], [1, true]);
  assert.equal((await bestow('org', 'suspend', first, '--no-hold-gifts', '--yes')).code, 0);
  assert.equal((await bestow('org', 'reinstate', first)).code, 0);
  const listed = await bestow('org', 'list', '--json');
  assert.deepEqual([listed.code, listed.stdout.includes(first), listed.stdout.includes(second)], [0, true, false]);
  const { body } = await createApiClient(url, up.keys.live).order([linkGift()]);
  const held = await bestow('gift', 'hold', body.gifts[0].gift_id, '--yes');
  assert.equal(held.code, 0, held.stderr);
  assert.equal((await bestow('gift', 'find', body.gifts[0].gift_id)).code, 0);
  // What would be incomplete is refused.
  assert.equal((await bestow('gift', 'find', 'unknown')).code, 1);
  assert.equal((await bestow('ledger', 'verify')).code, 1);
  assert.equal((await bestow('recipient', 'erase', '--email', 'ada@example.com', '--yes')).code, 1);
  const added = await bestow('catalog', 'add-built-in');
  assert.equal(added.code, 1);
});

test('the doctor examines the servers that answer', async () => {
  const config = testConfig({ DATABASE_SHARDS: database.servers.map(urlOf).join(), LINK_SECRET: randomUUID() });
  const found = await Array.fromAsync(examine(config, service.deps.database, systemClock));
  const stateOf = (name: string) => found.find(({ check }) => check === name)?.state;
  assert.deepEqual([stateOf('PostgreSQL of shard 1'), stateOf('PostgreSQL of shard 2')], ['ok', 'fault']);
  const faults = found.filter(({ check, state }) => state === 'fault' && !check.startsWith('fsync'));
  assert.deepEqual(
    faults.map(({ check }) => check),
    ['PostgreSQL of shard 2'],
  );
});

test('sign-in says to everyone that members of some organizations get no code', async () => {
  assert.deepEqual(await askForCode(), { success: true, some_are_missing: true });
});

test('the metrics tell which server is down', async () => {
  const { clock, log } = service.deps;
  const { read } = createRegistry(new Registry(), {
    servers: database.servers,
    clock,
    log,
    channels: undefined,
    backupFile: undefined,
  });
  const samples = parseMetrics(await read());
  assert.deepEqual([samples['bestow_database_up{server="1"}'], samples['bestow_database_up{server="2"}']], [1, 0]);
});
