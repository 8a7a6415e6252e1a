import assert from 'node:assert/strict';
import { test } from 'node:test';
import { deleteSandbox } from '../../../src/capabilities/erasure/delete-sandbox.ts';
import { eraseRecipient } from '../../../src/capabilities/erasure/erase-recipient.ts';
import { listCaps } from '../../../src/core/caps/list-caps.ts';
import { type KeyCaps, setCaps } from '../../../src/core/caps/set-caps.ts';
import { rollKey } from '../../../src/core/keys/roll-key.ts';
import type { Environment } from '../../../src/platform/base/environment.ts';
import type { ErrorReason } from '../../../src/platform/base/error-reasons.ts';
import { type Answer, emailGift, gift, linkGift } from '../../harness/api-client.ts';
import { keyIdOf } from '../../harness/key-id.ts';
import { balanceOf } from '../../harness/ledger.ts';
import { workUntil } from '../../harness/mail-server.ts';
import { openForFile } from '../../harness/open-for-file.ts';
import { OPERATOR } from '../../harness/operator.ts';
import { assertRefused } from '../../harness/raw-http.ts';
import { isOperatorError } from '../../harness/test-acts.ts';
import { startTestService, type TestOrganization } from '../../harness/test-service.ts';

// Caps on what orders may cost per clock hour and day (UTC), and on what one recipient may get per day.

const MINUTE_MS = 60_000;
const HOUR_MS = 3_600_000;
const DAY_MS = 86_400_000;

const service = openForFile(() => startTestService());
const recipients = openForFile(() => service.second({ VALUE_PER_RECIPIENT_PER_DAY: '10000' }));

interface Setting {
  environment?: Environment;
  keyId?: string;
}

const cap = (
  { organizationId }: TestOrganization,
  amounts: Partial<KeyCaps>,
  { environment = 'sandbox', keyId }: Setting = {},
) => setCaps(service.service.deps, { organizationId, environment, keyId, amounts, actor: OPERATOR });

/** Moves to the next hour or day, and some minutes on. */
const toNext = (ms: number, minutes = 10) => service.clock.jump(ms - (service.clock.now() % ms) + minutes * MINUTE_MS);

function assertCapped(answer: Answer, message: RegExp, seconds: number, reason: ErrorReason = OF_ALL): void {
  assertRefused(answer, 'insufficient_balance', undefined, reason);
  assert.match(answer.body.error.message, message);
  const end = new Date(service.clock.now() + seconds * 1000).toISOString().slice(0, 16).replace('T', ' ');
  assert.ok(answer.body.error.message.endsWith(`begins at ${end} UTC.`), answer.body.error.message);
}

const OF_ALL = 'organization_cap_reached';
const OF_ONE = 'recipient_cap_reached';
const refuseOver = (answer: Answer, reason: ErrorReason = OF_ALL) =>
  assertRefused(answer, 'insufficient_balance', undefined, reason);

const spentOf = async ({ organizationUuid: organizationId }: TestOrganization, environment: Environment = 'sandbox') =>
  (await listCaps(service.service.deps, { organizationId, environment })).map(({ hour, day }) => [
    hour?.spent ?? null,
    day?.spent ?? null,
  ]);

test('an order beyond the organization’s hour is 402, and creates nothing', async () => {
  const organization = await service.organization();
  await toNext(DAY_MS);
  await cap(organization, { hour: 5_000 });
  assert.equal((await organization.sandbox.order([linkGift(4_000)])).status, 201);
  const message =
    /^The organization’s orders may cost at most \$50\.00 per hour; .* begins at 2026-\d\d-\d\d 01:00 UTC\.$/;
  assertCapped(await organization.sandbox.order([linkGift(1_001)], 'later'), message, 50 * 60);
  assert.equal(await balanceOf(service, organization, 'sandbox'), 1_000_000 - 4_000);
  assert.equal((await organization.sandbox.get('/v1/orders')).body.data.length, 1);
  assert.equal((await organization.sandbox.order([linkGift(1_000)])).status, 201);
  assert.deepEqual(await spentOf(organization), [
    [5_000, null],
    [null, null],
  ]);
  assert.equal((await organization.live.order([linkGift(9_000)])).status, 201);
  await toNext(HOUR_MS, 0);
  assert.equal((await organization.sandbox.order([linkGift(1_001)], 'later')).status, 201);
});

test('the cap that holds longest is named, and replays pass it', async () => {
  const organization = await service.organization();
  await toNext(DAY_MS);
  await cap(organization, { hour: 3_000, day: 4_000 });
  const placed = await organization.sandbox.order([linkGift(3_000)], 'first');
  const hour = await organization.sandbox.order([linkGift(1_000)]);
  assertCapped(hour, /per hour/, 50 * 60);
  assertCapped(await organization.sandbox.order([linkGift(1_001)]), /\$40\.00 per day/, 24 * 3600 - 600);
  const replayed = await organization.sandbox.order([linkGift(3_000)], 'first');
  assert.deepEqual([replayed.status, replayed.body.order_id], [200, placed.body.order_id]);
  await toNext(HOUR_MS);
  assert.equal((await organization.sandbox.order([linkGift(1_000)])).status, 201);
  assertCapped(await organization.sandbox.order([linkGift(1_000)]), /per day/, 23 * 3600 - 600);
  await toNext(DAY_MS);
  assert.equal((await organization.sandbox.order([linkGift(3_000)])).status, 201);
});

test('a key’s cap holds for it and the keys that replace it, not for others', async () => {
  const organization = await service.organization();
  const { keys, organizationId } = organization;
  const keyId = await keyIdOf(service, keys.sandbox);
  await cap(organization, { day: 5_000 }, { keyId });
  assert.equal((await organization.sandbox.order([linkGift(3_000)])).status, 201);
  const rolled = await rollKey(service.service.deps, { organizationId, keyId, overlapHours: 1, actor: OPERATOR });
  const successor = service.api(rolled.key);
  refuseOver(await successor.order([linkGift(2_001)]), 'key_cap_reached');
  assert.equal((await successor.order([linkGift(2_000)])).status, 201);
  const refused = await organization.sandbox.order([linkGift(1_000)]);
  assert.match(refused.body.error.message, /^Orders with this API key may cost at most \$50\.00 per day/);
  assert.equal((await service.api(await organization.newKey('sandbox')).order([linkGift(9_000)])).status, 201);
});

test('what was ordered before in the window counts, and a lowered cap holds at once', async () => {
  const organization = await service.organization();
  await toNext(DAY_MS);
  await organization.sandbox.order([linkGift(1_000)]);
  await toNext(HOUR_MS);
  await organization.sandbox.order([linkGift(3_000), emailGift('delivered', 2_000)]);
  await cap(organization, { hour: 6_000, day: 7_000 });
  assert.deepEqual((await spentOf(organization))[0], [5_000, 6_000]);
  refuseOver(await organization.sandbox.order([linkGift(1_001)]));
  await cap(organization, { hour: null, day: 6_999 });
  refuseOver(await organization.sandbox.order([linkGift(1_000)]));
  await cap(organization, { day: null });
  assert.equal((await organization.sandbox.order([linkGift(50_000)])).status, 201);
  const [row] = await service.sql('select is_capped from balances where organization_id = $1 and environment = $2', [
    organization.organizationUuid,
    'sandbox',
  ]);
  assert.deepEqual(row, { is_capped: false });
});

test('a sandbox’s caps outlive its reset; what was spent does not', async () => {
  const organization = await service.organization();
  await cap(organization, { day: 5_000 });
  assert.equal((await organization.sandbox.order([linkGift(5_000)])).status, 201);
  assert.equal((await organization.sandbox.post('/v1/sandbox/reset')).status, 200);
  await organization.fund('sandbox', 100_000);
  assert.equal((await organization.sandbox.order([linkGift(5_000)])).status, 201);
  refuseOver(await organization.sandbox.order([linkGift(1_000)]));
});

test('an uncapped organization writes no counters', async () => {
  const organization = await service.organization();
  await organization.sandbox.order([linkGift()]);
  await organization.live.order([gift()]);
  const rows = await service.sql('select from spending where organization_id = $1', [organization.organizationUuid]);
  assert.equal(rows.length, 0);
});

test('only a raised or removed cap is mailed to all admins', async () => {
  const organization = await service.organization();
  const { organizationUuid } = organization;
  await organization.addMembers();
  const mails = async () =>
    (await service.sql(`select from notices where organization_id = $1 and kind = 'cap_raised'`, [organizationUuid]))
      .length;
  const counts: number[] = [];
  for (const amounts of [
    { hour: 5_000 },
    { hour: 5_000 },
    { hour: 4_000, day: 9_000 },
    { hour: 4_001 },
    { day: null },
  ]) {
    await cap(organization, amounts);
    counts.push(await mails());
  }
  assert.deepEqual(counts, [0, 0, 0, 2, 4]);
});

test('a cap that cannot be is refused', async () => {
  const organization = await service.organization();
  const liveKey = await keyIdOf(service, organization.keys.live);
  for (const cents of [0, -1, 1.5, Number.MAX_SAFE_INTEGER + 1])
    await assert.rejects(cap(organization, { day: cents }), isOperatorError(/whole number of cents/));
  for (const keyId of [liveKey, 'key_x'])
    await assert.rejects(cap(organization, { day: 1 }, { keyId }), isOperatorError(/There is no sandbox key/));
});

test('a sandbox that does not exist gets no cap, and no empty balance', async () => {
  const organization = await service.organization();
  const { organizationId, organizationUuid } = organization;
  await deleteSandbox(service.service.deps, { organizationId, actor: OPERATOR });
  await assert.rejects(cap(organization, { day: 1 }), isOperatorError(/has no sandbox\. Create it with/));
  const text = `select from balances where organization_id = $1 and environment = 'sandbox'`;
  assert.deepEqual(await service.sql(text, [organizationUuid]), []);
});

const to = (email: string, amount: number) => gift({ amount, delivery: { method: 'email', email } });
const text = (amount: number) => gift({ amount, delivery: { method: 'phone', phone: '+1 202 555 0142' } });

test('a recipient’s day is capped in live, without regard to the address’s case', async () => {
  const organization = await service.organization();
  await toNext(DAY_MS);
  const live = recipients.api(organization.keys.live);
  assert.equal(
    (await live.order([to('ann@example.com', 6_000), to('bob@example.com', 6_000), linkGift(9_000)])).status,
    201,
  );
  const refused = await live.order([to('Ann@Example.com', 2_000), to('ANN@example.com', 2_001)], 'later');
  assertCapped(refused, /^Gifts to one recipient may be worth at most \$100\.00 per day/, 24 * 3600 - 600, OF_ONE);
  assert.equal((await live.order([to('Ann@Example.com', 2_000), to('ANN@example.com', 2_000)])).status, 201);
  assert.equal((await live.order([text(10_000)])).status, 201);
  refuseOver(await live.order([text(1_000)]), OF_ONE);
  const sandbox = recipients.api(organization.keys.sandbox);
  assert.equal((await sandbox.order([emailGift('delivered', 20_000)])).status, 201);
  const other = recipients.api((await service.organization()).keys.live);
  assert.equal((await other.order([to('ann@example.com', 10_000)])).status, 201);
  await toNext(DAY_MS);
  assert.equal((await live.order([to('Ann@Example.com', 2_000), to('ANN@example.com', 2_001)], 'later')).status, 201);
});

test('a redirect counts for its new recipient’s day, and is refused like an order', async () => {
  const organization = await service.organization();
  await toNext(DAY_MS);
  const live = recipients.api(organization.keys.live);
  const { body } = await live.order([to('bob@example.com', 6_000), to('eve@example.com', 6_000)]);
  const text = `update gifts set delivery_state = 'failed' where organization_id = $1`;
  await service.sql(text, [organization.organizationUuid]);
  const [first, second] = body.gifts.map(({ gift_id }: { gift_id: string }) => `/v1/gifts/${gift_id}`);
  const ann = { method: 'email', email: 'Ann@example.com' };
  assert.equal((await live.put(`${first}/delivery`, ann)).status, 200);
  const before = (await live.get(second)).body;
  const refused = await live.put(`${second}/delivery`, ann);
  assertCapped(refused, /at most \$100\.00 per day; this redirect would exceed that/, 24 * 3600 - 600, OF_ONE);
  assert.deepEqual((await live.get(second)).body, before);
  refuseOver(await live.order([to('ann@example.com', 4_001)], 'later'), OF_ONE);
  assert.equal((await live.order([to('ann@example.com', 4_000)])).status, 201);
  await toNext(DAY_MS);
  assert.equal((await live.put(`${second}/delivery`, ann)).status, 200);
});

test('erasing a recipient deletes the counter, which a guessed address would match', async () => {
  const organization = await service.organization();
  const { organizationId, organizationUuid } = organization;
  const live = recipients.api(organization.keys.live);
  await live.order([to('Ann@example.com', 1_000), to('bob@example.com', 2_000)]);
  const recipient = { method: 'email', email: 'ann@example.com' } as const;
  await eraseRecipient(service.service.deps, { organizationId, recipient, actor: OPERATOR });
  const counters = await service.sql('select spent_cents from spending where organization_id = $1', [organizationUuid]);
  assert.deepEqual(
    counters.map(({ spent_cents }) => Number(spent_cents)),
    [2_000],
  );
});

test('counters hold no address, and are deleted two days after their window', async () => {
  const organization = await service.organization();
  const { organizationUuid } = organization;
  await recipients.api(organization.keys.live).order([to('ann@example.com', 1_000)]);
  const counters = () =>
    service.sql<{ text: string }>('select s::text as text from spending s where organization_id = $1', [
      organizationUuid,
    ]);
  const [counter, ...others] = await counters();
  assert.equal(others.length, 0);
  assert.doesNotMatch(counter?.text ?? '', /ann|example/);
  await service.clock.jump(3 * DAY_MS);
  await workUntil(service, async () => (await counters()).length === 0, 'deleted');
});
