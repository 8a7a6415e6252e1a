import assert from 'node:assert/strict';
import { test } from 'node:test';
import { addFunds } from '../../../src/core/balances/change-balance.ts';
import { decodeId } from '../../../src/platform/base/ids.ts';
import { linkGift } from '../../harness/api-client.ts';
import { scrape } from '../../harness/metrics-text.ts';
import { openForFile } from '../../harness/open-for-file.ts';
import { OPERATOR } from '../../harness/operator.ts';
import { startTestService } from '../../harness/test-service.ts';

// The ledger's metrics page people at night, so they must not raise false alarms.

const service = openForFile(() => startTestService({ METRICS_PORT: '0' }));

async function counted(): Promise<Record<string, number | undefined>> {
  const samples = await scrape(service.service.metricsAddress() ?? assert.fail('no metrics'));
  return { unexplained: samples['bestow_balances_unexplained'], stuck: samples['bestow_orders_stuck'] };
}

test('funding from a clock that is ahead raises no alarm', async () => {
  const { sandbox, organizationId } = await service.organization();
  const { deps } = (await service.second()).service;
  deps.ids.next(service.clock.now() + 3 * 60_000);
  const funds = { organizationId, environment: 'sandbox', amountCents: 5000, actor: OPERATOR } as const;
  await addFunds(deps, { ...funds, reference: undefined, note: undefined });
  for (let order = 0; order < 3; order += 1) assert.equal((await sandbox.order([linkGift()])).status, 201);
  assert.deepEqual(await counted(), { unexplained: 0, stuck: 0 });
});

test('counts balances that no entry explains, and stuck orders', async () => {
  const { sandbox, organizationUuid } = await service.organization();
  const { body } = await sandbox.order([linkGift()]);
  assert.deepEqual(await counted(), { unexplained: 0, stuck: 0 });
  await service.sql(`update balances set balance_cents = balance_cents + 1 where organization_id = $1`, [
    organizationUuid,
  ]);
  await service.sql(`update orders set completes_at = $2, pending_gifts = '[]' where order_id = $1`, [
    decodeId('ord', body.order_id),
    new Date(service.clock.now() - 61_000),
  ]);
  assert.deepEqual(await counted(), { unexplained: 2, stuck: 1 });
});
