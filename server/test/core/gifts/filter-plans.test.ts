import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { Client } from 'pg';
import { fillGifts } from '../../../../bench/fill-gifts.ts';
import { expandGifts } from '../../../src/core/gifts/expand/expand-gifts.ts';
import { filterGifts, type GiftFilters } from '../../../src/core/gifts/find/filter-gifts.ts';
import { presentGift } from '../../../src/core/gifts/gift/present-gift.ts';
import { expandOrders } from '../../../src/core/orders/expand-orders.ts';
import { filterOrders } from '../../../src/core/orders/filter-orders.ts';
import type { Database } from '../../../src/platform/database/connections.ts';
import type { OrganizationQuery } from '../../../src/platform/database/statement.ts';
import { describePlan, explainPlan, rowsRead } from '../../harness/explain-plan.ts';
import { startTestService, type TestOrganization, type TestService } from '../../harness/test-service.ts';

// Every combination of filters of `GET /v1/gifts` and `GET /v1/orders` finds its rows by an index: the lists of an
// organization whose matching gifts are few and old, explained as the service runs them.

/** Among fewer gifts PostgreSQL may rather read them all. */
const ORDERS = 25_000;
const DAY_MS = 86_400_000;
const LIMIT = 10;
/**
 * A page with one row more, the next row of each range, and what belongs to them: an order's gifts, the caller. Of a common
 * pair of metadata 200 are counted.
 */
const MOST_ROWS_READ = 300;

let service: TestService;
let organization: TestOrganization;
let sql: Client;
let rare: GiftFilters;
let rareOrders: Omit<Parameters<typeof filterOrders>[2], 'limit'>;

before(async () => {
  service = await startTestService();
  organization = await service.organization({ sandbox: 1_000_000_000 });
  sql = new Client(service.target);
  await sql.connect();
  const { organizationUuid: organizationId } = organization;
  const nowMs = service.clock.now();
  const span = { fromMs: nowMs - 30 * DAY_MS, toMs: nowMs - 1 };
  await fillGifts(sql, { organizationId, environment: 'sandbox', orders: ORDERS, ...span });
  // The oldest two orders are like no other; all others are emails, claimed or only sent, which one index leaves out.
  await sql.query('set session_replication_role = replica');
  await sql.query(
    `update gifts set method = 'email', address = gift_id || '@example.com', delivery_state = 'delivered',
       delivery_id = gift_id, category_id = 'coffee', spent_cents = 0, opened_at = case when position = 0 then created_at end,
       claimed_at = case when position = 0 then created_at end, card_id = case when position = 0 then gift_id end`,
  );
  const { rows } = await sql.query<{ order_id: string }>(
    `with old as (select order_id from orders order by order_id limit 2)
     update gifts g set method = 'phone', address = '+12025550199', opened_at = created_at, claimed_at = null, card_id = null, category_id = 'books',
       external_id = 'rare', spent_cents = 0
     from old where g.order_id = old.order_id returning g.order_id`,
  );
  // Their triggers keep the pairs.
  await sql.query('set session_replication_role = origin');
  for (const table of ['gifts', 'orders'])
    await sql.query(
      `update ${table} set metadata = jsonb_build_object('a', 'common', 'team', case when order_id = any ($1) then 'rare' else 'sales' end)`,
      [rows.map(({ order_id }) => order_id)],
    );
  const [first] = rows;
  await sql.query(
    `update orders set external_id = order_id, completes_at = '2999-01-01', pending_gifts = '[]' where order_id = any ($1)`,
    [rows.map(({ order_id }) => order_id)],
  );
  const common = {
    method: 'phone',
    category: 'books',
    recipient: '+12025550199',
    metadata: { a: 'common', team: 'rare' },
  } as const;
  rare = { ...common, status: 'opened', externalId: 'rare', orderId: first?.order_id };
  rareOrders = { ...common, status: 'processing', externalId: first?.order_id };
  await sql.query('vacuum analyze');
});

after(async () => {
  await sql.end();
  await service.close();
});

/** Explains the statements that an act sends to the reader. */
async function plansOf(act: (database: Database) => Promise<unknown>): Promise<[read: number, text: string][]> {
  const { database } = service.service.deps;
  const sent: OrganizationQuery[] = [];
  const read: Database['read'] = {
    query(query) {
      sent.push(query);
      return database.read.query(query);
    },
  };
  await act({ ...database, read });
  const plans: [number, string][] = [];
  for (const { name = '', values = [] } of sent) {
    const statement = { name, parameters: values, mode: 'force_generic_plan' };
    const nodes = await explainPlan(sql, organization.organizationUuid, statement);
    plans.push([rowsRead(nodes), `${name}: ${describePlan(nodes.filter((node) => node['Actual Loops'] > 0))}`]);
  }
  return plans;
}

const combinations = <Name>(names: readonly Name[]): Name[][] =>
  Array.from({ length: 2 ** names.length - 1 }, (_, n) => names.filter((_name, i) => ((n + 1) >> i) % 2 === 1));

const caller = () =>
  ({ organizationId: organization.organizationUuid, environment: 'sandbox', keyHash: null }) as const;

async function readsFewRows<Filters extends object>(
  rareFilters: Filters,
  list: (
    deps: TestService['service']['deps'],
    filters: Partial<Filters>,
    limit: { limit: number; from?: Date },
  ) => Promise<{ rows: unknown[]; nextCursor: string | null }>,
  countOf: (filters: Partial<Filters>) => number,
): Promise<void> {
  for (const names of combinations(Object.keys(rareFilters) as (keyof Filters & string)[]))
    for (const direction of [{}, { from: new Date(0) }]) {
      const filters = Object.fromEntries(names.map((name) => [name, rareFilters[name]])) as Partial<Filters>;
      let found = 0;
      const plans = await plansOf(async (database) => {
        const deps = { ...service.service.deps, database };
        const { rows, nextCursor } = await list(deps, filters, { ...direction, limit: LIMIT });
        found = rows.length;
        assert.equal(nextCursor, null);
      });
      assert.equal(found, countOf(filters), names.join());
      for (const [read, text] of plans)
        assert.ok(read > 0 && read <= MOST_ROWS_READ, `${names.join()}: ${read} rows read by ${text}`);
    }
}

test(`every combination of filters of gifts reads few rows among ${2 * ORDERS} gifts`, () =>
  readsFewRows(
    rare,
    (deps, filters, page) => filterGifts(deps, caller(), { ...filters, ...page }),
    ({ orderId }) => (orderId === undefined ? 4 : 2),
  ));

test(`every combination of filters of orders reads few rows among ${ORDERS} orders`, () =>
  readsFewRows(
    rareOrders,
    (deps, filters, page) => filterOrders(deps, caller(), { ...filters, ...page }),
    ({ externalId }) => (externalId === undefined ? 2 : 1),
  ));

const UNTOUCHED = `opened_at = created_at, claimed_at = null, card_id = null, delivery_state = 'delivered', declined_at = null,
  held_at = null, canceled_at = null, cancel_reason = null, expires_at = null, is_waiting = null, scheduled_for = null`;
const CANCELED = 'canceled_at = created_at';

/** What a list is filtered by, and what the gifts that it finds have. */
const histories: [filter: Pick<GiftFilters, 'state'> | `${'delivered' | 'opened' | 'claimed'}_before`, set: string][] =
  [
    [
      { state: 'waiting' },
      `opened_at = null, is_waiting = true, scheduled_for = created_at, delivery_state = 'pending'`,
    ],
    [{ state: 'failed' }, `opened_at = null, delivery_state = 'failed'`],
    [{ state: 'opened' }, ''],
    [{ state: 'declined' }, 'declined_at = created_at'],
    [{ state: 'on_hold' }, 'held_at = created_at'],
    [{ state: 'canceled' }, CANCELED],
    [{ state: 'expired' }, `${CANCELED}, cancel_reason = 'expired', expires_at = created_at`],
    ['delivered_before', ''],
    ['opened_before', ''],
    ['claimed_before', 'claimed_at = created_at, card_id = gift_id'],
  ];

test('what happened to gifts finds few of them by an index, alone and with another filter', async () => {
  const { rows: ordered } = await sql.query<{ created_at: Date }>(
    'select created_at from orders order by order_id offset 2 limit 1',
  );
  const [third] = ordered;
  await sql.query(
    `insert into deliveries (organization_id, environment, gift_id, delivery_id, channel, address, link_version,
       link_expires_at, state, created_at, settled_at)
     select organization_id, environment, gift_id, gift_id, 'phone', address, 1, link_expires_at, 'delivered', created_at,
       created_at from gifts where external_id = 'rare'`,
  );
  const others = { ...rare, status: undefined, orderId: undefined };
  const names = [undefined, ...Object.keys(others).filter((name) => others[name as keyof typeof others])];
  await sql.query('set session_replication_role = replica');
  for (const [filter, set] of histories) {
    await sql.query(`update gifts set ${UNTOUCHED} where external_id = 'rare'`);
    if (set !== '') await sql.query(`update gifts set ${set} where external_id = 'rare'`);
    const history = typeof filter === 'string' ? { times: { [filter]: third?.created_at } } : filter;
    for (const name of names)
      for (const [list, expected] of [
        [filterGifts, 4],
        [filterOrders, 2],
      ] as const) {
        const filters: GiftFilters = { ...history, ...(name && { [name]: rare[name as keyof GiftFilters] }) };
        // The orders have their own.
        if (list === filterOrders) delete filters.externalId;
        const plans = await plansOf(async (database) => {
          const deps = { ...service.service.deps, database };
          const { rows } = await list(deps, caller(), { ...(filters as object), limit: LIMIT });
          assert.equal(rows.length, expected, JSON.stringify(filters));
        });
        for (const [read, text] of plans)
          assert.ok(read > 0 && read <= MOST_ROWS_READ, `${JSON.stringify(filters)}: ${read} rows read by ${text}`);
      }
  }
  await sql.query(`update gifts set ${UNTOUCHED} where external_id = 'rare'`);
  await sql.query('set session_replication_role = origin');
});

test('what is added to pages of gifts and orders is read by primary keys, also for several pages at once', async () => {
  const expand = new Set(['order', 'history', 'deliveries', 'card'] as const);
  const deps = service.service.deps;
  const { rows: gifts } = await filterGifts(deps, caller(), { limit: LIMIT });
  const { rows: orders } = await filterOrders(deps, caller(), { limit: LIMIT });
  const shown = gifts.map((gift) => presentGift(deps.links, caller(), gift));
  for (const act of [
    (database: Database) => expandGifts({ ...deps, database }, caller(), expand, shown),
    (database: Database) => expandOrders({ ...deps, database }, caller(), expand, orders),
  ])
    for (const atOnce of [1, 3])
      for (const [read, text] of await plansOf((database) =>
        Promise.all(Array.from({ length: atOnce }, () => act(database))),
      ))
        assert.ok(read > 0 && read <= atOnce * MOST_ROWS_READ, `${read} rows read by ${text}`);
});

test('a page of a filter that most gifts match reads its own rows, not all that a search may pass over', async () => {
  const deps = (database: Database) => ({ ...service.service.deps, database });
  const page = { limit: LIMIT };
  const filters = [
    { method: 'email' },
    { category: 'coffee' },
    { metadata: { a: 'common' } },
    { method: 'email', category: 'coffee' },
    { from: new Date(0) },
  ] as const;
  const acts = [
    ...[...filters, { status: 'sent' }, { status: 'claimed' }, { status: 'claimed', category: 'coffee' }].map(
      (one) => (database: Database) => filterGifts(deps(database), caller(), { ...(one as GiftFilters), ...page }),
    ),
    ...filters.map((one) => (database: Database) => filterOrders(deps(database), caller(), { ...one, ...page })),
  ];
  for (const act of acts)
    for (const [read, text] of await plansOf(act))
      assert.ok(read > LIMIT && read <= MOST_ROWS_READ, `${read} rows read by ${text}`);
});
