import assert from 'node:assert/strict';
import { type TestContext, test } from 'node:test';
import { setCaps } from '../../../src/core/caps/set-caps.ts';
import { type Answer, linkGift } from '../../harness/api-client.ts';
import { OPERATOR } from '../../harness/operator.ts';
import { assertRefused } from '../../harness/raw-http.ts';
import { until } from '../../harness/server-process.ts';
import { startTestService, type TestOrganization, type TestService } from '../../harness/test-service.ts';

// Shadows PostgreSQL's function for connections with this search path. `orders.place` calls it after its snapshot and before
// it locks the balance.
const waitForOtherOrder = `
  create function public.pg_try_advisory_xact_lock(key bigint) returns boolean language plpgsql volatile as $$
  begin
    for attempt in 1 .. 150 loop
      exit when exists (select from orders where idempotency_key = 'raced');
      perform pg_sleep(0.01);
    end loop;
    return pg_catalog.pg_try_advisory_xact_lock(key);
  end $$;`;

/** Sends an order to another process, and runs the act after its snapshot and before it locks the balance. */
async function raceSnapshot(
  t: TestContext,
  idempotencyKey: string,
  act: (service: TestService, organization: TestOrganization) => Promise<Answer>,
): Promise<{ late: Answer; placed: Answer }> {
  const service = await startTestService();
  t.after(() => service.close());
  const organization = await service.organization({ sandbox: 6_000 });
  assert.equal((await organization.sandbox.order([linkGift(2_500)], 'before')).status, 201);
  await service.sql(waitForOtherOrder);
  const other = await service.second();
  for (const { placement } of other.service.deps.database.servers)
    placement.options.options += ' -c search_path=limited,public,pg_catalog';
  // Its ids do not show that another order was placed.
  other.service.deps.ids.next(service.clock.now() + 60_000);
  const late = other.api(organization.keys.sandbox).order([linkGift(2_500)], idempotencyKey);
  const waiting = `select from pg_stat_activity where datname = current_database() and wait_event = 'PgSleep'`;
  await until(async () => (await service.sql(waiting)).length > 0, 'the other process places it');
  const placed = await act(service, organization);
  assert.equal(placed.status, 201);
  return { late: await late, placed };
}

test('an order placed by another process after the snapshot is replayed', async (t) => {
  const { late, placed } = await raceSnapshot(t, 'raced', (_, { sandbox }) =>
    sandbox.order([linkGift(2_500)], 'raced'),
  );
  assert.deepEqual([late.status, late.body.order_id, late.body.status], [200, placed.body.order_id, 'processed']);
});

test('a cap set after an order’s snapshot holds for the order', async (t) => {
  const { late } = await raceSnapshot(t, 'late', async (service, { organizationId, sandbox }) => {
    const setting = { organizationId, environment: 'sandbox', actor: OPERATOR } as const;
    await setCaps(service.service.deps, { ...setting, amounts: { day: 3_500 } });
    return sandbox.order([linkGift(1_000)], 'raced');
  });
  assertRefused(late, 'insufficient_balance', undefined, 'organization_cap_reached');
});
