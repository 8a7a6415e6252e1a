import assert from 'node:assert/strict';
import { before, beforeEach, test } from 'node:test';
import { setProgram } from '../../../src/core/organizations/set-program.ts';
import { systemClock } from '../../../src/platform/base/clock.ts';
import { timeOfId } from '../../../src/platform/base/id-time.ts';
import { decodeId } from '../../../src/platform/base/ids.ts';
import { acceptTime, databasesWithClocks } from '../../../src/platform/jobs/clocks.ts';
import { watchClocks } from '../../../src/platform/jobs/watch-clocks.ts';
import { createTasks } from '../../../src/surfaces/process/create-tasks.ts';
import { createService } from '../../../src/surfaces/process/serve.ts';
import { type ApiClient, createApiClient, gift } from '../../harness/api-client.ts';
import { runBestow } from '../../harness/command-line.ts';
import { startDebianPostgres } from '../../harness/debian-postgres.ts';
import { OPERATOR } from '../../harness/operator.ts';
import { until } from '../../harness/server-process.ts';
import { createSetClock, type SetClock } from '../../harness/set-clock.ts';
import { createTemplate } from '../../harness/template-database.ts';
import { TestClock } from '../../harness/test-clock.ts';
import { createTestDatabase, type TestDatabase } from '../../harness/test-database.ts';
import { createTestLog } from '../../harness/test-log.ts';
import {
  LINK_SECRET,
  startTestServiceOn,
  type TestOrganization,
  type TestService,
  testConfig,
} from '../../harness/test-service.ts';

// What the work of each minute does by a wrong clock: nothing. PostgreSQL is a real one whose clock can be set.

const DAY_MS = 86_400_000;
const FAR_MS = 120 * DAY_MS;
const service = {} as TestService;
let database: TestDatabase;
let link: string;
let organization: TestOrganization;
let ofPostgres: SetClock;
let sentences: string[] = [];

before(async () => {
  ofPostgres = await createSetClock();
  const postgres = await startDebianPostgres(ofPostgres.variables);
  const server = postgres.target('postgres');
  await createTemplate(server);
  const settings = { EVENTS_KEPT_DAYS: '90', RETENTION_DAYS: '30' };
  database = await createTestDatabase(undefined, [server]);
  Object.assign(service, await startTestServiceOn(database, settings, new TestClock(new Date())));
  for (const id of ['coffee', 'books', 'travel']) await service.addCategory(id);
  organization = await service.organization();
  await putAtStake();
  await minuteWork();
});

beforeEach(() => {
  sentences = [];
});

/** The work of one minute, by a clock that is so far ahead. Returns the process's watch of its clock. */
async function minuteWork(aheadMs = 0) {
  const clock = { ...systemClock, now: () => Date.now() + aheadMs };
  const log = { error: (sentence: unknown) => sentences.push(String(sentence)), info: () => undefined };
  const { deps } = service.service;
  const clockWatch = watchClocks({ clock, log, servers: databasesWithClocks(deps.database) });
  await clockWatch.start(() => undefined);
  const [tasks] = createTasks(
    { ...deps, clock, clockWatch },
    { email: undefined, phone: undefined, notice: undefined },
  );
  await tasks?.everyMinute();
  await clockWatch.stop();
  return clockWatch;
}

/** Gifts that wait for their day, will be reminded and expire; events and lines of the log that will be too old. */
async function putAtStake(): Promise<void> {
  const { deps } = service.service;
  const { organizationId } = organization;
  const program = { program: 'award', unclaimedAfterDays: 30, reminderDays: [7, 21] } as const;
  await setProgram(deps, { organizationId, ...program, actor: OPERATOR });
  const email = { method: 'email', email: 'ada@example.com' };
  await organization.live.order([gift({ delivery: email })]);
  const send_at = new Date(Date.now() + 30 * DAY_MS).toISOString();
  await organization.live.order([gift({ delivery: { ...email, send_at } })]);
  const { body } = await organization.live.order([gift({ delivery: { method: 'link' } })]);
  link = (await organization.live.order([gift({ delivery: { method: 'link' } })])).body.gifts[0].delivery.link;
  await organization.live.post(`/v1/gifts/${body.gifts[0].gift_id}/cancel`, {});
}

const KEPT = [
  'audit_events',
  'deliveries',
  'events',
  'gifts',
  'idempotent_requests',
  'ledger_entries',
  'notices',
  'orders',
];

/** How many rows each table has, how many messages wait, and the balance. */
async function everything(): Promise<Record<string, unknown>> {
  const counted = KEPT.map((table) => `(select count(*) from ${table}) as ${table}`);
  const [row] = await service.sql(
    `select ${counted.join(', ')}, (select count(*) from request_log) as request_log,
       (select count(*) from pgboss.job where name like 'send-%') as messages,
       (select sum(balance_cents) from balances) as balance,
       (select count(*) from gifts where canceled_at is not null) as canceled`,
  );
  return row ?? {};
}

for (const [whose, ofProcessMs, ofPostgresMs] of [
  ['a process is 120 days ahead', FAR_MS, 0],
  ['a process is 120 days behind', -FAR_MS, 0],
  ['PostgreSQL is 120 days ahead', 0, FAR_MS],
  ['PostgreSQL is 120 days behind', 0, -FAR_MS],
] as const)
  test(`deletes, ends and sends nothing while the clock of ${whose}`, async () => {
    const earlier = await everything();
    await ofPostgres.setAhead(ofPostgresMs);
    const watch = await minuteWork(ofProcessMs);
    assert.equal(watch.isRight(0), false);
    assert.deepEqual(await everything(), earlier);
    assert.match(sentences.join('\n'), /^This machine’s clock is 120\.0 days (ahead of|behind) PostgreSQL’s/);
    await ofPostgres.setAhead(0);
    assert.equal((await minuteWork()).isRight(0), true);
    assert.deepEqual(await everything(), earlier);
  });

test('waits for a word when the time leaps by more than two days, and then does what is due', async () => {
  const earlier = await everything();
  await ofPostgres.setAhead(FAR_MS);
  assert.equal((await minuteWork(FAR_MS)).isRight(0), true);
  assert.deepEqual(await everything(), earlier);
  assert.match(sentences.join('\n'), /^The time is 120\.0 days ahead of that of the last work of each minute/);

  await acceptTime(service.service.deps.database);
  sentences = [];
  await minuteWork(FAR_MS);
  const later = await everything();
  assert.deepEqual(sentences, []);
  // The scheduled gift is sent, the admin hears that another will expire, and what is old is gone.
  assert.equal(Number(later['messages']), Number(earlier['messages']) + 1);
  assert.equal(Number(later['notices']), Number(earlier['notices']) + 1);
  assert.ok(Number(later['events']) < Number(earlier['events']));
  assert.equal(Number(later['request_log']), 0);
});

test('waits for the time to come after a time that was ahead', async () => {
  await ofPostgres.setAhead(0);
  const earlier = await everything();
  await minuteWork();
  assert.deepEqual(await everything(), earlier);
  assert.match(sentences.join('\n'), /^The time is 120\.0 days behind that of the last work/);
  await acceptTime(service.service.deps.database);
  sentences = [];
  await minuteWork();
  assert.deepEqual(sentences, []);
});

test('a process whose clock differs answers nothing that it would date, until it is right', async (t) => {
  await ofPostgres.setAhead(0);
  const earlier = await everything();
  let aheadMs = FAR_MS;
  t.mock.method(systemClock, 'now', () => Date.now() + aheadMs);
  const { listen, close } = await createService(testConfig(), {
    servers: database.serviceServers,
    homeTarget: undefined,
    clock: systemClock,
    log: createTestLog(),
    linkSecrets: [LINK_SECRET],
  });
  try {
    const url = await listen();
    const api = createApiClient(url, organization.keys.live);
    const order = () => api.order([gift({ delivery: { method: 'link' } })]);
    const { pathname } = new URL(link);
    const refused = async () => [
      (await order()).body.error?.code,
      (await fetch(`${url}${pathname}`)).status,
      (await fetch(`${url}/portal`)).status,
    ];
    assert.deepEqual(await refused(), ['internal_error', 500, 500]);
    assert.equal((await api.get('/v1/health')).status, 200);
    assert.match(await fetch(`${url}/readyz`).then((answer) => answer.text()), /clock_differs/);
    assert.deepEqual(await everything(), earlier);
    aheadMs = 0;
    await until(async () => (await order()).status === 201, 'the clock is looked at again');
    assert.equal((await fetch(`${url}${pathname}`)).status, 200);
    // A clock that is set is not believed until it is compared.
    aheadMs = -FAR_MS;
    assert.deepEqual(await refused(), ['internal_error', 500, 500]);
  } finally {
    await close();
  }
});

test('orders that a wrong clock dated date those after them of their organization, and no others', async () => {
  await ofPostgres.setAhead(0);
  const other = await service.organization();
  const second = await service.second();
  const nowMs = service.clock.now();
  const dateOf = async (api: ApiClient): Promise<number> => {
    const { status, body } = await api.order([gift({ delivery: { method: 'link' } })]);
    assert.equal(status, 201);
    return timeOfId(decodeId('ord', body.order_id) ?? '').getTime() - nowMs;
  };
  second.service.deps.ids.next(nowMs + FAR_MS);
  assert.ok((await dateOf(second.api(organization.keys.live))) > FAR_MS - DAY_MS);
  // Each is above the one before.
  for (let count = 0; count < 3; count += 1) assert.ok((await dateOf(organization.live)) > FAR_MS - DAY_MS);
  assert.ok((await dateOf(other.live)) < DAY_MS);
  const { stdout } = await runBestow(service.target, ['doctor', '--json']);
  const findings = JSON.parse(stdout) as { check: string; state: string; found: string }[];
  const { state, found } = findings.find(({ check }) => check === 'dates of orders') ?? assert.fail(stdout);
  assert.equal(state, 'warning');
  assert.match(found, /^1 balance has orders dated up to \d{4}-/);
});

test('clock accept says whose time it took when this machine’s clock is another', async () => {
  await ofPostgres.setAhead(FAR_MS);
  const { code, stderr } = await runBestow(service.target, ['clock', 'accept', '--yes']);
  assert.equal(code, 0, stderr);
  assert.match(stderr, /This machine’s clock is 120\.0 days behind PostgreSQL’s\. PostgreSQL’s time was accepted\./);
});
