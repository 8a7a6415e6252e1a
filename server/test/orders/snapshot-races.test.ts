import assert from 'node:assert/strict';
import { test } from 'node:test';
import { linkGift } from '../harness/api-client.ts';
import { until } from '../harness/server-process.ts';
import { startTestService } from '../harness/test-service.ts';

// Shadows PostgreSQL's function for new connections. `orders.place` calls it after its snapshot and before it locks the
// balance.
const waitForOtherOrder = `
  create function public.pg_try_advisory_xact_lock(key bigint) returns boolean language plpgsql volatile as $$
  begin
    for attempt in 1 .. 150 loop
      exit when exists (select from orders where idempotency_key = 'raced');
      perform pg_sleep(0.01);
    end loop;
    return pg_catalog.pg_try_advisory_xact_lock(key);
  end $$;
  do $$ begin execute format('alter database %I set search_path = public, pg_catalog', current_database()); end $$;`;

test('an order placed by another process after the snapshot is replayed', async (t) => {
  const service = await startTestService();
  t.after(() => service.close());
  const organization = await service.organization({ sandbox: 5_000 });
  assert.equal((await organization.sandbox.order([linkGift(2_500)], 'before')).status, 201);
  await service.sql(waitForOtherOrder);
  const other = (await service.second()).api(organization.keys.sandbox);
  const late = other.order([linkGift(2_500)], 'raced');
  const waiting = `select from pg_stat_activity where datname = current_database() and wait_event = 'PgSleep'`;
  await until(async () => (await service.sql(waiting)).length > 0, 'the other process places it');
  const placed = await organization.sandbox.order([linkGift(2_500)], 'raced');
  assert.equal(placed.status, 201);
  const { status, body } = await late;
  assert.deepEqual([status, body.order_id, body.status], [200, placed.body.order_id, 'processed']);
});
