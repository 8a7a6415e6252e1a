import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { after, before, test } from 'node:test';
import { Client } from 'pg';
import { fillGifts } from '../../../bench/fill-gifts.ts';
import { connectDatabase } from '../../src/database/connections.ts';
import { statements } from '../../src/database/statement.ts';
import { selectGiftsAscending, selectGiftsDescending } from '../../src/gifts/queries.ts';
import { selectOrdersAscending, selectOrdersDescending } from '../../src/orders/queries.ts';
import { startTestService, type TestOrganization, type TestService } from '../harness/test-service.ts';

// The cost of a request does not grow with the tables. Each statement of /v1 is explained with a large table's statistics,
// with a custom and with a generic plan; both must use an index.

const OTHER_ORGANIZATIONS = 10_000;
const ORDERS = 25_000;
const DAY_MS = 86_400_000;
/** Larger than any statement's need: 101 orders of two gifts. */
const MOST_ROWS_READ = 500;
/** The catalog has about ten rows; a sequential scan is fastest. */
const READ_WHOLE = ['categories'];

let service: TestService;
let sql: Client;
let organization: TestOrganization;
let sample: Record<
  'order_id' | 'gift_id' | 'failed_gift_id' | 'key_id' | 'hash' | 'idempotency_key' | 'fingerprint',
  string
>;

before(async () => {
  service = await startTestService();
  sql = new Client(service.target);
  await sql.connect();
  organization = await service.organization({ sandbox: 1_000_000_000 });
  await addOrganizations();
  const nowMs = service.clock.now();
  const { organizationUuid: organizationId } = organization;
  await fillGifts(sql, {
    organizationId,
    environment: 'sandbox',
    orders: ORDERS,
    fromMs: nowMs - 30 * DAY_MS,
    toMs: nowMs - 1,
  });
  await sql.query('analyze');
  const { rows } = await sql.query(
    `select g.order_id, g.gift_id, k.key_id, encode(k.hash, 'hex') as hash,
       o.idempotency_key, encode(o.fingerprint, 'hex') as fingerprint,
       (select f.gift_id from gifts f where f.organization_id = $1 and f.delivery_state = 'failed' limit 1) as failed_gift_id
     from gifts g join orders o on o.organization_id = g.organization_id and o.order_id = g.order_id
     join api_keys k on k.organization_id = g.organization_id and k.environment = g.environment
     where g.organization_id = $1 and g.environment = 'sandbox' order by g.gift_id offset $2 limit 1`,
    [organizationId, ORDERS],
  );
  sample = rows[0];
});
after(async () => {
  await sql.end();
  await service.close();
});

/** Inserts organizations with a member, a key, a sandbox and a balance, so that these tables are large too. */
async function addOrganizations(): Promise<void> {
  await sql.query(`create temporary table made as
    select gen_random_uuid() as organization_id, n, now() as created_at from generate_series(1, ${OTHER_ORGANIZATIONS}) n`);
  for (const insert of [
    `insert into organizations (organization_id, name, created_at) select organization_id, 'Acme ' || n, created_at from made`,
    `insert into members (organization_id, member_id, email, role, created_at)
     select organization_id, gen_random_uuid(), 'ann@example.com', 'admin', created_at from made`,
    `insert into api_keys (organization_id, key_id, environment, name, hash, hint, created_at)
     select organization_id, gen_random_uuid(), 'sandbox', 'key', sha256(n::text::bytea), 'hint', created_at from made`,
    `insert into sandboxes (organization_id, created_at) select organization_id, created_at from made`,
    `insert into balances (organization_id, environment, balance_cents, last_id)
     select organization_id, 'sandbox', 0, organization_id from made`,
  ])
    await sql.query(insert);
}

interface PlanNode {
  'Node Type': string;
  'Relation Name'?: string;
  'Actual Rows': number;
  'Actual Loops': number;
  'Rows Removed by Filter'?: number;
  Plans?: PlanNode[];
}

const nodesOf = (node: PlanNode): PlanNode[] => [node, ...(node.Plans ?? []).flatMap(nodesOf)];

const describe = (node: PlanNode) =>
  `${node['Node Type']} ${node['Relation Name'] ?? ''} ${node['Actual Rows']} × ${node['Actual Loops']}`;

const literal = (value: unknown) =>
  value === null ? 'null' : `'${String(value instanceof Date ? value.toISOString() : value).replaceAll("'", "''")}'`;

/** Explains the statement while it runs, then rolls it back. */
async function explain(name: string, parameters: readonly unknown[], mode: string): Promise<PlanNode[]> {
  const given = parameters.length === 0 ? '' : `(${parameters.map(literal).join(', ')})`;
  await sql.query(`set plan_cache_mode = ${mode}`);
  await sql.query(`prepare explained as ${statements.get(name)}`);
  await sql.query('begin');
  try {
    const { rows } = await sql.query(`explain (analyze, timing off, format json) execute explained${given}`);
    return nodesOf(rows[0]['QUERY PLAN'][0].Plan);
  } finally {
    await sql.query('rollback');
    await sql.query('deallocate explained');
  }
}

/** Parameters of each statement that a /v1 request may run. */
function statementsOfTheInterface(): Record<string, readonly unknown[]> {
  const owner = [organization.organizationUuid, 'sandbox'] as const;
  const {
    order_id: orderId,
    gift_id: giftId,
    failed_gift_id: failedGiftId,
    hash,
    idempotency_key,
    fingerprint,
  } = sample;
  const [oneGift, oneOrder] = [
    [...owner, giftId],
    [...owner, orderId],
  ];
  const [now, later] = [new Date(service.clock.now()), new Date(service.clock.now() + DAY_MS)];
  const redirected = ['phone', '+12025550199', 'pending', null, null, null, false, later, giftId, now];
  const many = (parameters: readonly unknown[]) => parameters.map((value) => `{${value},${value}}`);
  return {
    'keys.select_by_hash': [`\\x${hash}`],
    'keys.select_by_hash_many': many([`\\\\x${hash}`]),
    'gifts.select_many': many([...oneGift, sample.key_id]),
    'gifts.select': [...oneGift, sample.key_id],
    'gifts.exists': oneGift,
    'gifts.list_descending': [...oneGift, sample.key_id, 101],
    'gifts.list_ascending': [...oneGift, sample.key_id, 101],
    'gifts.renew_link': [...oneGift, later, later],
    'gifts.settle_delivery': [...oneGift, 'delivered', now],
    'gifts.open': [...oneGift, now, null],
    'gifts.claim': [...oneGift, now, giftId, null],
    'gifts.redirect': [...owner, failedGiftId, 5, ...redirected],
    'orders.select': oneOrder,
    'orders.select_replay': [...owner, idempotency_key, `\\x${fingerprint}`, sample.key_id],
    'orders.exists': oneOrder,
    'orders.list_descending': [...oneOrder, 101],
    'orders.list_ascending': [...oneOrder, 101],
    'orders.lock_balance': owner,
    'orders.complete': oneOrder,
    'orders.place': placement(),
  };
}

/** A batch of one order with one gift. */
function placement(): [orders: string, gifts: string] {
  const createdAt = new Date(service.clock.now()).toISOString();
  const id = (n: number) => `${'f'.repeat(8)}-0000-7000-8000-00000000000${n}`;
  const order = {
    n: 0,
    organization_id: organization.organizationUuid,
    environment: 'sandbox',
    key_lock: '1',
    idempotency_key: 'explained',
    fingerprint: `\\x${'00'.repeat(32)}`,
    order_id: id(1),
    last_gift_id: id(3),
    entry_id: id(2),
    key_id: sample.key_id,
    organization_name: 'Test Organization',
    amount_cents: 2500,
    categories: ['coffee'],
    may_be_placed: true,
    created_at: createdAt,
    completes_at: null,
    pending_gifts: null,
  };
  const gift = { n: 0, gift_id: id(3), position: 0, amount_cents: 2500, category_id: 'coffee', method: 'link' };
  const names = { sender_name: 'Acme', link_version: 1, link_expires_at: createdAt, spent_cents: 0 };
  return [JSON.stringify([order]), JSON.stringify([{ ...gift, ...names }])];
}

test('this test explains all order and gift statements of /v1', () => {
  const named = ['gifts', 'orders'].flatMap((room) => {
    const text = readFileSync(new URL(`../../src/${room}/queries.ts`, import.meta.url), 'utf8');
    const single = [...text.matchAll(/^ {2}(?:name: )?'((?:gifts|orders)\.\w+)',$/gm)].map(([, name = '']) => name);
    return [...single, ...single.map((name) => `${name}_many`).filter((name) => statements.has(name))];
  });
  assert.deepEqual(
    Object.keys(statementsOfTheInterface())
      .filter((name) => !name.startsWith('keys.'))
      .sort(),
    named.sort(),
  );
});

for (const mode of ['force_custom_plan', 'force_generic_plan'])
  test(`with ${mode}, every /v1 statement uses an index and reads few rows`, async () => {
    for (const [name, parameters] of Object.entries(statementsOfTheInterface())) {
      const nodes = await explain(name, parameters, mode);
      const explained = `${name}: ${nodes.map(describe).join(', ')}`;
      const whole = nodes.filter(
        (node) => node['Node Type'] === 'Seq Scan' && !READ_WHOLE.includes(node['Relation Name'] ?? ''),
      );
      assert.deepEqual(whole, [], explained);
      const scans = nodes.filter((node) => /^(?:Index|Bitmap Heap)/.test(node['Node Type']));
      const rowsRead = scans.reduce(
        (sum, node) => sum + (node['Actual Rows'] + (node['Rows Removed by Filter'] ?? 0)) * node['Actual Loops'],
        0,
      );
      assert.ok(rowsRead >= 1 && rowsRead <= MOST_ROWS_READ, `${rowsRead} rows read by ${explained}`);
    }
  });

test('lists keep one plan for all their pages', async () => {
  const database = connectDatabase(service.target, () => undefined);
  const owner = [organization.organizationUuid, 'sandbox'] as const;
  const { gift_id: giftId, order_id: orderId, key_id: keyId } = sample;
  // PostgreSQL starts with five custom plans, then compares.
  for (let page = 0; page < 10; page += 1) {
    await selectGiftsDescending(database.read, [...owner, giftId, keyId, 11]);
    await selectGiftsAscending(database.read, [...owner, giftId, keyId, 11]);
    await selectOrdersDescending(database.read, [...owner, orderId, 11]);
    await selectOrdersAscending(database.read, [...owner, orderId, 11]);
  }
  const text = 'select custom_plans, generic_plans from pg_prepared_statements order by name';
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
    nodes.map(describe).join(', '),
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
