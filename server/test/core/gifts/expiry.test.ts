import assert from 'node:assert/strict';
import { test } from 'node:test';
import { announceExpiry } from '../../../src/core/gifts/cancel/announce-expiry.ts';
import { expireGifts } from '../../../src/core/gifts/cancel/expire-gifts.ts';
import { holdGift, releaseGift } from '../../../src/core/gifts/hold/hold-gift.ts';
import { setProgram } from '../../../src/core/organizations/set-program.ts';
import { decodeId } from '../../../src/platform/base/ids.ts';
import { OperatorError } from '../../../src/platform/base/operator-error.ts';
import { emailGift, gift, linkGift } from '../../harness/api-client.ts';
import { balanceOf, verifyAll } from '../../harness/ledger.ts';
import { noticesOf } from '../../harness/notices.ts';
import { openForFile } from '../../harness/open-for-file.ts';
import { OPERATOR } from '../../harness/operator.ts';
import { giftLink, openLink, startTestService, type TestOrganization } from '../../harness/test-service.ts';

const DAY_MS = 86_400_000;
const service = openForFile(() => startTestService());

async function expiring(days: number | null = 30): Promise<TestOrganization> {
  const organization = await service.organization();
  await set(organization, days);
  return organization;
}

const set = (
  { organizationId }: TestOrganization,
  unclaimedAfterDays: number | null,
  program: 'award' | 'sold' = 'award',
) =>
  setProgram(service.service.deps, {
    organizationId,
    program,
    unclaimedAfterDays,
    reminderDays: [7, 21],
    actor: OPERATOR,
  });

/** The jobs of every minute. */
async function work(): Promise<void> {
  await announceExpiry(service.service.deps);
  await expireGifts(service.service.deps);
}

const pass = async (days: number) => {
  await service.clock.setTime(service.clock.now() + days * DAY_MS);
  await work();
};

const announced = async (organization: TestOrganization) =>
  (await noticesOf(service, organization)).filter(({ kind }) => kind === 'gifts_expire');

const cancellationOf = async ({ sandbox }: TestOrganization, giftId: string) =>
  (await sandbox.get(`/v1/gifts/${giftId}`)).body.cancellation;

test('an unclaimed gift expires after its days, a week after a mail, and is refunded', async () => {
  const organization = await expiring();
  const { sandbox } = organization;
  const { body: order } = await sandbox.order([linkGift(1000), emailGift('claimed', 2000), linkGift(3000)]);
  const [{ gift_id: giftId }, claimed] = order.gifts;
  await pass(16);
  assert.equal((await announced(organization)).length, 0);
  await pass(1);
  const [mail, ...others] = await announced(organization);
  assert.deepEqual(others, []);
  assert.equal(mail?.recipient, 'admin@example.com');
  const first_expires_at = '2026-12-22T00:00:00.000Z';
  const expiring_ = [{ environment: 'sandbox', gifts: 2, amount_cents: 4000, first_expires_at }];
  const [told] = await service.sql<{ details: unknown }>(
    `select details from notices where organization_id = $1 and kind = 'gifts_expire'`,
    [organization.organizationUuid],
  );
  assert.deepEqual(told?.details, { organization_name: 'Test Organization', expiring: expiring_ });
  await pass(13);
  assert.equal(await cancellationOf(organization, giftId), undefined);
  await pass(1);
  const canceled_at = new Date(service.clock.now()).toISOString();
  assert.deepEqual(await cancellationOf(organization, giftId), { canceled_at, reason: 'expired', refunded: 1000 });
  assert.equal(await cancellationOf(organization, claimed.gift_id), undefined);
  assert.equal(await balanceOf(service, organization, 'sandbox'), 998_000);
  const events = await service.sql<{ type: string }>(
    `select type from events where organization_id = $1 and type like 'gift.%ed' and sequence > 0 order by sequence desc limit 2`,
    [organization.organizationUuid],
  );
  assert.deepEqual(
    events.map(({ type }) => type),
    ['gift.expired', 'gift.expired'],
  );
  assert.equal((await announced(organization)).length, 1);
  await verifyAll(service);
});

test('no gift expires earlier than a week after its mail, however late the mail is', async () => {
  const organization = await expiring();
  const { gift_id: giftId } = (await organization.sandbox.order([linkGift()])).body.gifts[0];
  await pass(100);
  assert.equal((await announced(organization)).length, 1);
  await pass(6.9);
  assert.equal(await cancellationOf(organization, giftId), undefined);
  await pass(0.2);
  assert.equal((await cancellationOf(organization, giftId)).reason, 'expired');
});

test('gifts of one organization are announced at most once a week', async () => {
  const organization = await expiring();
  for (let day = 0; day < 10; day += 1) {
    await organization.sandbox.order([linkGift(1000)]);
    await pass(1);
  }
  await pass(7);
  const counts: number[] = [];
  for (let day = 0; day < 28; day += 1) {
    await pass(1);
    counts.push((await announced(organization)).length);
  }
  assert.ok((counts.at(-1) ?? 0) <= 5, String(counts));
  assert.equal(await balanceOf(service, organization, 'sandbox'), 1_000_000);
});

test('the setting holds for later orders only, and what was promised stays', async () => {
  const organization = await expiring(null);
  const [before] = (await organization.sandbox.order([linkGift()])).body.gifts;
  await set(organization, 30);
  const [promised] = (await organization.sandbox.order([linkGift(), emailGift('processing')])).body.gifts;
  await service.clock.advance(21_000);
  await set(organization, null);
  for (const days of [20, 8, 15]) await pass(days);
  assert.equal(await cancellationOf(organization, before.gift_id), undefined);
  assert.equal((await cancellationOf(organization, promised.gift_id)).reason, 'expired');
  assert.equal(await balanceOf(service, organization, 'sandbox'), 997_500);
});

test('a gift on hold does not expire until it is released', async () => {
  const organization = await expiring();
  const { gift_id: giftId } = (await organization.sandbox.order([linkGift()])).body.gifts[0];
  const scope = { organizationId: organization.organizationUuid, environment: 'sandbox' } as const;
  const held = { scope, giftId: decodeId('gift', giftId) ?? '', actor: OPERATOR };
  await holdGift(service.service.deps, held);
  for (const days of [20, 8, 15]) await pass(days);
  assert.equal(await cancellationOf(organization, giftId), undefined);
  await releaseGift(service.service.deps, held);
  await work();
  assert.equal((await cancellationOf(organization, giftId)).reason, 'expired');
});

test('the days are those of the program', async () => {
  const organization = await service.organization();
  await assert.rejects(set(organization, 29), OperatorError);
  await assert.rejects(set(organization, 3651), OperatorError);
  await assert.rejects(set(organization, 1825, 'sold'), OperatorError);
  assert.deepEqual(await set(organization, 1826, 'sold'), {
    program: 'sold',
    unclaimed_after_days: 1826,
    reminder_days: [7, 21],
    messages_show_value: false,
    language: null,
  });
});

test('the recipient’s page names the last day, before and after it is opened', async () => {
  const organization = await expiring(365);
  await organization.live.order([gift()]);
  const day = new Intl.DateTimeFormat('en-GB', { dateStyle: 'long', timeZone: 'UTC' }).format(
    service.clock.now() + 365 * DAY_MS,
  );
  const link = await giftLink(service, organization, 'live');
  assert.ok((await openLink(service, link)).text.includes(`Claim it by ${day}.`));
  await openLink(service, `${link}/open`, 'POST');
  assert.ok((await openLink(service, link)).text.includes(`Claim it by ${day}.`));
});
