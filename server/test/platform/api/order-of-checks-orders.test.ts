import assert from 'node:assert/strict';
import { test } from 'node:test';
import { retireCategory } from '../../../src/core/catalog/retire-category.ts';
import { deactivateMember } from '../../../src/core/organizations/deactivate-member.ts';
import { emailGift, gift, linkGift } from '../../harness/api-client.ts';
import { openForFile } from '../../harness/open-for-file.ts';
import { OPERATOR } from '../../harness/operator.ts';
import { assertRefused } from '../../harness/raw-http.ts';
import { startTestService } from '../../harness/test-service.ts';

// The error of an order that breaks two rules (docs/decisions.md#order-of-checks, 8).

const service = openForFile(() => startTestService());

const unknownCategory = gift({ category: 'nothing' });

/** Holds the balance as another process would that charges an order, while the act runs. */
async function whileBalanceIsHeld(organizationUuid: string, act: () => Promise<void>): Promise<void> {
  await service.sql('begin');
  await service.sql('select 1 from balances where organization_id = $1 for update', [organizationUuid]);
  try {
    await act();
  } finally {
    await service.sql('rollback');
  }
}

test('a replay succeeds after retired categories, lost members, spent balance', async () => {
  const { sandbox, organizationId, memberId } = await service.organization({ sandbox: 2500 });
  await service.addCategory('soon-gone');
  const gifts = [{ ...linkGift(), category: 'soon-gone' }];
  const first = await sandbox.order(gifts, 'replay');
  assert.equal(first.status, 201);
  await retireCategory(service.service.deps, 'soon-gone');
  await deactivateMember(service.service.deps, { organizationId, memberId, actor: OPERATOR, keepsAdmin: false });
  const replay = await sandbox.order(gifts, 'replay');
  assert.equal(replay.status, 200);
  assert.equal(replay.headers.get('idempotent-replayed'), 'true');
  assert.deepEqual(replay.body, first.body);
  assertRefused(await sandbox.order(gifts, 'another'), 'parameter_invalid', 'gifts[0].category');
});

test('a reused key comes before category, steering, members, lock and balance', async () => {
  const { sandbox, organizationId, memberId, organizationUuid } = await service.organization({ sandbox: 2500 });
  assert.equal((await sandbox.order([linkGift()], 'reused')).status, 201);
  await deactivateMember(service.service.deps, { organizationId, memberId, actor: OPERATOR, keepsAdmin: false });
  await whileBalanceIsHeld(organizationUuid, async () => {
    for (const one of [unknownCategory, emailGift('internal-error'), linkGift(50_000)])
      assertRefused(await sandbox.order([one], 'reused'), 'idempotency_key_reused');
  });
});

test('the shape comes before a reused key', async () => {
  const { sandbox } = await service.organization();
  assert.equal((await sandbox.order([linkGift()], 'reused')).status, 201);
  assertRefused(await sandbox.order([linkGift(1)], 'reused'), 'parameter_invalid', 'gifts[0].amount');
});

test('an unknown category of any gift comes before steered failures', async () => {
  const { sandbox } = await service.organization();
  for (const steered of [emailGift('internal-error'), emailGift('insufficient-balance')])
    assertRefused(await sandbox.order([steered, unknownCategory]), 'parameter_invalid', 'gifts[1].category');
});

test('a live sandbox address comes before members, lock and balance', async () => {
  const { live, organizationId, memberId, organizationUuid } = await service.organization({ live: 1000 });
  await deactivateMember(service.service.deps, { organizationId, memberId, actor: OPERATOR, keepsAdmin: false });
  const order = [linkGift(), emailGift('delivered')];
  await whileBalanceIsHeld(organizationUuid, async () => {
    assertRefused(await live.order(order), 'parameter_invalid', 'gifts[1].delivery.email');
  });
});

test('the first wrong gift is reported, its category before its address', async () => {
  const { live } = await service.organization();
  const both = { ...emailGift('delivered'), category: 'nothing' };
  assertRefused(await live.order([both]), 'parameter_invalid', 'gifts[0].category');
  const addressFirst = [emailGift('delivered'), unknownCategory];
  assertRefused(await live.order(addressFirst), 'parameter_invalid', 'gifts[0].delivery.email');
  const categoryFirst = [unknownCategory, emailGift('delivered')];
  assertRefused(await live.order(categoryFirst), 'parameter_invalid', 'gifts[0].category');
});

test('a steered failure comes before organization_not_configured', async () => {
  const { sandbox, organizationId, memberId } = await service.organization();
  await deactivateMember(service.service.deps, { organizationId, memberId, actor: OPERATOR, keepsAdmin: false });
  assertRefused(await sandbox.order([emailGift('internal-error')]), 'internal_error');
  assertRefused(await sandbox.order([emailGift('insufficient-balance')]), 'insufficient_balance');
});

test('organization_not_configured comes before the lock and the balance', async () => {
  const { sandbox, organizationId, memberId, organizationUuid } = await service.organization({ sandbox: 1000 });
  await deactivateMember(service.service.deps, { organizationId, memberId, actor: OPERATOR, keepsAdmin: false });
  assertRefused(await sandbox.order([linkGift()]), 'organization_not_configured');
  await whileBalanceIsHeld(organizationUuid, async () => {
    assertRefused(await sandbox.order([linkGift()]), 'organization_not_configured');
  });
});

test('resource_locked comes before insufficient_balance', async () => {
  const { sandbox, organizationUuid } = await service.organization({ sandbox: 1000 });
  await whileBalanceIsHeld(organizationUuid, async () => {
    assertRefused(await sandbox.order([linkGift()]), 'resource_locked');
  });
  assertRefused(await sandbox.order([linkGift()]), 'insufficient_balance');
});

test('none of these refusals left anything behind', async () => {
  const { sandbox } = await service.organization({ sandbox: 5000 });
  await sandbox.order([unknownCategory], 'same');
  await sandbox.order([emailGift('internal-error')], 'same');
  await sandbox.order([linkGift(50_000)], 'same');
  const placed = await sandbox.order([linkGift(5000)], 'same');
  assert.equal(placed.status, 201);
  const { body } = await sandbox.get('/v1/orders');
  assert.deepEqual(body, { object: 'list', data: [placed.body], has_more: false });
});
