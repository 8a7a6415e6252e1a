import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { deleteSandbox } from '../../../src/capabilities/erasure/delete-sandbox.ts';
import { verifyAll } from '../../harness/ledger.ts';
import { openForFile } from '../../harness/open-for-file.ts';
import { OPERATOR } from '../../harness/operator.ts';
import { portalBalance } from '../../harness/portal-balance.ts';
import { createPortalClient } from '../../harness/portal-client.ts';
import { startTestService } from '../../harness/test-service.ts';

/** Test funds that an admin adds to the sandbox. */

// Registered before the service, because hooks run in this order.
after(() => verifyAll(service));
const service = openForFile(() => startTestService());
const organization = openForFile(() => service.organization({ sandbox: 6_000, live: 500 }));
const admin = openForFile(() => createPortalClient(service, 'admin@example.com'));
const portal = openForFile(async () => portalBalance(service, organization, admin));

const FUNDS = '/balance/test-funds';

test('test funds are added to the sandbox once each, with audit events', async () => {
  const before = await portal.balanceNow();
  const answers = await Promise.all(
    Array.from({ length: 10 }, () => admin.call('POST', portal.at(FUNDS), { amount: 100 })),
  );
  assert.deepEqual(
    answers.map(({ status, body }) => [status, body.balance]).sort(([, a], [, b]) => a - b),
    answers.map((_, n) => [200, before + 100 * (n + 1)]),
  );
  assert.equal(await portal.balanceNow(), before + 1000);
  const [entry] = (await portal.get('/balance/entries')).data;
  assert.deepEqual([entry.kind, entry.amount, entry.reference, entry.note], ['funding', 100, null, 'Test funds']);
  const events = await portal.eventsOf('balance.funded');
  assert.equal(events.length, 10);
  assert.deepEqual(events[0], {
    actor_kind: 'member',
    actor_name: 'admin@example.com',
    environment: 'sandbox',
    details: { amount_cents: 100, reference: null, note: 'Test funds' },
  });
});

test('test funds out of bounds or for live are refused', async () => {
  const before = await portal.balanceNow();
  for (const amount of [0, -100, 0.5, '100', 100_000_001, null, undefined])
    assert.deepEqual(await portal.refusal('POST', portal.at(FUNDS), { amount }), [422, 'parameter_invalid', 'amount']);
  assert.equal((await admin.call('POST', portal.at(FUNDS, 'live'), { amount: 100 })).status, 404);
  assert.equal(await portal.balanceNow(), before);
  assert.equal((await portal.get('/balance', 'live')).outlook.balance, 500);
});

test('refuses test funds if the sandbox was deleted', async () => {
  const { deps } = service.service;
  await deleteSandbox(deps, { organizationId: organization.organizationId, actor: OPERATOR });
  assert.deepEqual(await portal.refusal('POST', portal.at(FUNDS), { amount: 100 }), [404, 'not_found', undefined]);
  const [row] = await service.sql(`select from ledger_entries where organization_id = $1 and environment = 'sandbox'`, [
    organization.organizationUuid,
  ]);
  assert.equal(row, undefined);
});
