import assert from 'node:assert/strict';
import { test } from 'node:test';
import { emailGift, linkGift } from '../../harness/api-client.ts';
import { runBestow } from '../../harness/command-line.ts';
import { balanceOf, verifyAll } from '../../harness/ledger.ts';
import { openForFile } from '../../harness/open-for-file.ts';
import { createPortalClient } from '../../harness/portal-client.ts';
import { giftsPath } from '../../harness/portal-gifts.ts';
import { startTestService } from '../../harness/test-service.ts';

/** Cancellations in the portal and by the command. */

const service = openForFile(() => startTestService());

test('an admin cancels a gift and an order in the portal, a member cannot', async () => {
  const organization = await service.organization();
  await organization.addMembers();
  const { body: order } = await organization.sandbox.order([
    linkGift(1000),
    linkGift(2000),
    emailGift('claimed', 3000),
  ]);
  const one = giftsPath(organization, `/${order.gifts[0].gift_id}`);
  const whole = giftsPath(organization, '').replace(/gifts$/, `orders/${order.order_id}`);
  const member = await createPortalClient(service, 'member@example.com');
  for (const path of [one, whole])
    assert.equal((await member.call('POST', `${path}/cancel`, {})).body.error.code, 'admin_required');
  const admin = await createPortalClient(service, 'admin@example.com');
  const { body } = await admin.call('POST', `${one}/cancel`, { reason: 'Ordered twice' });
  assert.deepEqual(
    [body.gift.status, body.gift.cancel_reason, body.redirect.reason, body.timeline.at(-1).kind],
    ['canceled', 'Ordered twice', 'canceled', 'canceled'],
  );
  assert.deepEqual(new Set(Object.values(body.simulations)), new Set([false]));
  const { body: shown } = await admin.call('POST', `${whole}/cancel`, {});
  assert.deepEqual(
    shown.gifts.map(({ status }: { status: string }) => status),
    ['canceled', 'canceled', 'claimed'],
  );
  assert.equal(await balanceOf(service, organization, 'sandbox'), 997_000);
  const { body: found } = await admin.call('GET', giftsPath(organization, '?status=canceled'));
  assert.equal(found.data.length, 2);
});

test('the command cancels a gift and an order, after a question', async () => {
  const organization = await service.organization();
  const { body: order } = await organization.sandbox.order([linkGift(1000), linkGift(2000)]);
  const giftId = order.gifts[0].gift_id;
  const asked = await runBestow(service.target, ['gift', 'cancel', giftId], { isTerminal: true, input: 'no\n' });
  assert.equal(asked.code, 1);
  assert.equal((await organization.sandbox.get(`/v1/gifts/${giftId}`)).body.cancellation, undefined);
  const canceled = await runBestow(service.target, ['gift', 'cancel', giftId, '--reason', 'Twice', '--yes', '--json']);
  assert.deepEqual(JSON.parse(canceled.stdout), {
    gift_id: giftId,
    canceled_at: JSON.parse(canceled.stdout).canceled_at,
    reason: 'Twice',
    refunded_cents: 1000,
  });
  const all = await runBestow(service.target, ['order', 'cancel', order.order_id, '--yes', '--json']);
  assert.deepEqual(JSON.parse(all.stdout), { order_id: order.order_id, canceled_gifts: 2, refunded_cents: 3000 });
  const program = [
    'org',
    'program',
    organization.organizationId,
    '--unclaimed-after-days',
    '365',
    '--reminder-days',
    '14',
    '--show-value',
  ];
  const set = await runBestow(service.target, [...program, '--json']);
  assert.deepEqual(JSON.parse(set.stdout), {
    organization_id: organization.organizationId,
    program: 'award',
    unclaimed_after_days: 365,
    reminder_days: [14],
    messages_show_value: true,
    language: null,
  });
  await verifyAll(service);
});

test('an admin sets the expiry in the portal', async () => {
  const organization = await service.organization();
  const admin = await createPortalClient(service, 'admin@example.com');
  const path = `/organizations/${organization.organizationId}/program`;
  const before = { program: 'award', unclaimed_after_days: null, reminder_days: [7, 21], messages_show_value: false };
  assert.deepEqual((await admin.call('GET', path)).body, { ...before, language: null });
  const set = {
    program: 'sold',
    unclaimed_after_days: 2000,
    reminder_days: [],
    messages_show_value: true,
    language: 'ar',
  };
  assert.deepEqual((await admin.call('PUT', path, set)).body, set);
  assert.equal((await admin.call('PUT', path, { ...set, unclaimed_after_days: 30 })).status, 422);
});
