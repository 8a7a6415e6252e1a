import assert from 'node:assert/strict';
import { test } from 'node:test';
import { sandboxOwners } from '../../../src/capabilities/erasure/delete-contents.ts';
import { addressOwners } from '../../../src/capabilities/erasure/erase-recipient.ts';
import { openForFile } from '../../harness/open-for-file.ts';
import { startTestService } from '../../harness/test-service.ts';

const service = openForFile(() => startTestService());

/** Columns whose names say that they can hold a person's address. */
const HOLDS_ADDRESS = '^(address|.*_address|email|recipient|entered|gift|pending_gifts|search|details|data|body)$';

/** Tables with such a column that an erasure leaves alone. */
const WITHOUT_RECIPIENTS: Record<string, string> = {
  audit_events: 'names no recipient, and of members who did what',
  events: 'names no recipient',
  request_log: 'masks addresses, and ends after seven days',
  webhook_attempts: 'answers of the endpoint',
  issuer_events: 'what an issuer says of a card',
  members: 'the address of a member, whom `member erase` erases',
};

/** Tables of an environment that a reset of the sandbox leaves alone. */
const OUTLASTS_SANDBOX: Record<string, string> = {
  agent_grants: 'access',
  api_keys: 'access',
  earlier_keys: 'access',
  gift_templates: 'what senders begin with; names no recipient',
  spending_caps: 'limits of the access',
  webhook_endpoints: 'go on with the next event',
  event_counters: 'sequences go on rising',
  events: 'the stream begins again with sandbox.reset',
  approvals: 'who changed a balance, with its reason',
  audit_events: 'append-only',
  idempotent_requests: 'answers to changes of endpoints and keys',
  request_log: 'ends after seven days',
  restores: 'append-only',
};

const tablesWith = async (condition: string) =>
  (
    await service.sql(
      `select distinct table_name from information_schema.columns where table_schema = 'public' and ${condition} order by 1`,
    )
  ).map(({ table_name }) => String(table_name));

const without = (tables: readonly string[], known: Record<string, string>) =>
  tables.filter((table) => !(table in known));

test('each table with a recipient’s address has an owner that erases it', async () => {
  const found = await tablesWith(`column_name ~ '${HOLDS_ADDRESS}'`);
  const erased = addressOwners.flatMap(({ tables }) => tables);
  assert.deepEqual(
    without(found, WITHOUT_RECIPIENTS).filter((table) => !erased.includes(table)),
    [],
  );
  for (const table of Object.keys(WITHOUT_RECIPIENTS))
    assert.ok(found.includes(table) && !erased.includes(table), table);
});

test('each table of an environment has an owner that empties a sandbox, or outlasts it', async () => {
  const found = await tablesWith("column_name = 'environment'");
  const deleted = sandboxOwners.flatMap(({ tables }) => tables);
  assert.deepEqual(
    without(found, OUTLASTS_SANDBOX).filter((table) => !deleted.includes(table)),
    [],
  );
  for (const table of Object.keys(OUTLASTS_SANDBOX))
    assert.ok(found.includes(table) && !deleted.includes(table), table);
});
