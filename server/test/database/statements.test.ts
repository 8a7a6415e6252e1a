import assert from 'node:assert/strict';
import { globSync } from 'node:fs';
import { after, before, test } from 'node:test';
import { statements } from '../../src/database/statement.ts';
import { startTestService, type TestService } from '../harness/test-service.ts';

// Every statement on tenant tables names the organization in its conditions: it cannot read another tenant's rows, and the
// tables can be sharded.

const TENANT_TABLES =
  'organizations|members|sandboxes|api_keys|balances|orders|ledger_entries|gifts|deliveries|card_purchases|notices|balance_alerts|audit_events|request_log|steered_tries';

/** Statements over all organizations, each with its reason. */
const globalStatements: Record<string, string> = {
  'keys.select_by_hash': 'authentication: whose key this is, is what it finds out',
  'keys.lock_hash': 'reads no table',
  'keys.select_by_hash_many': 'the same, of several requests',
  'keys.select_organization': 'the operator names a key by its id alone',
  'members.select_organization': 'the operator names a member by its id alone',
  'members.select_memberships': 'a person signs in once, and may be a member of several organizations',
  'organizations.list': 'the operator lists all organizations',
  'organizations.select_is_first_run': 'asks whether there is any organization at all',
  'cards.select_sandbox_gift_owner': 'the operator names a gift by its id alone',
  'deliveries.select_latest_messages': 'the operator looks at the latest messages of all organizations',
  'notices.select_latest': 'the same',
  'notices.delete_sign_in_codes': 'every organization’s codes are forgotten after a day',
  'balance_alerts.rearm': 'the minute’s work looks at every organization’s balance',
  'balance_alerts.list_low': 'the same',
  'metrics.count_waiting_messages': 'the operator’s metrics count the messages of all organizations',
  'metrics.count_unexplained_balances': 'the same of balances',
  'metrics.count_stuck_orders': 'the same of orders',
  'doctor.count_stuck': 'the operator’s doctor looks at the work of all organizations',
  'requests.select_oldest_time': 'every organization’s requests are forgotten after seven days',
  'requests.delete_before': 'the same',
  'sandbox.delete_tries_before': 'every organization’s tries are forgotten after an hour',
  'ledger.count': 'the operator verifies every organization’s ledger',
  'ledger.select_wrong_balances': 'the same',
  'ledger.select_negative_balances': 'the same',
  'ledger.select_broken_chains': 'the same',
  'ledger.select_wrong_debits': 'the same',
  'ledger.select_wrong_amounts': 'the same',
  'ledger.select_wrong_positions': 'the same',
};

/** Counts uses of tenant tables and conditions on the organization. */
function tenantUse(text: string): { reads: number; conditions: number } {
  const reads = text.match(new RegExp(`\\b(?:from|join|update)\\s+(?:${TENANT_TABLES})\\b`, 'g')) ?? [];
  const conditions = text.match(/\borganization_id\s*=|\busing\s*\(organization_id/g) ?? [];
  return { reads: reads.length, conditions: conditions.length };
}

let service: TestService;
before(async () => {
  for (const file of globSync('server/src/**/{queries,*-queries,end-session}.ts')) await import(`../../../${file}`);
  service = await startTestService();
});
after(() => service.close());

test('every statement can be prepared against the migrated schema', async () => {
  assert.ok(statements.size > 50, `${statements.size} statements`);
  for (const [name, text] of statements)
    await service.sql(`prepare "${name}" as ${text}`).catch((error: Error) => assert.fail(`${name}: ${error.message}`));
});

test('every statement names the organization once for each tenant table', () => {
  const careless = [...statements]
    .filter(([name, text]) => !(name in globalStatements) && tenantUse(text).conditions < tenantUse(text).reads)
    .map(([name]) => name);
  assert.deepEqual(careless, []);
});

test('the list of global statements names only existing ones', () => {
  const unfounded = Object.keys(globalStatements).filter((name) => {
    const text = statements.get(name);
    if (text === undefined) return true;
    const { reads, conditions } = tenantUse(text);
    return conditions >= reads && reads > 0;
  });
  assert.deepEqual(unfounded, []);
});

test('control: the check finds a statement without its organization', () => {
  const careless = 'select 1 from gifts g join orders o on o.order_id = g.order_id where g.organization_id = $1';
  assert.deepEqual(tenantUse(careless), { reads: 2, conditions: 1 });
});

test('no statement updates ledger entries; only the sandbox deletes them', () => {
  for (const [name, text] of statements) {
    assert.doesNotMatch(text, /update\s+ledger_entries/, name);
    if (/delete\s+from\s+ledger_entries/.test(text)) assert.match(name, /^sandbox\./);
  }
});

test('no statement updates or deletes an event of the audit log', () => {
  for (const [name, text] of statements) assert.doesNotMatch(text, /(?:update|delete\s+from)\s+audit_events/, name);
});

test('every statement is lower-case SQL without values spliced in', () => {
  for (const [name, text] of statements)
    assert.doesNotMatch(text, /\$\{|\b(SELECT|INSERT|UPDATE|DELETE|WHERE)\b/, name);
});

test('/v1 statements read tenant rows by an index', async () => {
  await service.sql('set enable_seqscan = off');
  const ofTheInterface = [...statements.keys()].filter((name) => /^(orders|gifts)\.|^keys\.select_by_hash/.test(name));
  for (const name of ofTheInterface) {
    const count = Number(
      statements
        .get(name)
        ?.match(/\$\d+/g)
        ?.map((text) => text.slice(1))
        .sort((a, b) => +b - +a)[0],
    );
    const nulls = Array.from({ length: count }, () => 'null').join(', ');
    await service.sql('set plan_cache_mode = force_generic_plan');
    const plan = await service.sql<{ 'QUERY PLAN': string }>(`explain execute "${name}" (${nulls})`);
    const text = plan.map((row) => row['QUERY PLAN']).join('\n');
    assert.doesNotMatch(text, new RegExp(`Seq Scan on (?:${TENANT_TABLES})\\b`), `${name}\n${text}`);
  }
});
