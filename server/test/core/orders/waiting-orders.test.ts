import assert from 'node:assert/strict';
import { test } from 'node:test';
import { completeOrder } from '../../../src/core/orders/complete-order.ts';
import { type Answer, emailGift, linkGift } from '../../harness/api-client.ts';
import { openHolder } from '../../harness/holder.ts';
import { balanceOf, verifyAll } from '../../harness/ledger.ts';
import { openForFile } from '../../harness/open-for-file.ts';
import { startTestService } from '../../harness/test-service.ts';

// Orders of one organization on several processes wait for each other, and for the service's own jobs.

const service = openForFile(() => startTestService({ ORDER_LOCK_WAIT_MS: '10000' }));

test('an order waits for a balance that another process has locked', async () => {
  const organization = await service.organization();
  const holder = await openHolder(service);
  const hasty = await service.second({ ORDER_LOCK_WAIT_MS: '0' });
  const hold = `select from balances where organization_id = $1 and environment = 'sandbox' for update`;
  await holder.query('begin');
  await holder.query(hold, [organization.organizationUuid]);
  const placing: Promise<Answer> = organization.sandbox.order([linkGift()]);
  const answer = await Promise.race([placing, hasty.api(organization.keys.sandbox).order([linkGift()])]);
  assert.equal(answer.body.error?.code, 'resource_locked', 'the other process does not wait');
  await holder.query('rollback');
  assert.equal((await placing).status, 201);
  await holder.end();
  await hasty.close();
});

test('twenty workers of one organization on two processes get no 409', async () => {
  const organization = await service.organization({ sandbox: 1_000_000 });
  const other = await service.second({ ORDER_LOCK_WAIT_MS: '10000' });
  const clients = [organization.sandbox, other.api(organization.keys.sandbox)];
  const statuses = await Promise.all(
    Array.from({ length: 20 }, async (_, worker) => {
      const all: (number | undefined)[] = [];
      for (let n = 0; n < 15; n += 1) all.push((await clients[worker % 2]?.order([linkGift(1000)]))?.status);
      return all;
    }),
  );
  assert.deepEqual([...new Set(statuses.flat())], [201]);
  assert.equal(await balanceOf(service, organization, 'sandbox'), 1_000_000 - 300 * 1000);
  await other.close();
});

test('a client gets no 409 while its processing orders are completed', async () => {
  const organization = await service.organization();
  const { deps } = service.service;
  const scope = { organizationId: organization.organizationUuid, environment: 'sandbox' } as const;
  for (let n = 0; n < 10; n += 1) await organization.sandbox.order([emailGift('processing')]);
  const due = await service.sql<{ order_id: string }>(
    'select order_id from orders where organization_id = $1 and completes_at is not null',
    [organization.organizationUuid],
  );
  assert.equal(due.length, 10);
  const completing = Promise.all(due.map(({ order_id }) => completeOrder(deps, scope, order_id)));
  for (let n = 0; n < 20; n += 1) assert.equal((await organization.sandbox.order([linkGift()])).status, 201);
  await completing;
});

test('the ledger is right after these races', () => verifyAll(service));
