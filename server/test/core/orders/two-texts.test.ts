import assert from 'node:assert/strict';
import { test } from 'node:test';
import { Client } from 'pg';
import { setCaps } from '../../../src/core/caps/set-caps.ts';
import { retireCategory } from '../../../src/core/catalog/retire-category.ts';
import type { PlacementRow } from '../../../src/core/orders/placement.ts';
import { type OrderRecord, prepareOrder } from '../../../src/core/orders/prepare-order.ts';
import { placeAnyOrders } from '../../../src/core/orders/queries.ts';
import type { OrderInputBody } from '../../../src/core/orders/schema.ts';
import { placeUsualOrders } from '../../../src/core/orders/usual-queries.ts';
import { suspendOrganization } from '../../../src/core/organizations/suspend-organization.ts';
import { hashKey } from '../../../src/platform/authentication/key-format.ts';
import type { Environment } from '../../../src/platform/base/environment.ts';
import { fingerprintOf } from '../../../src/platform/base/fingerprint.ts';
import { createIdGenerator } from '../../../src/platform/base/ids.ts';
import { openForFile } from '../../harness/open-for-file.ts';
import { OPERATOR } from '../../harness/operator.ts';
import { TestClock } from '../../harness/test-clock.ts';
import { startTestService, type TestOrganization, testConfig } from '../../harness/test-service.ts';

/** Each order is decided and written alike by the statement for usual orders and by the one for all. */

const service = openForFile(() => startTestService());
const production = testConfig({ NODE_ENV: 'production' });

type Outcome = PlacementRow['outcome'];
type Usual = 'the same' | Outcome;

interface Case {
  any: Outcome;
  /** What the statement for usual orders says; `unusual` hands the order over. */
  usual: Usual;
  environment?: Environment;
  cents?: number;
  body?: OrderInputBody;
  idempotencyKey?: string;
  /** Comes first; with `earlier` and `taken` there is an order of each already. */
  prepare?: (organization: TestOrganization) => Promise<unknown>;
  /** Another session's lock meanwhile. */
  lock?: (record: OrderRecord) => string;
  config?: typeof production;
  /** Ids as of a clock that is an hour late. */
  hasOldIds?: boolean;
}

const link = { amount: 2500, category: 'coffee', delivery: { method: 'link' as const } };
const to = (email: string) => ({ ...link, delivery: { method: 'email' as const, email } });
const one: OrderInputBody = { gifts: [link] };
const taken: OrderInputBody = { gifts: [link], external_id: 'taken' };
const lockBalance = ({ organization_id: id }: OrderRecord) =>
  `select from balances where organization_id = '${id}' for update`;
const lockKey = ({ key_lock: lock }: OrderRecord) => `select pg_advisory_xact_lock(${lock})`;
const suspend = ({ organizationId }: TestOrganization) =>
  suspendOrganization(service.service.deps, { organizationId, actor: OPERATOR });
const deactivateAll = async ({ addMembers, deactivate }: TestOrganization) => {
  const { first, second } = await addMembers();
  await deactivate(first);
  await deactivate(second);
};
const cap = ({ organizationId }: TestOrganization) =>
  setCaps(service.service.deps, { organizationId, environment: 'sandbox', amounts: { day: 6_000 }, actor: OPERATOR });

const cases: Record<string, Case> = {
  'an order of each kind of gift': {
    any: 'placed',
    usual: 'the same',
    body: {
      gifts: [link, to('ada@example.com'), { ...link, delivery: { method: 'phone', phone: '+12025550199' } }],
      external_id: 'free',
      metadata: { team: 'sales' },
    },
  },
  'a gift with names, language and metadata': {
    any: 'placed',
    usual: 'the same',
    body: {
      gifts: [
        {
          ...to('ada@example.com'),
          personalization: { recipient_name: 'Ada', sender_name: 'Bob', message: 'Hi' },
          language: 'de',
          external_id: 'row 1',
          metadata: { row: '1' },
        },
      ],
    },
  },
  'a live order': { any: 'placed', usual: 'the same', environment: 'live' },
  'the last cents of the balance': { any: 'placed', usual: 'the same', cents: 7_500 },
  'a replay': { any: 'replayed', usual: 'the same', idempotencyKey: 'earlier' },
  'a replay without balance': { any: 'replayed', usual: 'the same', idempotencyKey: 'earlier', cents: 5_000 },
  'a replay by its external_id': { any: 'replayed', usual: 'the same', idempotencyKey: 'taken', body: taken },
  'a replay of a category that is retired': {
    any: 'replayed',
    usual: 'the same',
    idempotencyKey: 'of books',
    body: { gifts: [{ ...link, category: 'retired' }] },
    prepare: async ({ sandbox }) => {
      await service.addCategory('retired');
      await sandbox.order([{ ...link, category: 'retired' }], 'of books');
      await retireCategory(service.service.deps, 'retired');
    },
  },
  'a replay without members': {
    any: 'replayed',
    usual: 'the same',
    idempotencyKey: 'earlier',
    prepare: deactivateAll,
  },
  'a reused key': {
    any: 'key_reused',
    usual: 'unusual',
    idempotencyKey: 'earlier',
    body: { gifts: [to('ada@example.com')] },
  },
  'a reused key with an external_id that is taken': {
    any: 'key_reused',
    usual: 'unusual',
    idempotencyKey: 'earlier',
    body: taken,
  },
  'a key in progress': { any: 'in_progress', usual: 'the same', lock: lockKey },
  'a key in progress with an external_id that is taken': {
    any: 'in_progress',
    usual: 'the same',
    lock: lockKey,
    body: taken,
  },
  'an external_id that is taken': { any: 'external_id_taken', usual: 'unusual', body: taken },
  'one that is taken, without balance': {
    any: 'external_id_taken',
    usual: 'unusual',
    body: taken,
    cents: 5_000,
  },
  'one that is taken, of a locked balance': {
    any: 'external_id_taken',
    usual: 'unusual',
    body: taken,
    lock: lockBalance,
  },
  'one that is taken, with old ids': { any: 'external_id_taken', usual: 'unusual', body: taken, hasOldIds: true },
  'one that is taken, over a cap': {
    any: 'external_id_taken',
    usual: 'unusual',
    body: { ...taken, gifts: [link, link, link] },
    prepare: cap,
  },
  'one that is taken, of an unknown category': {
    any: 'external_id_taken',
    usual: 'unusual',
    body: { ...taken, gifts: [{ ...link, category: 'nothing' }] },
  },
  'one that is taken, without members': {
    any: 'external_id_taken',
    usual: 'unusual',
    body: taken,
    prepare: deactivateAll,
  },
  'an unknown category': {
    any: 'unknown_category',
    usual: 'unusual',
    body: { gifts: [link, { ...link, category: 'nothing' }] },
  },
  'a live order to the sandbox domain': {
    any: 'refused',
    usual: 'unusual',
    environment: 'live',
    body: { gifts: [to('delivered@sandbox.gift.test')] },
  },
  'no member': { any: 'not_configured', usual: 'unusual', prepare: deactivateAll },
  'no issuer in production': { any: 'without_issuer', usual: 'unusual', environment: 'live', config: production },
  'a suspended organization': { any: 'key_refused', usual: 'unusual', prepare: suspend },
  'a replay of a suspended organization': {
    any: 'key_refused',
    usual: 'unusual',
    idempotencyKey: 'earlier',
    prepare: suspend,
  },
  'a locked balance': { any: 'locked', usual: 'the same', lock: lockBalance },
  'too low a balance': { any: 'insufficient_balance', usual: 'the same', cents: 5_000 },
  'too low a balance for a free external_id': {
    any: 'insufficient_balance',
    usual: 'the same',
    cents: 5_000,
    body: { ...one, external_id: 'free' },
  },
  'no balance': { any: 'insufficient_balance', usual: 'the same', environment: 'live', cents: 0 },
  'within a cap': { any: 'placed', usual: 'unusual', prepare: cap, body: { gifts: [{ ...link, amount: 1000 }] } },
  'over a cap': { any: 'over_cap', usual: 'unusual', prepare: cap },
  'old ids': { any: 'stale_ids', usual: 'the same', hasOldIds: true },
};

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

async function scene(wanted: Case) {
  const { environment = 'sandbox', cents = 1_000_000 } = wanted;
  const organization = await service.organization({ sandbox: 1_000_000, live: 1_000_000, [environment]: cents });
  const { sandbox } = organization;
  if (environment === 'sandbox') {
    assert.equal((await sandbox.order(one.gifts, 'earlier')).status, 201);
    assert.equal((await sandbox.post('/v1/orders', taken, { 'Idempotency-Key': 'taken' })).status, 201);
  }
  await wanted.prepare?.(organization);
  return organization;
}

function recordOf(wanted: Case, { organizationUuid, keys }: TestOrganization): OrderRecord {
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

for (const [name, wanted] of Object.entries(cases))
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

test('a taken external_id comes before 402 and names its order', async () => {
  const organization = await service.organization({ sandbox: 2_500 });
  const { sandbox } = organization;
  const order = (key: string) => sandbox.post('/v1/orders', taken, { 'Idempotency-Key': key });
  const first = await order('first');
  assert.equal(first.status, 201);
  const { status, body } = await order('second');
  assert.deepEqual([status, body.error.code, body.error.order_id], [409, 'external_id_taken', first.body.order_id]);
});
