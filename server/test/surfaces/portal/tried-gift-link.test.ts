import assert from 'node:assert/strict';
import { test } from 'node:test';
import { emailGift, gift } from '../../harness/api-client.ts';
import { openForFile } from '../../harness/open-for-file.ts';
import { createPortalClient } from '../../harness/portal-client.ts';
import { openLink, startTestService } from '../../harness/test-service.ts';

const service = openForFile(() => startTestService({ RATE_LIMIT_ADDRESS_PER_SECOND: '100000' }));
const DAY_MS = 86_400_000;

test('an admin opens the page of a test gift sent by email or phone; a member, and live, never', async () => {
  const organization = await service.organization();
  await organization.addMembers();
  const admin = await createPortalClient(service, 'admin@example.com');
  const member = await createPortalClient(service, 'member@example.com');
  const order = async (environment: 'live' | 'sandbox', one: object) =>
    (await organization[environment].order([one])).body.gifts[0].gift_id as string;
  const show = (giftId: string, environment = 'sandbox', who = admin) =>
    who.call('GET', `/organizations/${organization.organizationId}/${environment}/gifts/${giftId}/link`);

  const phone = gift({ delivery: { method: 'phone', phone: '+12025550143' } });
  for (const giftId of [await order('sandbox', emailGift('delivered')), await order('sandbox', phone)]) {
    const { status, body } = await show(giftId);
    assert.equal(status, 200);
    assert.match((await openLink(service, body.link)).text, /Unwrap/);
    assert.equal((await show(giftId, 'sandbox', member)).status, 403);
    const seen = await service.sql(`select from audit_events where action = 'gift.link_shown' and target = $1`, [
      giftId,
    ]);
    assert.equal(seen.length, 1);
  }
  for (const live of [await order('live', gift()), await order('live', phone)])
    assert.equal((await show(live, 'live')).status, 404);
  const later = { ...gift(), send_at: new Date(service.clock.now() + DAY_MS).toISOString() };
  assert.equal((await show(await order('sandbox', later))).status, 404);
});
