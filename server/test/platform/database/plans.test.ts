import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { Client } from 'pg';
import '../../../src/capabilities/gift-search/queries.ts';
import { selectGifts } from '../../../src/core/gifts/gift/queries.ts';
import { selectOrders } from '../../../src/core/orders/read-queries.ts';
import { connectDatabase } from '../../../src/platform/database/connections.ts';
import { ALL_ORGANIZATIONS } from '../../../src/platform/database/name-organizations.ts';
import { statements } from '../../../src/platform/database/statement.ts';
import { describePlan, explainPlan, rowsRead } from '../../harness/explain-plan.ts';
import { placementOf } from '../../harness/explained-placement.ts';
import { filteredLists } from '../../harness/filtered-lists.ts';
import { fillLargeTables, type Sample } from '../../harness/large-tables.ts';
import { startTestService, type TestOrganization, type TestService } from '../../harness/test-service.ts';

// The cost of a request does not grow with the tables. Each statement of /v1 is explained with a large table's statistics,
// with a custom and with a generic plan; both must use an index.

/** Larger than any statement's need: 101 orders of two gifts. */
const MOST_ROWS_READ = 500;
/** The catalog has about ten rows, pg-boss's queues five; a sequential scan is fastest. */
const READ_WHOLE = ['categories', 'queue'];

let service: TestService;
let sql: Client;
let organization: TestOrganization;
let agentHash: string;
let sample: Sample;

before(async () => {
  service = await startTestService();
  sql = new Client(service.target);
  await sql.connect();
  organization = await service.organization({ sandbox: 1_000_000_000 });
  ({ agentHash, sample } = await fillLargeTables(service, sql, organization));
});
after(async () => {
  await sql.end();
  await service.close();
});

const explain = (name: string, parameters: readonly unknown[], mode: string) =>
  explainPlan(sql, organization.organizationUuid, { name, parameters, mode });

/** An id above every other. */
const ABOVE = 'ffffffff-ffff-7fff-bfff-ffffffffffff';

/** Parameters of each statement that a /v1 request may run. */
function statementsOfTheInterface(hash = sample.hash): Record<string, readonly unknown[]> {
  const owner = [organization.organizationUuid, 'sandbox'] as const;
  const { order_id: orderId, gift_id: giftId, failed_gift_id: failedGiftId } = sample;
  const key = JSON.stringify({ hash, address: '192.0.2.1', at: service.clock.now() });
  const caller = [...owner, key];
  const oneGift = [...caller, giftId];
  const oneOrder = [...caller, orderId];
  const noFilters = [null, null, null];
  const wholeRange = ['00000000-0000-0000-0000-000000000000', 'ffffffff-ffff-ffff-ffff-ffffffffffff', null] as const;
  const [now, later] = [new Date(service.clock.now()), new Date(service.clock.now() + 86_400_000)];
  const redirected = ['phone', '+12025550199', 'pending', null, null, null, false, later, giftId, now, null];
  const placement = placementOf(organization.organizationUuid, sample, now);
  const quoted = (value: unknown) => JSON.stringify(String(value));
  const many = (parameters: readonly unknown[]) => parameters.map((value) => `{${quoted(value)},${quoted(value)}}`);
  return {
    'authentication.select_caller': caller,
    'sandbox.select_caller': caller,
    'webhook_endpoints.select_caller': caller,
    'webhook_endpoints.list': caller,
    'webhook_endpoints.select': oneGift,
    'contacts.select_changer': caller,
    'contacts.select': oneGift,
    'contacts.list_descending': [...caller, ...wholeRange, 101, ...noFilters],
    'contacts.list_ascending': [...caller, ...wholeRange, 101, ...noFilters],
    'contacts.search_descending': [...caller, ...wholeRange, 101, ...noFilters, 'maria', null],
    'contacts.search_ascending': [...caller, ...wholeRange, 101, ...noFilters, 'maria', null],
    'webhook_deliveries.list_descending': [...oneGift, null, 101],
    'webhook_deliveries.list_ascending': [...oneGift, giftId, 101],
    'sandbox.lock': caller,
    'seals.select_tree': caller,
    'categories.list_sold': caller,
    'cards.insert_purchase': [...caller, giftId, giftId, 'Test shop', null, now],
    'authentication.select_caller_many': many(caller),
    'gifts.select_many': many(oneGift),
    'gifts.select': oneGift,
    'gifts.exists': [...owner, giftId],
    'gifts.list_descending': [...oneGift, 101],
    'gifts.list_ascending': [...oneGift, 101],
    'gifts.list_descending_many': many([...oneGift, 101]),
    'gifts.list_ascending_many': many([...oneGift, 101]),
    'gifts.lock': oneGift,
    'gifts.renew_link': [...oneGift, later, later],
    'gifts.lock_links': [...caller, `{${giftId},${failedGiftId}}`, later, later],
    'gifts.settle_delivery': [...oneGift, 'delivered', now],
    'gifts.open': [...oneGift, now, null],
    'gifts.claim': [...oneGift, now, giftId, null, null, null, null, null],
    'gifts.begin_claim': [...oneGift, now, giftId, null, null, null, null, null, null, null, null, null],
    'gifts.replace_link': [...caller, failedGiftId, 1, 5, 'pending', later, giftId, 'erased', now, undefined],
    'gifts.resend': [...caller, failedGiftId, 1, 5, 'pending', later, giftId, 'erased', now, undefined],
    'gifts.redirect': [...caller, failedGiftId, 5, ...redirected],
    'gifts.append_redirect_events': [...owner, giftId, now],
    'idempotent_requests.insert': [...caller, 'explained', 'POST /v1/…', `\\x${sample.fingerprint}`, now, null],
    'gifts.lock_balance': caller,
    'gifts.cancel': [...owner, giftId, `{${ABOVE}}`, 'Ordered twice', now],
    'orders.cancel': [...owner, orderId, `{${ABOVE}}`, null, now],
    'events.list': [...caller, 0, 100, '{gift.opened}'],
    'orders.select': oneOrder,
    'orders.exists': [...owner, orderId],
    'orders.list_descending': [...oneOrder, 101],
    'orders.list_ascending': [...oneOrder, 101],
    'balances.select_of_caller': caller,
    ...Object.fromEntries(
      [null, 'order', 'funding'].flatMap((kind) =>
        ['descending', 'ascending'].map((direction) => [
          `ledger_entries.list${{ order: '_orders', funding: '_others' }[String(kind)] ?? ''}_of_caller_${direction}`,
          [...caller, ...wholeRange, 101, kind],
        ]),
      ),
    ),
    ...filteredLists([...caller, ...wholeRange, 101], orderId),
    'orders.lock_balance': owner,
    'orders.complete': [...owner, orderId, now],
    'orders.select_placed': [...caller, sample.idempotency_key, `\\x${sample.fingerprint}`],
    'previewed_orders.insert': [...caller, 'preview_explained', '{}', later],
    'previewed_orders.select_of_key': [...caller, 'preview_explained'],
    'gift_requests.select_of_token': [...caller, 'asked 1'],
    'gift_requests.select_of_agent': oneGift,
    'gift_requests.insert_of_agent': [...caller, giftId, 'asked 0', 2500, '{}', now, 100],
    'orders.preview': [...caller, 2500, '{coffee}', '[]', 'explained', now, '{ada@example.com}', true],
    'gifts.reschedule': [...oneGift, later, later],
    'gifts.lock_due': [...caller, later, 100],
    'orders.place': placement,
    'orders.place_any': placement,
  };
}

test('this test explains all statements that check a key', () => {
  const checking = [...statements].filter(([, text]) => text.includes('caller_state')).map(([name]) => name);
  const explained = Object.keys(statementsOfTheInterface());
  assert.deepEqual(
    checking.filter((name) => !explained.includes(name)),
    [],
  );
});

for (const [mode, whose] of [
  ['force_custom_plan', 'of a key'],
  ['force_generic_plan', 'of a key'],
  ['force_generic_plan', 'of an agent that reaches its own orders'],
] as const)
  test(`with ${mode}, every /v1 statement ${whose} uses an index and reads few rows`, async () => {
    const hash = whose === 'of a key' ? sample.hash : agentHash;
    for (const [name, parameters] of Object.entries(statementsOfTheInterface(hash))) {
      const nodes = await explain(name, parameters, mode);
      const explained = `${name}: ${describePlan(nodes)}`;
      const whole = nodes.filter(
        (node) => node['Node Type'] === 'Seq Scan' && !READ_WHOLE.includes(node['Relation Name'] ?? ''),
      );
      assert.deepEqual(whole, [], explained);
      const read = rowsRead(nodes);
      assert.ok(read >= 1 && read <= MOST_ROWS_READ, `${read} rows read by ${explained}`);
    }
  });

test('the operator’s search reads only an index of each organization, and few gifts', async () => {
  await sql.query(`insert into card_proofs (organization_id, environment, gift_id, holder_address)
    select organization_id, environment, gift_id, gift_id || '@example.com' from gifts order by gift_id limit 10000`);
  await sql.query('analyze card_proofs');
  const searches = {
    by_id: sample.gift_id,
    by_order: sample.order_id,
    by_card: sample.gift_id,
    by_address: 'unknown@example.com',
    by_external_id: 'unknown',
    by_order_external_id: 'unknown',
    by_idempotency_key: sample.idempotency_key,
  };
  for (const [name, value] of Object.entries(searches))
    for (const mode of ['force_custom_plan', 'force_generic_plan']) {
      const searched = { name: `gift_search.${name}`, parameters: [value, 20], mode };
      const nodes = await explainPlan(sql, ALL_ORGANIZATIONS, searched);
      const explained = `${name}: ${describePlan(nodes)}`;
      const read = nodes.filter((node) => node['Relation Name'] !== 'organizations');
      assert.ok(!read.some((node) => node['Node Type'] === 'Seq Scan'), explained);
      assert.ok(rowsRead(read) <= MOST_ROWS_READ, explained);
    }
});

test('lists keep one plan for all their pages', async () => {
  const database = connectDatabase(service.target, () => undefined);
  const owner = [organization.organizationUuid, 'sandbox'] as const;
  const { gift_id: giftId, order_id: orderId, hash } = sample;
  const caller = [...owner, JSON.stringify({ hash })] as const;
  // PostgreSQL starts with five custom plans, then compares.
  for (let page = 0; page < 10; page += 1) {
    await selectGifts.descending(database.read, [...caller, giftId, 11]);
    await selectGifts.ascending(database.read, [...caller, giftId, 11]);
    await selectOrders.descending(database.read, [...caller, orderId, 11]);
    await selectOrders.ascending(database.read, [...caller, orderId, 11]);
  }
  const text = `select custom_plans, generic_plans from pg_prepared_statements where name ~ 'list' order by name`;
  const { rows } = await database.read.query({ text });
  await database.close();
  assert.deepEqual(rows, Array(4).fill({ custom_plans: 0, generic_plans: 10 }));
});

test('growing tables are analyzed with a sample of 3,000 rows', async () => {
  const told: string[] = [];
  const listen = ({ message = '' }: { message?: string | undefined }) => told.push(message);
  sql.on('notice', listen);
  await sql.query('analyze (verbose) orders, gifts, deliveries, ledger_entries');
  sql.off('notice', listen);
  const samples = told.flatMap((message) => /(\d+) rows in sample/.exec(message)?.[1] ?? []);
  assert.deepEqual(samples, ['3000', '3000', '3000', '3000'], told.join('\n'));
});

test('the outbox reads only the gifts of the messages that it shows', async () => {
  const nodes = await explain('deliveries.select_latest_messages', [100, false], 'auto');
  const gifts = nodes.filter((node) => node['Relation Name'] === 'gifts');
  assert.deepEqual(
    gifts.map((node) => [/^Index/.test(node['Node Type']), node['Actual Rows'] * node['Actual Loops']]),
    [[true, 100]],
    describePlan(nodes),
  );
});

test('control: the check finds a statement that reads foreign rows', async () => {
  statements.set('plans.careless', 'select order_id from gifts where organization_id = $1 and address = $2');
  try {
    const nodes = await explain('plans.careless', [organization.organizationUuid, 'unknown@example.com'], 'auto');
    const removed = nodes.reduce((sum, node) => sum + (node['Rows Removed by Filter'] ?? 0), 0);
    assert.ok(removed > MOST_ROWS_READ, `${removed}`);
  } finally {
    statements.delete('plans.careless');
  }
});
