import assert from 'node:assert/strict';
import { createHash, randomUUID } from 'node:crypto';
import { after, before, test } from 'node:test';
import { type Answer, emailGift, linkGift } from './api-client.ts';
import { type Holder, openHolder } from './holder.ts';
import { balanceOf, verifyAll } from './ledger.ts';
import { until } from './server-process.ts';
import { allowConnections } from './test-database.ts';
import { startTestService, type TestOrganization, type TestService } from './test-service.ts';

const count = (answers: Answer[], status: number, code?: string) =>
  answers.filter((answer) => answer.status === status && answer.body.error?.code === code).length;

const sleepingSessions = `from pg_stat_activity where datname = current_database() and wait_event = 'PgSleep'`;

interface Races {
  service: TestService;
  /** Another process on the same database. */
  other: TestService;
  holder: Holder;
}

/** Starts two processes on one database; checks the ledger at the end. @param variables settings of both processes */
function startRaces(variables: Record<string, string>): Races {
  const races = {} as Races;
  before(async () => {
    const service = await startTestService(variables);
    // Held-up statements must outlast a busy machine.
    for (const { placement } of service.service.deps.database.servers)
      Object.assign(placement.options, { statement_timeout: 20_000, query_timeout: 20_000 });
    Object.assign(races, { service, other: await service.second(), holder: await openHolder(service) });
  });
  after(async () => {
    await races.holder.end();
    await verifyAll(races.service);
    await races.service.close();
  });
  return races;
}

/** Tests that depend on how many orders go into one statement. @param variables settings of both processes */
export function testGroups(variables: Record<string, string>): void {
  addBatchTests(startRaces(variables));
}

/** Tests what must hold between two processes. */
export function testRaces(): void {
  const races = startRaces({});
  addBatchTests(races);
  addKeyTests(races);
  addLockTests(races);
  addFailureTests(races);
  addOutageTests(races);
}

function addBatchTests(races: Races): void {
  test('concurrent orders of one organization are all placed', async () => {
    const organization = await races.service.organization();
    const answers = await Promise.all(Array.from({ length: 100 }, () => organization.sandbox.order([linkGift(1000)])));
    assert.equal(count(answers, 201), 100);
    assert.equal(await balanceOf(races.service, organization, 'sandbox'), 1_000_000 - 100 * 1000);
  });

  test('an order that the balance cannot cover takes nothing from those beside it', async () => {
    for (let round = 0; round < 5; round += 1) {
      const organization = await races.service.organization({ sandbox: 5_000 });
      const amounts = [6_000, 3_000, 3_000, 2_000];
      const answers = await Promise.all(amounts.map((amount) => organization.sandbox.order([linkGift(amount)])));
      const statuses = answers.map(({ status }) => status);
      assert.deepEqual([statuses[0], statuses[3]], [402, 201]);
      assert.deepEqual(statuses.slice(1, 3).sort(), [201, 402]);
      assert.equal(await balanceOf(races.service, organization, 'sandbox'), 0);
    }
  });

  test('an order refused before the charge does not lock out another one', async () => {
    const organization = await races.service.organization();
    for (let round = 0; round < 10; round += 1) {
      const [refused, placed] = await Promise.all([
        organization.sandbox.order([emailGift('internal-error')]),
        organization.sandbox.order([linkGift()]),
      ]);
      assert.deepEqual([refused.status, placed.status], [500, 201], JSON.stringify(placed.body));
    }
  });

  test('concurrent orders of many organizations are all placed', async () => {
    const organizations: TestOrganization[] = [];
    while (organizations.length < 40) organizations.push(await races.service.organization());
    const answers = await Promise.all(organizations.map(({ sandbox }) => sandbox.order([linkGift(), linkGift()])));
    assert.equal(count(answers, 201), 40);
  });

  test('of a batch with an invalid order, only that order fails', async () => {
    await races.service.sql(`create function poison() returns trigger language plpgsql as $$
      begin if new.amount_cents = 1313 then raise exception 'poison'; end if; return new; end $$`);
    await races.service.sql('create trigger poison before insert on orders for each row execute function poison()');
    const organizations = await Promise.all(Array.from({ length: 4 }, () => races.service.organization()));
    const answers = await Promise.all(
      Array.from({ length: 20 }, (_, n) =>
        organizations[n % 4]?.sandbox.order([linkGift(n === 7 ? 1313 : 1000)], `poison-${n}`),
      ),
    ).then((all) => all.filter((answer) => answer !== undefined));
    await races.service.sql('drop trigger poison on orders');
    assert.equal(count(answers, 201), 19);
    assert.deepEqual([answers[7]?.status, answers[7]?.body.error.code], [500, 'internal_error']);
    assert.equal(answers[7]?.headers.get('retry-after'), '1');
    const poisoned = organizations[3] as TestOrganization;
    assert.equal(await balanceOf(races.service, poisoned, 'sandbox'), 1_000_000 - 4 * 1000);
    assert.equal((await poisoned.sandbox.order([linkGift(1313)], 'poison-7')).status, 201);
  });
}

const clientsOf = ({ other }: Races, { sandbox, keys }: TestOrganization) => [sandbox, other.api(keys.sandbox)];

/** Runs the act while a transaction holds the statement's locks. */
async function whileHolding<Result>(
  { holder }: Races,
  text: string,
  values: unknown[],
  act: () => Promise<Result>,
): Promise<Result> {
  await holder.query('begin');
  try {
    await holder.query(text, values);
    return await act();
  } finally {
    await holder.query('rollback');
  }
}

function addKeyTests(races: Races): void {
  test('a second request with a key waits for the first one of its process and replays', async () => {
    const organization = await races.service.organization();
    const answers = await Promise.all(
      Array.from({ length: 20 }, () => organization.sandbox.order([linkGift()], 'same')),
    );
    assert.deepEqual([count(answers, 201), count(answers, 200)], [1, 19]);
    assert.equal(new Set(answers.map(({ body }) => body.order_id)).size, 1);
  });

  test('fifty concurrent requests with one key place one order', async () => {
    const organization = await races.service.organization({ sandbox: 1_000_000 });
    const [one, two] = clientsOf(races, organization);
    const answers = await Promise.all(
      Array.from({ length: 50 }, (_, n) => (n % 2 ? one : two)?.order([linkGift()], 'fifty')),
    ).then((all) => all.filter((answer) => answer !== undefined));
    assert.equal(count(answers, 201), 1);
    assert.equal(count(answers, 200) + count(answers, 409, 'idempotency_in_progress'), 49);
    const ids = new Set(answers.filter(({ status }) => status < 300).map(({ body }) => body.order_id));
    assert.equal(ids.size, 1);
    assert.equal(await balanceOf(races.service, organization, 'sandbox'), 1_000_000 - 2500);
  });

  test('a hundred concurrent orders never overdraw a balance for twenty', async () => {
    const organization = await races.service.organization({ sandbox: 20 * 1000 });
    const [one, two] = clientsOf(races, organization);
    const orderUntilDecided = async (n: number) => {
      const key = `hundred-${n}`;
      for (;;) {
        const answer = await (n % 2 ? one : two)?.order([linkGift(1000)], key);
        if (answer?.status !== 409) return answer?.status;
        assert.match(answer.body.error.code, /^(resource_locked|idempotency_in_progress)$/);
        assert.equal(answer.headers.get('retry-after'), '1');
      }
    };
    const statuses = await Promise.all(Array.from({ length: 100 }, (_, n) => orderUntilDecided(n)));
    assert.equal(statuses.filter((status) => status === 201).length, 20);
    assert.equal(statuses.filter((status) => status === 402).length, 80);
    assert.equal(await balanceOf(races.service, organization, 'sandbox'), 0);
  });

  test('a key in use is idempotency_in_progress on either process; others are placed', async () => {
    const organization = await races.service.organization();
    const hash = createHash('sha256').update(`${organization.organizationUuid} sandbox running`).digest();
    await whileHolding(races, 'select pg_advisory_xact_lock($1)', [hash.readBigInt64BE().toString()], async () => {
      for (const client of clientsOf(races, organization)) {
        const answer = await client.order([linkGift()], 'running');
        assert.deepEqual([answer.status, answer.body.error.code], [409, 'idempotency_in_progress']);
        assert.equal(answer.headers.get('retry-after'), '1');
        assert.equal((await client.order([linkGift()])).status, 201);
      }
    });
    assert.equal((await organization.sandbox.order([linkGift()], 'running')).status, 201);
  });
}

function addLockTests(races: Races): void {
  test('without a wait an order is resource_locked while the balance is locked', async () => {
    const organization = await races.service.organization();
    const hasty = await Promise.all([0, 1].map(() => races.service.second({ ORDER_LOCK_WAIT_MS: '0' })));
    const hold = `select from balances where organization_id = $1 and environment = 'sandbox' for update`;
    const replayed = await organization.sandbox.order([linkGift()], 'placed before');
    await whileHolding(races, hold, [organization.organizationUuid], async () => {
      for (const client of hasty.map((process) => process.api(organization.keys.sandbox))) {
        const answer = await client.order([linkGift()], 'held');
        assert.equal(answer.body.error.code, 'resource_locked');
        assert.deepEqual([answer.status, answer.headers.get('retry-after')], [409, '1']);
        // Checks before the lock still answer.
        const replay = await client.order([linkGift()], 'placed before');
        assert.deepEqual([replay.status, replay.body.order_id], [200, replayed.body.order_id]);
        assert.equal((await client.order([linkGift(1001)], 'placed before')).body.error.code, 'idempotency_key_reused');
      }
      assert.equal((await organization.live.order([linkGift()], 'held')).status, 201);
    });
    assert.equal((await organization.sandbox.order([linkGift()], 'held')).status, 201);
    for (const process of hasty) await process.close();
  });
}

function addFailureTests(races: Races): void {
  test('an order is placed once if its connection is lost during the statement', async () => {
    const organization = await races.service.organization();
    // Slow only the first time: a rollback does not undo `nextval`.
    await races.service.sql('create sequence slowed');
    await races.service.sql(`create function slow() returns trigger language plpgsql as $$
      begin if new.amount_cents = 1414 and nextval('slowed') = 1 then perform pg_sleep(15); end if; return new; end $$`);
    await races.service.sql('create trigger slow before insert on orders for each row execute function slow()');
    const placing = organization.sandbox.order([linkGift(1414)], 'lost');
    const end = `select pg_terminate_backend(pid) ${sleepingSessions}`;
    await until(async () => (await races.service.sql(end)).length > 0, 'its connection is lost');
    const answer = await placing;
    await races.service.sql('drop trigger slow on orders');
    assert.equal(answer.status, 201);
    assert.equal(await balanceOf(races.service, organization, 'sandbox'), 1_000_000 - 1414);
    assert.equal((await organization.sandbox.order([linkGift(1414)], 'lost')).status, 200);
  });

  test('closes the connection without an answer if the outcome stays unknown', async () => {
    const organization = await races.service.organization();
    const second = await races.service.second();
    await races.service.sql(`create function stuck() returns trigger language plpgsql as $$
      begin if new.amount_cents = 1515 then perform pg_sleep(20); end if; return new; end $$`);
    await races.service.sql('create trigger stuck before insert on orders for each row execute function stuck()');
    const end = () => races.service.sql(`select pg_terminate_backend(pid) ${sleepingSessions}`);
    const ending = setInterval(() => void end(), 50);
    const order = second.api(organization.keys.sandbox).order([linkGift(1515)], 'unknown');
    await assert.rejects(order, /fetch failed/);
    clearInterval(ending);
    await races.service.sql('drop trigger stuck on orders');
    assert.equal((await organization.sandbox.order([linkGift(1515)], 'unknown')).status, 201);
    assert.equal(await balanceOf(races.service, organization, 'sandbox'), 1_000_000 - 1515);
    await second.close();
  });
}

function addOutageTests(races: Races): void {
  test('an unreachable database is 500 with Retry-After, and orders work afterwards', async () => {
    const organization = await races.service.organization();
    const key = randomUUID();
    await allowConnections(races.service.target, false);
    const refused = await organization.sandbox.order([linkGift()], key);
    const read = await organization.sandbox.get('/v1/orders');
    const health = await organization.sandbox.get('/v1/health');
    await allowConnections(races.service.target, true);
    for (const { status, body, headers } of [refused, read])
      assert.deepEqual([status, body.error.code, headers.get('retry-after')], [500, 'internal_error', '1']);
    assert.equal(health.status, 200);
    assert.equal((await organization.sandbox.order([linkGift()], key)).status, 201);
  });
}
