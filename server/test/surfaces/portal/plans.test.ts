import assert from 'node:assert/strict';
import { before, test } from 'node:test';
import { statements } from '../../../src/platform/database/statement.ts';
import { AS_SERVICE, nodesOf, type PlanNode } from '../../harness/explain-plan.ts';
import { openForFile } from '../../harness/open-for-file.ts';
import { startTestService } from '../../harness/test-service.ts';

// The portal's lists under the plans that PostgreSQL keeps for prepared statements. Such a plan knows no organization: it
// expects little of each, and would rather fetch all of that and sort it. One organization has nearly everything here.

const BUSY = 12_000;
const OTHERS = 6_000;
const [LOWEST, HIGHEST] = ['00000000-0000-0000-0000-000000000000', 'ffffffff-ffff-ffff-ffff-ffffffffffff'];
const LIMIT = 26;
const SENDER = '0199b0d0-0000-7000-8000-000000000001';

const service = openForFile(() => startTestService());
let owner: [organizationId: string, environment: string];

before(async () => {
  const busy = await service.organization();
  const others = [await service.organization(), await service.organization()];
  owner = [busy.organizationUuid, 'live'];
  await service.sql('set session_replication_role = replica');
  // In turn, as they would have come: an organization's rows lie apart.
  const source = `(
    select n, case when n % 3 < 2 then $1::uuid when n % 2 = 0 then $2::uuid else $3::uuid end as organization_id,
      (lpad(to_hex(1760000000000 + n), 12, '0') || '70008000000000000000')::uuid as id,
      to_timestamp(1760000000 + n / 1000.0) as at
    from generate_series(1, ${BUSY + OTHERS}) as n) s`;
  for (const insert of [
    `orders (organization_id, environment, order_id, idempotency_key, fingerprint, amount_cents, key_id, member_id,
       created_at, sender_member_id)
     select s.organization_id, 'live', id, n::text, sha256(''), 2500, k.key_id, m.member_id, at, '${SENDER}' from ${source}
     join api_keys k on k.organization_id = s.organization_id and k.environment = 'live'
     join members m on m.organization_id = s.organization_id`,
    `ledger_entries (organization_id, environment, entry_id, kind, amount_cents, balance_after_cents, order_id, note,
       created_at)
     select organization_id, 'live', id, (case n % 4 when 0 then 'adjustment' else 'order' end)::ledger_entry_kind, -2500,
       2500, case n % 4 when 0 then null else id end, case n % 4 when 0 then 'note' end, at
     from ${source}`,
    `gifts (organization_id, environment, gift_id, order_id, position, amount_cents, category_id, method, address,
       delivery_state, sender_name, link_expires_at, created_at, delivery_id, external_id, metadata,
       sender_member_id)
     select organization_id, 'live', id, id, 0, 2500, 'coffee', 'email', 'a@example.com',
       (case n % 4 when 0 then 'failed' else 'delivered' end)::delivery_state, 'Sender', at, at, id,
       case n % 4 when 0 then 'campaign' end, '{"team": "sales"}', '${SENDER}'
     from ${source}`,
    `metadata_pairs (organization_id, environment, resource, pair, resource_id)
     select organization_id, 'live', 'gift', metadata_pair('team', 'sales'), id from ${source}`,
  ])
    await service.sql(`insert into ${insert}`, [owner[0], ...others.map(({ organizationUuid }) => organizationUuid)]);
  for (const table of ['api_keys', 'members', 'orders', 'ledger_entries', 'gifts', 'metadata_pairs'])
    await service.sql(`analyze ${table}`);
});

/** The most rows that any one step of it took from a table or an index. */
const rowsTaken = (plan: PlanNode): number =>
  Math.max(
    ...nodesOf(plan)
      .filter((node) => 'Relation Name' in node || 'Index Name' in node)
      .map(
        (node) =>
          (node['Actual Rows'] + (node['Rows Removed by Filter'] ?? 0) + (node['Rows Removed by Index Recheck'] ?? 0)) *
          node['Actual Loops'],
      ),
  );

const literal = (value: string | number | null) => (typeof value === 'string' ? `'${value}'` : String(value));

async function planOf(name: string, parameters: readonly (string | number | null)[]): Promise<PlanNode> {
  const values = [...owner, ...parameters].map(literal).join(', ');
  const [row] = await service.sql<{ 'QUERY PLAN': { Plan: PlanNode }[] }>(
    `explain (analyze, timing off, format json) execute "${name}" (${values})`,
  );
  const plan = row?.['QUERY PLAN'][0]?.Plan;
  assert.ok(plan !== undefined);
  return plan;
}

const whole = [LOWEST, HIGHEST] as const;
const nothing = [null, null, 'books', null, null, null, null] as const;
// Of a member who sent all of the busy organization.
const sent = [...nothing.slice(0, -1), `{${SENDER}}`] as const;
// Of an address and an external id that many gifts have.
const toAddress = [null, null, 'books', 'a@example.com', null, 'a@example.com', null] as const;
const named = [null, null, 'books', null, null, 'campaign', null] as const;
// Of `/v1`: no key, the whole range, no cursor.
const listed = [null, ...whole, null, LIMIT] as const;
const books = (externalId: string | null, metadata: string | null) =>
  [...listed, null, null, 'books', null, externalId, null, metadata, 2_000, null, null] as const;

const sorted = (scanned: number, filter: readonly (string | null)[] = nothing) =>
  [...whole, LIMIT, ...filter, scanned, HIGHEST, 2500, HIGHEST] as const;

/** What each may take from a table: a page's search its bound, a list its page. */
const cases = ['descending', 'ascending'].flatMap((direction): [string, (string | number | null)[], number][] => [
  [`gifts.search_all_${direction}`, [...whole, LIMIT, ...nothing, 2_000], 2_000],
  [`gifts.search_failed_${direction}`, [...whole, LIMIT, ...nothing, 1_000], 1_000],
  [`gifts.search_sent_${direction}`, [...whole, LIMIT, ...sent, 2_000], 2_000],
  [`gifts.scan_all_${direction}`, [...whole, 1_999, null], 2_000],
  [`gifts.scan_failed_${direction}`, [...whole, 999, null], 1_000],
  [`gifts.scan_sent_${direction}`, [...whole, 1_999, `{${SENDER}}`], 2_000],
  [`gifts.search_to_address_${direction}`, [...whole, LIMIT, ...toAddress, 2_000], 2_000],
  [`gifts.search_named_${direction}`, [...whole, LIMIT, ...named, 2_000], 2_000],
  [`gifts.scan_to_address_${direction}`, [...whole, 1_999, null, 'a@example.com'], 2_000],
  [`gifts.scan_named_${direction}`, [...whole, 1_999, null, 'campaign'], 2_000],
  [`gifts.to_address_${direction}`, [...whole, LIMIT, 'a@example.com', null], LIMIT],
  [`gifts.filter_all_${direction}`, [...books(null, null)], 2_000],
  [`gifts.filter_named_${direction}`, [...books('campaign', null)], 2_000],
  [`gifts.filter_with_metadata_${direction}`, [...books(null, '{"team": "sales"}')], 2_000],
  [`gifts.sort_all_largest_${direction === 'descending' ? 'onwards' : 'back'}`, [...sorted(2_000)], 2_000],
  [`gifts.sort_failed_claimed_${direction === 'descending' ? 'onwards' : 'back'}`, [...sorted(1_000)], 1_000],
  [`gifts.sort_named_largest_${direction === 'descending' ? 'onwards' : 'back'}`, [...sorted(2_000, named)], 2_000],
  [`gifts.sort_sent_largest_${direction === 'descending' ? 'onwards' : 'back'}`, [...sorted(2_000, sent)], 2_000],
  [`orders.filter_all_${direction}`, [...listed, null, null, 'books', null, null, null, 500, null, null, null], 500],
  [`orders.search_${direction}`, [...whole, LIMIT, null], LIMIT],
  [`orders.search_text_${direction}`, [...whole, LIMIT, 'none', 2_000, null], 2_000],
  [`orders.search_text_${direction}`, [...whole, LIMIT, 'none', 2_000, `{${SENDER}}`], 2_000],
  [`orders.scan_${direction}`, [...whole, 1_999, null], 2_000],
  [`ledger_entries.list_${direction}`, [...whole, LIMIT, null], LIMIT],
  // Three of four are orders'.
  [`ledger_entries.list_orders_${direction}`, [...whole, LIMIT, 'order'], 2 * LIMIT],
  [`ledger_entries.list_others_${direction}`, [...whole, LIMIT, 'adjustment'], LIMIT],
]);
cases.push(
  ['gifts.count_redirectable', [5, 101], 101],
  ['gifts.list_redirectable', [5, 5], 5],
  ['gifts.total_all', [...whole, 2_000, ...nothing], 2_000],
  ['gifts.total_failed', [...whole, 1_000, ...nothing], 1_000],
  ['gifts.total_to_address', [...whole, 2_000, ...toAddress], 2_000],
  ['gifts.total_named', [...whole, 2_000, ...named], 2_000],
  ['gifts.select_exact', ['a@example.com', 'campaign', null], 1],
  ['gifts.total_sent', [...whole, 2_000, ...sent], 2_000],
  ['orders.total', [...whole, 2_000, null, null], 2_000],
  ['gifts.count_deliveries', [LOWEST, 1_000], 1_000],
);

async function prepareAll(planCacheMode: 'auto' | 'force_generic_plan'): Promise<void> {
  await service.sql(`${AS_SERVICE}; set app.organization_id to '${owner[0]}'`);
  await service.sql('deallocate all');
  await service.sql(`set plan_cache_mode = ${planCacheMode}`);
  for (const name of new Set(cases.map(([one]) => one)))
    await service.sql(`prepare "${name}" as ${statements.get(name)}`);
}

for (const [mode, executions] of [
  ['force_generic_plan', 1],
  ['auto', 11],
] as const)
  test(`a prepared statement reads a bounded number of rows in index order, ${mode}`, async () => {
    await prepareAll(mode);
    for (const [name, parameters, bound] of cases) {
      for (let execution = 1; execution < executions; execution += 1) await planOf(name, parameters);
      const plan = await planOf(name, parameters);
      const read = `${name}: ${rowsTaken(plan)} rows, ${bound} at most`;
      assert.ok(rowsTaken(plan) <= bound, `${read}\n${JSON.stringify(plan, undefined, 1)}`);
      assert.ok(rowsTaken(plan) >= Math.min(bound, LIMIT - 1), read);
    }
  });

test('the check itself sees a plan that fetches everything', async () => {
  await prepareAll('force_generic_plan');
  for (const name of ['indexscan', 'indexonlyscan']) await service.sql(`set enable_${name} = off`);
  for (const [name, parameters, bound] of cases.filter(([name]) => !/redirectable|others/.test(name))) {
    assert.ok(rowsTaken(await planOf(name, parameters)) > bound, name);
  }
});
