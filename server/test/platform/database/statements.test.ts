import assert from 'node:assert/strict';
import { globSync } from 'node:fs';
import { after, before, test } from 'node:test';
import { exceptions, statements } from '../../../src/platform/database/statement.ts';
import { addColumns } from '../../harness/add-columns.ts';
import { AS_OWNER, AS_SERVICE } from '../../harness/explain-plan.ts';
import { startTestService, type TestService } from '../../harness/test-service.ts';

// A statement is for one organization: it cannot read another one's rows, and its first parameter finds its server. The others
// are declared with their reason (`statementOnEachShard`, `statementOfNone`).

const TENANT_TABLES =
  'organizations|members|sandboxes|api_keys|balances|orders|ledger_entries|gifts|deliveries|card_purchases|notices|balance_alerts|audit_events|request_log|steered_tries|seals|unsealed_events|card_proofs|spending_caps|spending|approvals|event_counters|events|idempotent_requests|unsubscribed|webhook_endpoints|webhook_deliveries|webhook_attempts|ledger_legs|seal_nodes|issuers|cards|card_facts|issuer_events|shop_codes|topup_customers|topups|topup_reversals|topup_costs|automatic_topups|batches|batch_rows|gift_requests|brands|sender_domains|agent_grants|restores|gift_views|custom_roles|teams|approval_rules|gift_request_approvals|contacts|contact_words|gift_templates|previewed_orders|yearly_rules|yearly_gifts|tremendous_products|issuer_pictures';

/** Counts uses of tenant tables and conditions on the organization. */
function tenantUse(text: string): { reads: number; conditions: number } {
  const reads = text.match(new RegExp(`\\b(?:from|join|update)\\s+(?:${TENANT_TABLES})\\b`, 'g')) ?? [];
  const conditions = text.match(/\borganization_id\s*=|\busing\s*\(organization_id/g) ?? [];
  return { reads: reads.length, conditions: conditions.length };
}

const KEY = /\borganization_id\s*=\s*\$1\b/;
/** An insert of one row, or of rows made in its own select. */
const INSERT = /^\s*insert into \w+ \(\s*organization_id,[^)]*\)\s*(?:values \(|select )\$1,/;

/** People are in one database; home.test.ts checks that no statement uses both. */
const isOfPeople = (text: string) => /\bportal\./.test(text);

/** Whether the first parameter is the organization, and the statement reads no other. */
const isOfOneOrganization = (text: string) => {
  const { reads, conditions } = tenantUse(text);
  return (KEY.test(text) || INSERT.test(text)) && conditions >= reads;
};

let service: TestService;
before(async () => {
  for (const file of globSync('server/src/**/{queries,*-queries,end-session}.ts')) await import(`../../../../${file}`);
  service = await startTestService();
  await service.sql(AS_SERVICE);
});
after(() => service.close());

test('every statement can be prepared against the migrated schema', async () => {
  assert.ok(statements.size > 50, `${statements.size} statements`);
  for (const [name, text] of statements)
    await service.sql(`prepare "${name}" as ${text}`).catch((error: Error) => assert.fail(`${name}: ${error.message}`));
});

test('every statement is for the organization of its first parameter, or says why not', () => {
  const careless = [...statements].filter(
    ([name, text]) => !exceptions.has(name) && !isOfPeople(text) && !isOfOneOrganization(text),
  );
  assert.deepEqual(
    careless.map(([name]) => name),
    [],
  );
});

test('only a sandbox’s orders and gifts are deleted, and never what they belong to', () => {
  const DELETES = /\bdelete from (?:only )?(organizations|members|api_keys|categories|orders|gifts)\b/;
  const deletes = [...statements].filter(([, text]) => DELETES.test(text));
  assert.ok(deletes.length > 0);
  for (const [name, text] of deletes)
    assert.match(text, /delete from (orders|gifts) where organization_id = \$1 and environment = 'sandbox'/, name);
});

test('no statement is declared an exception without need', () => {
  const unfounded = [...exceptions.keys()].filter((name) => isOfOneOrganization(statements.get(name) ?? ''));
  assert.deepEqual(unfounded, []);
});

test('statements of no organization use no table of organizations', () => {
  const ofNone = [...exceptions].filter(([, reason]) => reason === 'of no organization');
  assert.ok(ofNone.length > 20, `${ofNone.length} statements`);
  for (const [name] of ofNone) assert.equal(tenantUse(statements.get(name) ?? '').reads, 0, name);
});

test('control: the check finds a statement without its organization', () => {
  const careless = 'select 1 from gifts g join orders o on o.order_id = g.order_id where g.organization_id = $1';
  assert.equal(isOfOneOrganization(careless), false);
  assert.equal(isOfOneOrganization('select 1 from gifts where organization_id = $2'), false);
});

test('no statement names tables of people and of organizations', () => {
  const people = [...statements].filter(([, text]) => /\bportal\./.test(text));
  assert.ok(people.length > 5, `${people.length} statements`);
  for (const [name, text] of people)
    assert.doesNotMatch(text, new RegExp(`\\b(?:from|join|update|into)\\s+(?:${TENANT_TABLES})\\b`), name);
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

/** An `execute` of a prepared statement, without values. */
function execute(name: string, text: string): string {
  const count = Math.max(0, ...(text.match(/\$\d+/g) ?? []).map((parameter) => Number(parameter.slice(1))));
  return `execute "${name}"${count === 0 ? '' : ` (${Array.from({ length: count }, () => 'null').join(', ')})`}`;
}

test('/v1 statements read tenant rows by an index', async () => {
  await service.sql('set enable_seqscan = off');
  const ofTheInterface = [...statements.keys()].filter((name) => /^(orders|gifts)\.|^keys\.select_by_hash/.test(name));
  for (const name of ofTheInterface) {
    const execution = execute(name, statements.get(name) ?? '');
    await service.sql('set plan_cache_mode = force_generic_plan');
    const plan = await service.sql<{ 'QUERY PLAN': string }>(`explain ${execution}`);
    const text = plan.map((row) => row['QUERY PLAN']).join('\n');
    assert.doesNotMatch(text, new RegExp(`Seq Scan on (?:${TENANT_TABLES})\\b`), `${name}\n${text}`);
  }
});

test('a column that a later release adds changes no statement of this one: none returns `*` of a table', async () => {
  const wide = 'select g.* from (select * from gifts) g';
  await service.sql(`prepare wide as ${wide}`);
  await service.sql(AS_OWNER);
  assert.ok((await addColumns(service)) > 80);
  await service.sql(AS_SERVICE);
  const refused: string[] = [];
  for (const [name, text] of [...statements, ['wide', wide] as const])
    await service.sql(`explain ${execute(name, text)}`).catch(() => refused.push(name));
  assert.deepEqual(refused, ['wide'], 'only the control is refused');
});
