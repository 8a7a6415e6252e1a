import assert from 'node:assert/strict';
import { test } from 'node:test';
import { pino } from 'pino';
import { completeOrder } from '../../../src/core/orders/complete-order.ts';
import { systemClock } from '../../../src/platform/base/clock.ts';
import { decodeId } from '../../../src/platform/base/ids.ts';
import { createService } from '../../../src/surfaces/process/serve.ts';
import { createApiClient, emailGift } from '../../harness/api-client.ts';
import { openForFile } from '../../harness/open-for-file.ts';
import { jobsAreDone, mixedGifts, processed, readOrder } from '../../harness/processing-orders.ts';
import { until } from '../../harness/server-process.ts';
import { LINK_SECRET, startTestService, type TestOrganization, testConfig } from '../../harness/test-service.ts';

// How the rest of a `processing` order is created (docs/decisions.md#orders).

const service = openForFile(() => startTestService());

const scopeOf = ({ organizationUuid }: TestOrganization) =>
  ({ organizationId: organizationUuid, environment: 'sandbox' }) as const;

test('completing an order twice, even concurrently, changes nothing', async () => {
  const organization = await service.organization();
  const { sandbox, organizationUuid } = organization;
  const { body } = await sandbox.order(mixedGifts);
  const { deps } = service.service;
  const orderId = decodeId('ord', body.order_id) ?? '';
  await Promise.all([1, 2, 3].map(() => completeOrder(deps, scopeOf(organization), orderId)));
  const everything = () =>
    Promise.all(
      ['orders', 'gifts', 'balances', 'ledger_entries'].map((table) =>
        service.sql(`select * from ${table} t where organization_id = $1 order by t::text collate "C"`, [
          organizationUuid,
        ]),
      ),
    );
  const rows = await everything();
  assert.equal((await readOrder(sandbox, body.order_id)).gifts.length, 6);
  await completeOrder(deps, scopeOf(organization), orderId);
  await service.clock.advance(25_000);
  await jobsAreDone(service);
  assert.deepEqual(await everything(), rows);
});

test('the completion job succeeds on the first try', async () => {
  const { sandbox } = await service.organization();
  await sandbox.order([emailGift('processing')]);
  await service.clock.advance(25_000);
  await jobsAreDone(service);
  const jobs = await service.sql<{ state: string; retry_count: number }>(
    `select distinct state, retry_count from pgboss.job where name = 'complete-order'`,
  );
  assert.deepEqual(jobs, [{ state: 'completed', retry_count: 0 }]);
});

// Otherwise a server that is killed every few seconds would never complete its orders.
test('a job of a killed server is retried as soon as the next server starts', async () => {
  const { sandbox } = await service.organization();
  await sandbox.order([emailGift('processing')]);
  const aMinuteAgo = `pgboss.job_now() - interval '1 minute'`;
  await service.sql(
    `update pgboss.job set state = 'active', started_on = ${aMinuteAgo}, heartbeat_on = ${aMinuteAgo}
     where name = 'complete-order' and state = 'created'`,
  );
  await service.sql(`update pgboss.queue set monitor_on = ${aMinuteAgo}, monitor_claim_on = ${aMinuteAgo}`);
  const states = () =>
    service.sql<{ state: string }>(
      `select state from pgboss.job where name = 'complete-order' and state in ('active', 'retry')`,
    );
  assert.deepEqual(await states(), [{ state: 'active' }]);
  await service.second();
  await until(async () => (await states())[0]?.state === 'retry', 'a retry is scheduled');
  await service.clock.advance(25_000);
  await jobsAreDone(service);
});

test('another process completes the order if the first one has stopped', async (t) => {
  const base = await startTestService();
  t.after(() => base.close());
  const { keys, sandbox } = await base.organization();
  // Only the processes started below run jobs.
  await base.service.deps.jobs.stop();
  const first = await base.second();
  const { body } = await first.api(keys.sandbox).order(mixedGifts);
  await base.clock.advance(10_000);
  await first.close();
  // No process runs when the job is due.
  await base.clock.advance(20_000);
  assert.equal((await readOrder(sandbox, body.order_id)).status, 'processing');
  await base.second();
  await base.clock.advance(2_000);
  assert.equal((await processed(base, sandbox, body.order_id)).gifts.length, 6);
});

for (const hours of [1, -1])
  test(`completes an order after twenty seconds if the clock is ${hours} h off`, async (t) => {
    const organization = await service.organization();
    const clock = { ...systemClock, now: () => service.clock.now() + hours * 3_600_000 };
    const surroundings = {
      servers: service.servers,
      clock,
      log: pino({ level: 'silent' }),
      linkSecrets: [LINK_SECRET],
    };
    const other = await createService(testConfig(), surroundings, { works: false });
    t.after(() => other.close());
    const client = createApiClient(await other.listen(), organization.keys.sandbox);
    const { order_id } = (await client.order([emailGift('processing')])).body;
    await service.clock.advance(18_000);
    assert.equal((await readOrder(organization.sandbox, order_id)).status, 'processing');
    await service.clock.advance(4_000);
    assert.equal((await processed(service, organization.sandbox, order_id)).status, 'processed');
  });
