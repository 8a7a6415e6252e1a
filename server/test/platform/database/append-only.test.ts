import assert from 'node:assert/strict';
import { test } from 'node:test';
import { sealChains } from '../../../src/capabilities/seals/seal-chains.ts';
import { emailGift, linkGift } from '../../harness/api-client.ts';
import { openForFile } from '../../harness/open-for-file.ts';
import { startTestService } from '../../harness/test-service.ts';

const service = openForFile(() => startTestService());

/** The columns that may change, by table; the tests' SQL runs as a superuser. */
const CHANGING: Record<string, readonly string[]> = {
  ledger_entries: [],
  audit_events: [],
  seals: [],
  seal_nodes: [],
  ledger_legs: [],
  card_purchases: [],
  restores: [],
  orders: ['fingerprint', 'completes_at', 'pending_gifts', 'external_id', 'metadata'],
  gifts: [
    'method',
    'address',
    'delivery_state',
    'redirect_count',
    'recipient_name',
    'sender_name',
    'delivery_id',
    'link_version',
    'link_expires_at',
    'opened_at',
    'claimed_at',
    'card_id',
    'spent_cents',
    'held_at',
    'holder_hash',
    'canceled_at',
    'cancel_reason',
    'expires_at',
    'expiry_announced_at',
    'external_id',
    'metadata',
    'claiming_at',
    'screening_until',
    'message',
    'language',
    'thanks',
    'thanked_at',
    'scheduled_for',
    'is_waiting',
    'chosen_category_id',
    'declined_at',
    'erased_at',
  ],
};

const REFUSED = { code: '42501' };

/** One row in each of the tables, live and in the sandbox. */
async function fill() {
  const organization = await service.organization();
  await organization.live.order([linkGift()]);
  const { body } = await organization.sandbox.order([emailGift('claimed')]);
  const spent = await organization.sandbox.post(`/v1/sandbox/gifts/${body.gifts[0].gift_id}/spend`);
  assert.equal(spent.status, 200);
  await sealChains(service.service.deps);
  await service.sql(
    `insert into ledger_legs select organization_id, environment, entry_id, 'fees', -amount_cents from ledger_entries
     on conflict do nothing`,
  );
  await service.sql(
    `insert into seal_nodes select organization_id, chain, 8, number, head from seals on conflict do nothing`,
  );
  await service.sql(
    `insert into restores select organization_id, environment, now(), now(), 0, 1, 0, entry_id from ledger_entries
     on conflict do nothing`,
  );
  return organization;
}

test('only the columns that may change can be changed, even by a superuser', async () => {
  await fill();
  for (const [table, changing] of Object.entries(CHANGING)) {
    const columns = await service.sql<{ name: string }>(
      `select column_name as name from information_schema.columns where table_name = $1`,
      [table],
    );
    for (const { name } of columns) {
      const change = service.sql(`update ${table} set "${name}" = "${name}"`);
      if (changing.includes(name)) await change;
      else await assert.rejects(change, REFUSED, `${table}.${name}`);
    }
  }
});

test('a claim is neither undone nor moved to another card', async () => {
  const { organizationUuid: uuid } = await fill();
  for (const change of [
    'claimed_at = null, card_id = null, spent_cents = 0',
    'card_id = gen_random_uuid()',
    `opened_at = opened_at - interval '1 day'`,
  ])
    await assert.rejects(
      service.sql(`update gifts set ${change} where organization_id = $1 and claimed_at is not null`, [uuid]),
      REFUSED,
      change,
    );
});

test('live orders, gifts, entries, balances and seals cannot be deleted', async () => {
  const { organizationUuid: uuid, sandbox } = await fill();
  for (const table of ['ledger_entries', 'ledger_legs', 'gifts', 'orders', 'balances'])
    await assert.rejects(
      service.sql(`delete from ${table} where organization_id = $1 and environment = 'live'`, [uuid]),
      REFUSED,
      table,
    );
  for (const table of ['seals', 'seal_nodes'])
    await assert.rejects(
      service.sql(`delete from ${table} where organization_id = $1 and chain = 'live'`, [uuid]),
      REFUSED,
    );
  for (const table of [
    'ledger_entries',
    'ledger_legs',
    'gifts',
    'orders',
    'balances',
    'seals',
    'seal_nodes',
    'audit_events',
  ])
    await assert.rejects(service.sql(`truncate ${table} cascade`), REFUSED, table);
  assert.equal((await sandbox.post('/v1/sandbox/reset')).status, 200);
});
