import assert from 'node:assert/strict';
import { createHash, randomUUID } from 'node:crypto';
import { after, before, test } from 'node:test';
import { Client } from 'pg';
import { type Answer, emailGift, linkGift } from './api-client.ts';
import { balanceOf, verifyAll } from './ledger.ts';
import { until } from './server-process.ts';
import { startTestService, type TestOrganization, type TestService } from './test-service.ts';

/**
 * Two processes on one database: what holds must hold between them. Specification, part 4, behavior 1 to 10.
 *
 * @param variables settings of both processes, such as how many orders go into one statement
 */
export function testRaces(variables: Record<string, string>): void {
  let service: TestService;
  let other: TestService;
  let holder: Client;
  before(async () => {
    service = await startTestService(variables);
    // A statement that is held up here must outlast whatever a busy machine does meanwhile.
    const patience = { statement_timeout: 20_000, query_timeout: 20_000 };
    Object.assign(service.service.deps.database.placement.options, patience);
    other = await service.second();
    holder = new Client(service.target);
    await holder.connect();
  });
  after(async () => {
    await holder.end();
    await verifyAll(service);
    await service.close();
  });

  const doors = (organization: TestOrganization) => [organization.sandbox, other.api(organization.keys.sandbox)];
  const count = (answers: Answer[], status: number, code?: string) =>
    answers.filter((answer) => answer.status === status && answer.body.error?.code === code).length;

  /** Runs the act while a transaction by hand holds what the statement locks. */
  async function whileHolding<Result>(text: string, values: unknown[], act: () => Promise<Result>): Promise<Result> {
    await holder.query('begin');
    try {
      await holder.query(text, values);
      return await act();
    } finally {
      await holder.query('rollback');
    }
  }

  test('fifty requests with one key at once, on two processes: one order, and the rest replays or in progress', async () => {
    const organization = await service.organization({ sandbox: 1_000_000 });
    const [one, two] = doors(organization);
    const answers = await Promise.all(
      Array.from({ length: 50 }, (_, n) => (n % 2 ? one : two)?.order([linkGift()], 'fifty')),
    ).then((all) => all.filter((answer) => answer !== undefined));
    assert.equal(count(answers, 201), 1);
    assert.equal(count(answers, 200) + count(answers, 409, 'idempotency_in_progress'), 49);
    const ids = new Set(answers.filter(({ status }) => status < 300).map(({ body }) => body.order_id));
    assert.equal(ids.size, 1);
    assert.equal(await balanceOf(service, organization, 'sandbox'), 1_000_000 - 2500);
  });

  test('a hundred orders on a balance for twenty, on two processes: with retries exactly twenty, and nothing overdrawn', async () => {
    const organization = await service.organization({ sandbox: 20 * 1000 });
    const [one, two] = doors(organization);
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
    assert.equal(await balanceOf(service, organization, 'sandbox'), 0);
  });

  test('while the balance’s lock is held, an order on either process is resource_locked at once, and places afterwards', async () => {
    const organization = await service.organization();
    const hold = `select from balances where organization_id = $1 and environment = 'sandbox' for update`;
    const replayed = await organization.sandbox.order([linkGift()], 'placed before');
    await whileHolding(hold, [organization.organizationUuid], async () => {
      for (const door of doors(organization)) {
        const answer = await door.order([linkGift()], 'held');
        assert.equal(answer.body.error.code, 'resource_locked');
        assert.deepEqual([answer.status, answer.headers.get('retry-after')], [409, '1']);
        // What comes before the lock is answered all the same.
        const replay = await door.order([linkGift()], 'placed before');
        assert.deepEqual([replay.status, replay.body.order_id], [200, replayed.body.order_id]);
        assert.equal((await door.order([linkGift(1001)], 'placed before')).body.error.code, 'idempotency_key_reused');
      }
      assert.equal((await organization.live.order([linkGift()], 'held')).status, 201);
    });
    assert.equal((await organization.sandbox.order([linkGift()], 'held')).status, 201);
  });

  test('while a key’s lock is held, a request with it is idempotency_in_progress on either process, others are placed', async () => {
    const organization = await service.organization();
    const hash = createHash('sha256').update(`${organization.organizationUuid} sandbox running`).digest();
    await whileHolding('select pg_advisory_xact_lock($1)', [hash.readBigInt64BE().toString()], async () => {
      for (const door of doors(organization)) {
        const answer = await door.order([linkGift()], 'running');
        assert.deepEqual([answer.status, answer.body.error.code], [409, 'idempotency_in_progress']);
        assert.equal(answer.headers.get('retry-after'), '1');
        assert.equal((await door.order([linkGift()])).status, 201);
      }
    });
    assert.equal((await organization.sandbox.order([linkGift()], 'running')).status, 201);
  });

  test('two different orders of one organization at once on one process: one is placed, the other is placed or locked', async () => {
    const organization = await service.organization();
    const answers = await Promise.all(Array.from({ length: 20 }, () => organization.sandbox.order([linkGift()])));
    assert.equal(count(answers, 201) + count(answers, 409, 'resource_locked'), 20);
    assert.ok(count(answers, 201) >= 1);
  });

  test('an order that is refused before anything is charged keeps none of its organization from being placed', async () => {
    const organization = await service.organization();
    for (let round = 0; round < 10; round += 1) {
      const [refused, placed] = await Promise.all([
        organization.sandbox.order([emailGift('internal-error')]),
        organization.sandbox.order([linkGift()]),
      ]);
      assert.deepEqual([refused.status, placed.status], [500, 201], JSON.stringify(placed.body));
    }
  });

  test('ORDER_LOCK_WAIT_MS lets an order wait for the lock', async () => {
    const organization = await service.organization();
    const patient = await service.second({ ORDER_LOCK_WAIT_MS: '5000' });
    const hold = `select from balances where organization_id = $1 and environment = 'sandbox' for update`;
    let placing: Promise<Answer> | undefined;
    await whileHolding(hold, [organization.organizationUuid], async () => {
      placing = patient.api(organization.keys.sandbox).order([linkGift()]);
      const answer = await Promise.race([placing, organization.sandbox.order([linkGift()])]);
      assert.equal(answer.body.error?.code, 'resource_locked', 'the impatient one answers first');
    });
    assert.equal((await placing)?.status, 201);
    await patient.close();
  });

  test('orders of many organizations at once are all placed', async () => {
    const organizations = await Promise.all(Array.from({ length: 40 }, () => service.organization()));
    const answers = await Promise.all(organizations.map(({ sandbox }) => sandbox.order([linkGift(), linkGift()])));
    assert.equal(count(answers, 201), 40);
  });

  test('a poisonous order harms no neighbour of its batch: it alone is 500, with nothing created or charged', async () => {
    await service.sql(`create function poison() returns trigger language plpgsql as $$
      begin if new.amount_cents = 1313 then raise exception 'poison'; end if; return new; end $$`);
    await service.sql('create trigger poison before insert on orders for each row execute function poison()');
    const organizations = await Promise.all(Array.from({ length: 20 }, () => service.organization()));
    const answers = await Promise.all(
      organizations.map(({ sandbox }, n) => sandbox.order([linkGift(n === 7 ? 1313 : 1000)], `poison-${n}`)),
    );
    await service.sql('drop trigger poison on orders');
    assert.equal(count(answers, 201), 19);
    assert.deepEqual([answers[7]?.status, answers[7]?.body.error.code], [500, 'internal_error']);
    assert.equal(answers[7]?.headers.get('retry-after'), '1');
    const poisoned = organizations[7] as TestOrganization;
    assert.equal(await balanceOf(service, poisoned, 'sandbox'), 1_000_000);
    assert.equal((await poisoned.sandbox.order([linkGift(1313)], 'poison-7')).status, 201);
  });

  test('a connection lost while an order is being written: the caller gets its order, once', async () => {
    const organization = await service.organization();
    // Only the first time, and for far longer than it takes to find and end it: a rollback does not undo `nextval`.
    await service.sql('create sequence slowed');
    await service.sql(`create function slow() returns trigger language plpgsql as $$
      begin if new.amount_cents = 1414 and nextval('slowed') = 1 then perform pg_sleep(15); end if; return new; end $$`);
    await service.sql('create trigger slow before insert on orders for each row execute function slow()');
    const placing = organization.sandbox.order([linkGift(1414)], 'lost');
    const end = `select pg_terminate_backend(pid) from pg_stat_activity
      where datname = current_database() and wait_event = 'PgSleep'`;
    await until(async () => (await service.sql(end)).length > 0, 'its connection is lost');
    const answer = await placing;
    await service.sql('drop trigger slow on orders');
    assert.equal(answer.status, 201);
    assert.equal(await balanceOf(service, organization, 'sandbox'), 1_000_000 - 1414);
    assert.equal((await organization.sandbox.order([linkGift(1414)], 'lost')).status, 200);
  });

  test('where nobody can say whether an order was placed, the connection is closed without an answer, never an error', async () => {
    const organization = await service.organization();
    await service.sql(`create function stuck() returns trigger language plpgsql as $$
      begin if new.amount_cents = 1515 then perform pg_sleep(20); end if; return new; end $$`);
    await service.sql('create trigger stuck before insert on orders for each row execute function stuck()');
    const end = () =>
      service.sql(`select pg_terminate_backend(pid) from pg_stat_activity
        where datname = current_database() and wait_event = 'PgSleep'`);
    const ending = setInterval(() => void end(), 50);
    await assert.rejects(organization.sandbox.order([linkGift(1515)], 'unknown'), /fetch failed/);
    clearInterval(ending);
    await service.sql('drop trigger stuck on orders');
    assert.equal((await organization.sandbox.order([linkGift(1515)], 'unknown')).status, 201);
    assert.equal(await balanceOf(service, organization, 'sandbox'), 1_000_000 - 1515);
  });

  test('a database out of reach is 500 internal_error with Retry-After, /v1/health answers, and all is well afterwards', async () => {
    const organization = await service.organization();
    const database = service.target.database as string;
    const admin = new Client({ ...service.target, database: 'postgres' });
    await admin.connect();
    const key = randomUUID();
    await admin.query(`alter database ${database} allow_connections false`);
    await admin.query(
      `select pg_terminate_backend(pid) from pg_stat_activity where datname = $1 and application_name = 'bestow'`,
      [database],
    );
    const refused = await organization.sandbox.order([linkGift()], key);
    const read = await organization.sandbox.get('/v1/orders');
    const health = await organization.sandbox.get('/v1/health');
    await admin.query(`alter database ${database} allow_connections true`);
    await admin.end();
    for (const answer of [refused, read]) {
      assert.deepEqual([answer.status, answer.body.error.code], [500, 'internal_error']);
      assert.equal(answer.headers.get('retry-after'), '1');
    }
    assert.equal(health.status, 200);
    assert.equal((await organization.sandbox.order([linkGift()], key)).status, 201);
  });
}
