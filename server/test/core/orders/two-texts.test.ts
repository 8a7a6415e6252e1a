import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { Client } from 'pg';
import type { PlacementRow } from '../../../src/core/orders/placement.ts';
import { type OrderRecord, prepareOrder } from '../../../src/core/orders/prepare-order.ts';
import { placeAnyOrders } from '../../../src/core/orders/queries.ts';
import type { OrderInputBody } from '../../../src/core/orders/schema.ts';
import { placeUsualOrders } from '../../../src/core/orders/usual-queries.ts';
import { hashKey } from '../../../src/platform/authentication/key-format.ts';
import { fingerprintOf } from '../../../src/platform/base/fingerprint.ts';
import { createIdGenerator } from '../../../src/platform/base/ids.ts';
import { openForFile } from '../../harness/open-for-file.ts';
import { type OutcomeCase, one, outcomes, taken } from '../../harness/order-outcomes.ts';
import { TestClock } from '../../harness/test-clock.ts';
import { startTestService, type TestOrganization, testConfig } from '../../harness/test-service.ts';

/** Each order is decided and written alike by the statement for usual orders and by the one with all parts. */

const service = openForFile(() => startTestService());
const TABLES = ['orders', 'gifts', 'deliveries', 'ledger_entries', 'balances', 'events', 'event_counters', 'spending'];
const WRITTEN = [...TABLES, 'audit_events', 'metadata_pairs'].map(
  (table) => `select '${table}' as "table", to_jsonb(t) - 'event_id' as row from ${table} t
    where t.xmin = pg_current_xact_id()::xid`,
);
const JOBS = `select 'jobs' as "table", jsonb_build_object('name', name, 'data', data) as row from pgboss.job t
    where t.xmin = pg_current_xact_id()::xid`;

/** Runs a statement and takes everything back; what the orders would have left is in `written`. */
async function tryOn(client: Client, place: typeof placeAnyOrders, records: OrderRecord[]) {
  await client.query('begin');
  try {
    const rows = await place(client, records);
    const { rows: written } = await client.query(`${[...WRITTEN, JOBS].join(' union all ')} order by 1, 2`);
    return { rows, written };
  } finally {
    await client.query('rollback');
  }
}

async function scene(wanted: OutcomeCase) {
  const { environment = 'sandbox', cents = 1_000_000 } = wanted;
  const organization = await service.organization({ sandbox: 1_000_000, live: 1_000_000, [environment]: cents });
  const { sandbox } = organization;
  if (environment === 'sandbox') {
    assert.equal((await sandbox.order(one.gifts, 'earlier')).status, 201);
    assert.equal((await sandbox.post('/v1/orders', taken, { 'Idempotency-Key': 'taken' })).status, 201);
  }
  await wanted.prepare?.(organization, service);
  return organization;
}

function recordOf(wanted: OutcomeCase, { organizationUuid, keys }: TestOrganization): OrderRecord {
  const { environment = 'sandbox', body = one, idempotencyKey = 'new', config = testConfig(), hasOldIds } = wanted;
  const { ids } = service.service.deps;
  const buyer = { organizationId: organizationUuid, environment, keyHash: hashKey(keys[environment]) };
  const fingerprint = fingerprintOf(body);
  const request = { buyer, idempotencyKey, fingerprint, body, beginning: undefined, traceparent: undefined };
  const deps = { config, ids: hasOldIds ? createIdGenerator(new TestClock('2026-11-21T11:00:00Z')) : ids };
  return prepareOrder(deps, request, new Date(service.clock.now())).record;
}

async function onOneClient(act: (client: Client) => Promise<void>, organization: TestOrganization) {
  const client = new Client(service.targetOf(organization.organizationUuid));
  await client.connect();
  try {
    await act(client);
  } finally {
    await client.end();
  }
}

const decision = ({ outcome, earlier, last_id, organization_name }: PlacementRow) =>
  ['placed', 'replayed'].includes(outcome) ? { outcome, earlier, organization_name } : { outcome, last_id };

for (const [name, wanted] of Object.entries(outcomes))
  test(`both texts decide and write alike: ${name}`, async () => {
    const organization = await scene(wanted);
    const record = recordOf(wanted, organization);
    const text = wanted.lock?.(record);
    await onOneClient(async (client) => {
      await service.sql('begin');
      try {
        if (text !== undefined) await service.sql(text);
        const usual = await tryOn(client, placeUsualOrders, [record]);
        const any = await tryOn(client, placeAnyOrders, [record]);
        const [row, rowOfAny] = [usual.rows[0], any.rows[0]] as [PlacementRow, PlacementRow];
        assert.equal(rowOfAny.outcome, wanted.any);
        assert.equal(row.outcome, wanted.usual === 'the same' ? wanted.any : wanted.usual);
        if (row.outcome === 'unusual') return assert.deepEqual(usual.written, []);
        assert.deepEqual(decision(row), decision(rowOfAny));
        assert.deepEqual(usual.written, any.written);
        assert.equal(any.written.length > 0, wanted.any === 'placed');
      } finally {
        await service.sql('rollback');
      }
    }, organization);
  });

test('an order that only the sum does not cover runs again in both texts', async () => {
  const organization = await scene({ any: 'placed', usual: 'the same', cents: 9_000 });
  await onOneClient(async (client) => {
    const records = ['a', 'b'].map((idempotencyKey) =>
      recordOf({ any: 'placed', usual: 'the same', idempotencyKey }, organization),
    );
    const [usual, any] = [await tryOn(client, placeUsualOrders, records), await tryOn(client, placeAnyOrders, records)];
    for (const { rows } of [usual, any])
      assert.deepEqual(
        rows.map(({ outcome }) => outcome),
        ['placed', 'run_again'],
      );
    assert.deepEqual(usual.written, any.written);
  }, organization);
});

test('a key opens no other organization’s order in its group', async () => {
  const organization = await scene({ any: 'placed', usual: 'the same' });
  const other = await service.organization({ sandbox: 9_000 });
  const record = recordOf({ any: 'placed', usual: 'the same' }, organization);
  const foreign = { ...recordOf({ any: 'key_refused', usual: 'unusual' }, other), key_hash: record.key_hash };
  await onOneClient(async (client) => {
    for (const [place, refused] of [
      [placeUsualOrders, 'unusual'],
      [placeAnyOrders, 'key_refused'],
    ] as const)
      for (const records of [
        [record, foreign],
        [foreign, record],
      ]) {
        const { rows } = await tryOn(client, place, records);
        const found = rows.map(({ outcome }, n) => [records[n] === foreign, outcome]);
        assert.deepEqual(
          found,
          records.map((one) => [one === foreign, one === foreign ? refused : 'placed']),
        );
      }
  }, organization);
});

const delivery = fc.constantFrom<object>(
  { method: 'link' },
  { method: 'email', email: 'ada@example.com' },
  { method: 'phone', phone: '+12025550199' },
);
const gift = fc.record(
  {
    amount: fc.constantFrom(1000, 2500, 5000, 50_000),
    category: fc.constantFrom(...Array.from({ length: 7 }, () => 'coffee'), 'nothing'),
    delivery,
    personalization: fc.constant({ recipient_name: 'Ada', sender_name: 'Bob', message: 'Hi' }),
    external_id: fc.constant('a'),
    metadata: fc.constant({ a: 'b' }),
    language: fc.constant('de'),
  },
  { requiredKeys: ['amount', 'category', 'delivery'] },
);
const more = fc.constantFrom({}, {}, {}, { external_id: 'taken' }, { external_id: 'free' }, { metadata: { a: 'b' } });
const body = fc.oneof(
  fc.constant<object>(one),
  fc.tuple(fc.array(gift, { minLength: 1, maxLength: 3 }), more).map(([gifts, rest]) => ({ gifts, ...rest })),
);
/** An order that may name a key or an id that is taken, an unknown category, or more than the balance. */
const randomOrder = fc.record({
  body: body as fc.Arbitrary<OrderInputBody>,
  idempotencyKey: fc.oneof(fc.constantFrom('earlier', 'taken'), { weight: 4, arbitrary: fc.uuid() }),
  environment: fc.constantFrom('sandbox' as const, 'sandbox' as const, 'live' as const),
  organization: fc.nat(1),
});
const randomGroup = fc.uniqueArray(randomOrder, {
  minLength: 1,
  maxLength: 5,
  selector: ({ idempotencyKey, environment, organization }) => `${idempotencyKey} ${environment} ${organization}`,
});

test('random groups are decided and written alike by both texts', async () => {
  const wanted: OutcomeCase = { any: 'placed', usual: 'the same', cents: 20_000 };
  const organizations = [await scene(wanted), await scene({ ...wanted, cents: 60_000 })] as const;
  const decided = new Set<string>();
  await onOneClient(async (client) => {
    const areAlike = fc.asyncProperty(randomGroup, async (group) => {
      const records = group.map((order) =>
        recordOf({ ...wanted, ...order }, organizations[order.organization] as TestOrganization),
      );
      const [usual, any] = [
        await tryOn(client, placeUsualOrders, records),
        await tryOn(client, placeAnyOrders, records),
      ];
      for (const [n, row] of usual.rows.entries()) {
        decided.add(row.outcome);
        if (row.outcome !== 'unusual') assert.deepEqual(decision(row), decision(any.rows[n] as PlacementRow));
      }
      if (usual.rows.every(({ outcome }) => outcome !== 'unusual')) assert.deepEqual(usual.written, any.written);
    });
    await fc.assert(areAlike, { numRuns: 150, seed: 57 });
  }, organizations[0]);
  const outcomesOfAll = ['insufficient_balance', 'key_reused', 'placed', 'replayed', 'run_again', 'unusual'];
  assert.deepEqual([...decided].sort(), outcomesOfAll);
});

test('a taken external_id comes before 402 and names its order', async () => {
  const organization = await service.organization({ sandbox: 2_500 });
  const { sandbox } = organization;
  const order = (key: string) => sandbox.post('/v1/orders', taken, { 'Idempotency-Key': key });
  const first = await order('first');
  assert.equal(first.status, 201);
  const { status, body } = await order('second');
  assert.deepEqual([status, body.error.code, body.error.order_id], [409, 'external_id_taken', first.body.order_id]);
});
