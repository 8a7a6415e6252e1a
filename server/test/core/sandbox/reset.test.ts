import assert from 'node:assert/strict';
import { test } from 'node:test';
import { deleteSandbox } from '../../../src/capabilities/erasure/delete-sandbox.ts';
import { verifyLedger } from '../../../src/capabilities/seals/verify-ledger.ts';
import { changeOrRepeat } from '../../../src/core/balances/change-balance.ts';
import { sendDueGifts } from '../../../src/core/gifts/schedule/send-waiting.ts';
import { type Answer, assertError, emailGift, linkGift } from '../../harness/api-client.ts';
import { openForFile } from '../../harness/open-for-file.ts';
import { OPERATOR } from '../../harness/operator.ts';
import { jobsAreDone } from '../../harness/processing-orders.ts';
import { until } from '../../harness/server-process.ts';
import { isOperatorError } from '../../harness/test-acts.ts';
import { startTestService, type TestOrganization } from '../../harness/test-service.ts';

const service = openForFile(() => startTestService({ ORDER_LOCK_WAIT_MS: '3000' }));

const reset = ({ sandbox }: Pick<TestOrganization, 'sandbox'>) => sandbox.post('/v1/sandbox/reset');

const result = (orders: number, gifts: number, balances: number, entries: number) => ({
  object: 'sandbox_reset',
  orders_deleted: orders,
  gifts_deleted: gifts,
  balances_deleted: balances,
  ledger_entries_deleted: entries,
});

const fund = (organization: TestOrganization, amountCents: number) => organization.fund('sandbox', amountCents);

/** Reads an organization's rows in one environment. */
const everything = ({ organizationUuid }: TestOrganization, environment: string) =>
  Promise.all(
    ['orders', 'gifts', 'balances', 'ledger_entries'].map((table) =>
      service.sql(
        `select * from ${table} t where organization_id = $1 and environment = $2 order by t::text collate "C"`,
        [organizationUuid, environment],
      ),
    ),
  );
const NOTHING = [[], [], [], []];

test('a reset returns exact counts and deletes everything', async () => {
  const organization = await service.organization();
  const { sandbox, organizationId } = organization;
  for (const size of [1, 3, 10]) await sandbox.order(Array.from({ length: size }, () => linkGift()));
  await fund(organization, 5_000);
  const correction = { environment: 'sandbox', amountCents: -1, reference: undefined, note: 'a test' } as const;
  await changeOrRepeat(service.service.deps, { ...correction, kind: 'adjustment', organizationId, actor: OPERATOR });
  const answer = await reset(organization);
  // Two fundings, an adjustment and three debits.
  assert.deepEqual([answer.status, answer.body], [200, result(3, 14, 1, 6)]);
  assert.deepEqual(await everything(organization, 'sandbox'), NOTHING);
  for (const path of ['/v1/orders', '/v1/gifts'])
    assert.deepEqual((await sandbox.get(path)).body, { object: 'list', data: [], has_more: false });
});

test('a reset of an empty or unused sandbox counts zero', async () => {
  const organization = await service.organization();
  assert.deepEqual((await reset(organization)).body, result(0, 0, 1, 1));
  assert.deepEqual((await reset(organization)).body, result(0, 0, 0, 0));
  assert.deepEqual(await everything(organization, 'sandbox'), NOTHING);
  const unused = await service.organization({ sandbox: 0 });
  assert.deepEqual((await reset(unused)).body, result(0, 0, 0, 0));
});

test('after a reset the keys still work, and funds must be added first', async () => {
  const organization = await service.organization();
  const { sandbox } = organization;
  const before = (await sandbox.order([emailGift('delivered'), linkGift()], 'the key')).body;
  await reset(organization);
  assertError(await sandbox.get(`/v1/orders/${before.order_id}`), 'resource_missing');
  for (const { gift_id } of before.gifts) {
    assertError(await sandbox.get(`/v1/gifts/${gift_id}`), 'resource_missing');
    assertError(await sandbox.post(`/v1/sandbox/gifts/${gift_id}/open`), 'resource_missing');
  }
  assert.equal((await sandbox.get('/v1/categories')).status, 200);
  assertError(await sandbox.order([linkGift(1000)]), 'insufficient_balance');
  await fund(organization, 2_500);
  assertError(await sandbox.order([linkGift(2501)]), 'insufficient_balance');
  assert.equal((await sandbox.order([linkGift(2500)])).status, 201);
  assert.deepEqual((await reset(organization)).body, result(1, 1, 1, 2));
});

test('a reset frees idempotency keys, even for another body', async () => {
  const organization = await service.organization();
  const { sandbox } = organization;
  const first = await sandbox.order([linkGift()], 'one');
  await sandbox.order([linkGift()], 'two');
  await reset(organization);
  await fund(organization, 100_000);
  const again = await sandbox.order([linkGift()], 'one');
  assert.deepEqual([again.status, again.headers.get('idempotent-replayed')], [201, null]);
  assert.notEqual(again.body.order_id, first.body.order_id);
  assert.equal((await sandbox.order([linkGift(), linkGift()], 'two')).status, 201);
  assert.equal((await sandbox.order([linkGift()], 'one')).status, 200);
});

test('a reset changes neither live nor other organizations', async () => {
  const organization = await service.organization();
  const other = await service.organization();
  for (const client of [organization.sandbox, organization.live, other.sandbox, other.live])
    await client.order([linkGift(), linkGift()]);
  const kept = () =>
    Promise.all([everything(organization, 'live'), everything(other, 'sandbox'), everything(other, 'live')]);
  const before = await kept();
  assert.deepEqual((await reset(organization)).body, result(1, 2, 1, 2));
  assert.deepEqual(await kept(), before);
  assert.deepEqual(
    before.map(([orders, gifts]) => [orders?.length, gifts?.length]),
    [
      [1, 2],
      [1, 2],
      [1, 2],
    ],
  );
  assertError(await organization.live.post('/v1/sandbox/reset'), 'sandbox_endpoint_only');
  assertError(await service.api().post('/v1/sandbox/reset'), 'api_key_missing');
});

const sum = (answers: Answer[], field: string) =>
  answers.reduce((total, { body }) => total + (body[field] as number), 0);

test('refuses to delete a sandbox that does not exist', async () => {
  const { organizationId } = await service.organization();
  const { deps } = service.service;
  await deleteSandbox(deps, { organizationId, actor: OPERATOR });
  await assert.rejects(deleteSandbox(deps, { organizationId, actor: OPERATOR }), isOperatorError(/has no sandbox/));
});

test('concurrent resets and orders keep balance, ledger and orders consistent', async () => {
  const organization = await service.organization();
  const other = await service.second();
  const clients = [organization.sandbox, other.api(organization.keys.sandbox)];
  const client = (index: number) => clients[index % 2] ?? organization.sandbox;
  const resets: Answer[] = [];
  const outcomes = new Set<string>();
  let placed = 0;
  for (let round = 0; round < 3; round += 1) {
    await fund(organization, 1_000_000);
    const resetting = Promise.all(
      [0, 1, 2, 3, 4].map(async (number) => {
        // Spread the resets over the placements.
        for (let read = 0; read < 4 * number; read += 1) await client(number).get('/v1/orders?limit=1');
        resets.push(await reset({ sandbox: client(number) }));
        if (number < 3) await fund(organization, 100_000);
      }),
    );
    const ordering = Promise.all(
      Array.from({ length: 50 }, (_, index) => client(index).order([linkGift(1000), emailGift('processing', 1000)])),
    );
    for (const answer of await ordering) {
      outcomes.add(`${answer.status} ${answer.body.error?.code ?? ''}`.trim());
      if (answer.status === 201) placed += 1;
    }
    await resetting;
    const report = await verifyLedger(service.service.deps);
    assert.deepEqual([report.holds, report.culprits], [true, []]);
  }
  assert.deepEqual(new Set(resets.map(({ status }) => status)), new Set([200]));
  for (const outcome of outcomes) assert.match(outcome, /^(?:201|402 insufficient_balance|409 resource_locked)$/);
  assert.ok(placed > 0 && outcomes.size > 1, `${placed} placed: ${[...outcomes].join(', ')}`);
  assert.ok(sum(resets, 'orders_deleted') > 0);
  // Each acknowledged order was deleted by exactly one reset, or still exists.
  const [orders = [], gifts = []] = await everything(organization, 'sandbox');
  assert.equal(sum(resets, 'orders_deleted') + orders.length, placed);
  assert.equal(sum(resets, 'gifts_deleted') + gifts.length, placed);
});

test('a reset during completions deletes everything', async () => {
  for (let round = 0; round < 3; round += 1) {
    const organization = await service.organization();
    for (let number = 0; number < 5; number += 1)
      await organization.sandbox.order([linkGift(), emailGift('processing'), linkGift()]);
    await service.clock.jump(19_900);
    // The jobs are due during the reset.
    const [answer] = await Promise.all([reset(organization), service.clock.advance(2_000)]);
    const { gifts_deleted, ...counts } = answer.body;
    assert.deepEqual(counts, (({ gifts_deleted: _, ...rest }) => rest)(result(5, 0, 1, 6)));
    assert.ok(gifts_deleted >= 5 && gifts_deleted <= 15 && gifts_deleted % 2 === 1, String(gifts_deleted));
    await jobsAreDone(service);
    assert.deepEqual(await everything(organization, 'sandbox'), NOTHING);
  }
  const report = await verifyLedger(service.service.deps);
  assert.deepEqual([report.holds, report.culprits], [true, []]);
});

test('simulations and redirects during a reset succeed or are refused cleanly', async () => {
  for (let round = 0; round < 3; round += 1) {
    const organization = await service.organization();
    const { sandbox } = organization;
    const { body } = await sandbox.order(Array.from({ length: 10 }, () => emailGift('bounced')));
    const calls = (body.gifts as { gift_id: string }[]).flatMap(({ gift_id }) => [
      () => sandbox.put(`/v1/gifts/${gift_id}/delivery`, { method: 'email', email: 'ada@example.com' }),
      () => sandbox.post(`/v1/sandbox/gifts/${gift_id}/claim`),
      () => sandbox.get(`/v1/gifts/${gift_id}`),
    ]);
    const [counts, ...answers] = await Promise.all([
      reset(organization),
      ...calls.map(async (call, index) => {
        for (let read = 0; read < index % 5; read += 1) await sandbox.get('/v1/gifts?limit=1');
        return call();
      }),
    ]);
    assert.deepEqual(counts.body, result(1, 10, 1, 2));
    for (const answer of answers) {
      const { code } = answer.body.error ?? {};
      assert.ok([undefined, 'resource_missing', 'resource_locked', 'gift_delivery_not_updatable'].includes(code), code);
    }
    assert.deepEqual(await everything(organization, 'sandbox'), NOTHING);
  }
});

test('no act during a reset leaves a row without what it belongs to', async () => {
  const elsewhere = { method: 'email', email: 'ada@example.com' };
  for (let round = 0; round < 4; round += 1) {
    const organization = await service.organization();
    const { sandbox } = organization;
    const scheduled = { ...emailGift('ada'), send_at: new Date(service.clock.now() + 86_400_000).toISOString() };
    const ordered = [...Array.from({ length: 4 }, () => emailGift('bounced')), linkGift(), linkGift(), scheduled];
    const { body } = await sandbox.order(ordered);
    const acts = (body.gifts as { gift_id: string }[]).flatMap(({ gift_id }) => [
      () => sandbox.put(`/v1/gifts/${gift_id}/delivery`, elsewhere),
      ...['link', 'resend', 'cancel', 'schedule'].map((act) => () => sandbox.post(`/v1/gifts/${gift_id}/${act}`, {})),
      ...['deliver', 'open', 'claim', 'spend'].map((act) => () => sandbox.post(`/v1/sandbox/gifts/${gift_id}/${act}`)),
      () => sandbox.order([emailGift('claimed'), emailGift('processing'), linkGift()]),
    ]);
    // The time of the scheduled gift.
    service.clock.setTime(service.clock.now() + 86_400_000);
    const due = sendDueGifts(service.service.deps);
    const answers = await Promise.all([
      reset(organization),
      ...acts.map(async (act, index) => {
        for (let read = 0; read < index % 7; read += 1) await sandbox.get('/v1/gifts?limit=1');
        return await act();
      }),
    ]);
    await due;
    for (const { status, body } of answers) assert.ok(status < 500, JSON.stringify(body));
    await service.clock.advance(21_000);
    await jobsAreDone(service);
  }
  const { culprits } = await verifyLedger(service.service.deps);
  assert.deepEqual(culprits, []);
});

test('a reset that is killed halfway changed nothing, held up no other orders, and runs again', async () => {
  const organization = await service.organization();
  const other = await service.organization();
  const { sandbox, organizationUuid } = organization;
  await sandbox.order([linkGift(), emailGift('claimed')], 'first');
  await sandbox.put('/v1/contacts', { delivery: { method: 'email', email: 'ada@example.com' } });
  const before = await everything(organization, 'sandbox');
  await service.sql('begin');
  // Contacts are deleted after the ledger, the gifts and the orders.
  await service.sql('select from contacts where organization_id = $1 for update', [organizationUuid]);
  const resetting = reset(organization);
  const waiting = 'select pid from pg_locks where not granted and transactionid = pg_current_xact_id()::xid';
  await until(async () => (await service.sql(waiting)).length > 0, 'the reset waits');
  assert.equal((await organization.live.order([linkGift()])).status, 201);
  assert.equal((await other.sandbox.order([linkGift()])).status, 201);
  assertError(await sandbox.order([linkGift()], 'second'), 'resource_locked');
  // As the end of its process does.
  await service.sql(`select pg_terminate_backend(pid, 5000) from (${waiting}) reset`);
  await service.sql('rollback');
  assert.equal((await resetting).status, 500);
  assert.deepEqual(await everything(organization, 'sandbox'), before);
  assert.equal((await sandbox.order([linkGift()], 'second')).status, 201);
  assert.deepEqual((await reset(organization)).body, result(2, 3, 1, 3));
  assert.deepEqual(await everything(organization, 'sandbox'), NOTHING);
});
