import assert from 'node:assert/strict';
import { test } from 'node:test';
import { canonicalEntry, canonicalEvent } from '../../../src/capabilities/seals/canonical.ts';
import { leafOf } from '../../../src/capabilities/seals/merkle-tree.ts';
import { openForFile } from '../../harness/open-for-file.ts';
import { startTestService } from '../../harness/test-service.ts';

const service = openForFile(() => startTestService());

const ID = '01a1fdfa-467b-7000-8000-000000000001';
const entry = {
  organization_id: ID,
  environment: 'live',
  row_id: ID,
  kind: 'order',
  amount_cents: '-2500',
  balance_after_cents: '97500',
  order_id: ID,
  gift_id: null,
  reference: null,
  note: null,
  legs: null,
  created_at: '2026-11-21T12:00:00.123000Z',
} as const;
const event = {
  organization_id: ID,
  environment: null,
  row_id: ID,
  action: 'key.created',
  actor_kind: 'member',
  actor_member_id: ID,
  actor_name: 'Ada “é”',
  actor_address: '::1',
  target: null,
  details: { name: 'Shop', hint: '…', nothing: null, list: [{ b: 1, a: 2 }] },
  created_at: '2026-11-21T12:00:00.123456Z',
};

// What was sealed once must hash the same for ever: a change of these texts needs another version.
test('version 1 of the canonical texts and hashes stays as it is', () => {
  const text =
    '{"amount":-2500,"balance_after":97500,"created_at":"2026-11-21T12:00:00.123Z","entry_id":"led_01m7yzmhkve008000000000001","environment":"live","kind":"order","order_id":"ord_01m7yzmhkve008000000000001","organization_id":"org_01m7yzmhkve008000000000001","type":"ledger_entry","version":1}';
  assert.equal(canonicalEntry(entry), text);
  const legs = [{ account: 'fees', amount: '3' }];
  assert.equal(
    canonicalEntry({ ...entry, legs }),
    text.replace(',"order_id"', ',"legs":[{"account":"fees","amount":3}],"order_id"'),
  );
  assert.equal(
    canonicalEvent(event),
    '{"action":"key.created","actor_address":"::1","actor_kind":"member","actor_member_id":"mem_01m7yzmhkve008000000000001","actor_name":"Ada “é”","created_at":"2026-11-21T12:00:00.123456Z","details":{"hint":"…","list":[{"a":2,"b":1}],"name":"Shop","nothing":null},"event_id":"evt_01m7yzmhkve008000000000001","organization_id":"org_01m7yzmhkve008000000000001","type":"audit_event","version":1}',
  );
  assert.equal(leafOf(text).toString('hex'), 'bebc27b6d7e4bcadeeb484db4bac23cd445157c7c7d229c50e4bfbed49a49a26');
});

test('the canonical texts hold every column of their tables', async () => {
  const columns = async (table: string) =>
    (
      await service.sql<{ name: string }>(
        `select column_name as name from information_schema.columns
       where table_schema = 'public' and table_name = $1 order by 1`,
        [table],
      )
    ).map(({ name }) => name.replace(/_cents$/, ''));
  const full = { gift_id: ID, reference: 'r', note: 'n' };
  const members = (text: string) =>
    Object.keys(JSON.parse(text)).filter((name) => name !== 'type' && name !== 'version');
  assert.deepEqual(await columns('ledger_entries'), members(canonicalEntry({ ...entry, ...full })));
  const legs = [{ account: 'fees', amount: '3' }];
  const [leg] = JSON.parse(canonicalEntry({ ...entry, legs })).legs;
  assert.deepEqual(await columns('ledger_legs'), ['account', 'amount', 'entry_id', 'environment', 'organization_id']);
  assert.deepEqual(leg, { account: 'fees', amount: 3 });
  const whole = { ...event, environment: 'live', target: 't' } as const;
  assert.deepEqual(await columns('audit_events'), members(canonicalEvent(whole)));
});
