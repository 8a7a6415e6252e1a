import assert from 'node:assert/strict';
import { test } from 'node:test';
import { emailGift, gift, linkGift } from '../../harness/api-client.ts';
import { openForFile } from '../../harness/open-for-file.ts';
import { createPortalClient } from '../../harness/portal-client.ts';
import { giftsPath, orderGifts } from '../../harness/portal-gifts.ts';
import { startTestService } from '../../harness/test-service.ts';

const service = openForFile(() => startTestService());

const PRESS = '0b5a8f0e-8a3c-4d0e-9a56-0d7c1c2f4e11';

test('the list of resends says of each gift what the act says', async () => {
  const organization = await service.organization();
  const admin = await createPortalClient(service, 'admin@example.com');
  const [sendable, held, limited, canceled] = await orderGifts(organization, [
    gift(),
    gift(),
    gift(),
    gift(),
    emailGift('claimed'),
    linkGift(),
    { ...emailGift('someone'), send_at: '2027-01-02T09:00:00Z' },
  ]);
  await organization.sandbox.post(`/v1/gifts/${canceled}/cancel`);
  assert.equal((await admin.call('POST', giftsPath(organization, `/${held}/hold`))).status, 200);
  for (let n = 0; n < 5; n += 1)
    assert.equal((await organization.sandbox.post(`/v1/gifts/${limited}/resend`)).status, 200);
  const { status, body } = await admin.call('GET', giftsPath(organization, '/resends?limit=100'));
  assert.equal(status, 200);
  const refusals = ['scheduled', 'link', 'claimed', 'canceled', 'limit_reached', 'on_hold', null];
  assert.deepEqual(
    body.data.map(({ refusal }: { refusal: string | null }) => refusal),
    refusals,
  );
  for (const { gift_id, refusal } of body.data) {
    const answer = await admin.call('POST', giftsPath(organization, `/${gift_id}/resend`), { press_id: PRESS });
    assert.equal(answer.status === 200, refusal === null, `${refusal}: ${answer.status}`);
    assert.equal(answer.status === 200, gift_id === sendable);
  }
});

test('a press sends a gift once, however often it is asked for, and one event is logged', async () => {
  const organization = await service.organization();
  const admin = await createPortalClient(service, 'admin@example.com');
  const [giftId] = await orderGifts(organization, [gift()]);
  const press = (press_id: string) => admin.call('POST', giftsPath(organization, `/${giftId}/resend`), { press_id });
  const answers = await Promise.all(Array.from({ length: 4 }, () => press(PRESS)));
  answers.push(await press(PRESS));
  assert.deepEqual(
    answers.map(({ status }) => status),
    [200, 200, 200, 200, 200],
  );
  const counts = async () => {
    const owner = [organization.organizationUuid];
    const [sent] = await service.sql(`select count(*)::integer as n from deliveries where organization_id = $1`, owner);
    const [logged] = await service.sql(
      `select count(*)::integer as n from audit_events where organization_id = $1 and action = 'gift.resent'`,
      owner,
    );
    return [sent?.['n'], logged?.['n']];
  };
  assert.deepEqual(await counts(), [2, 1]);
  assert.equal((await press(PRESS.replace('0b5a', '0b5b'))).status, 200);
  assert.deepEqual(await counts(), [3, 2]);
});
