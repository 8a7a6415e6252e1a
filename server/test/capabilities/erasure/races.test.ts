import assert from 'node:assert/strict';
import { test } from 'node:test';
import { eraseRecipient } from '../../../src/capabilities/erasure/erase-recipient.ts';
import { gift } from '../../harness/api-client.ts';
import { verifyAll } from '../../harness/ledger.ts';
import { openForFile } from '../../harness/open-for-file.ts';
import { OPERATOR } from '../../harness/operator.ts';
import { startTestService } from '../../harness/test-service.ts';

const service = openForFile(() => startTestService());

const ROUNDS = 12;
const ADA = 'ada@example.com';
const BOB = 'bob@example.com';
const to = (email: string) =>
  gift({ delivery: { method: 'email', email }, personalization: { recipient_name: 'Ada' } });

test('a person is erased while orders to them are placed, redirected and claimed', async () => {
  const { sandbox, organizationId } = await service.organization();
  const erase = (email: string) =>
    eraseRecipient(service.service.deps, {
      recipient: { method: 'email', email },
      organizationId,
      actor: OPERATOR,
    });
  const placed = await sandbox.order(Array.from({ length: 8 }, () => to(ADA)));
  const ids = placed.body.gifts.map(({ gift_id }: { gift_id: string }) => gift_id) as string[];
  const act = async (id: string, number: number) => [
    await sandbox.post(`/v1/sandbox/gifts/${id}/deliver`, { outcome: 'failed' }),
    await sandbox.put(`/v1/gifts/${id}/delivery`, { method: 'email', email: number % 2 === 0 ? BOB : ADA }),
    await sandbox.post(`/v1/sandbox/gifts/${id}/claim`),
  ];
  const orders = Array.from({ length: ROUNDS }, () => sandbox.order([to(ADA), to(BOB)]));
  const erasures = Array.from({ length: ROUNDS }, (_, number) => erase(number % 2 === 0 ? ADA : BOB));
  const acts = (await Promise.all([...orders, ...ids.map(act)])).flat();
  await Promise.all(erasures);
  const failed = acts.filter(({ status }) => status >= 500).map(({ body }) => body);
  assert.deepEqual(failed, []);
  for (const email of [ADA, BOB]) await erase(email);
  const left = await service.sql(
    'select address from gifts where address = any($1) union all select address from deliveries where address = any($1)',
    [[ADA, BOB]],
  );
  assert.deepEqual(left, []);
  await verifyAll(service);
});
