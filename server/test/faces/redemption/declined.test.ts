import assert from 'node:assert/strict';
import { test } from 'node:test';
import { linkGift } from '../../harness/api-client.ts';
import { openForFile } from '../../harness/open-for-file.ts';
import { createPortalClient } from '../../harness/portal-client.ts';
import { createRecipient } from '../../harness/recipient.ts';
import { giftLink, startTestService } from '../../harness/test-service.ts';

// A recipient says that they do not want the gift.

const service = openForFile(() => startTestService());

async function bought(one: object = linkGift()) {
  const organization = await service.organization();
  const { body } = await organization.sandbox.order([one]);
  const link = await giftLink(service, organization, 'sandbox');
  return { organization, giftId: body.gifts[0].gift_id as string, link, recipient: createRecipient(service) };
}

const eventsOf = async ({ organization }: Awaited<ReturnType<typeof bought>>) =>
  (await organization.sandbox.get('/v1/events?types=gift.declined')).body.data as { data: object }[];

test('the sender sees it once, by event and on the gift’s page, and the gift can still be claimed', async () => {
  const one = await bought();
  assert.match((await one.recipient.view(one.link)).text, /I do not want this gift.*We tell/s);
  assert.deepEqual(await eventsOf(one), [], 'a look changes nothing');
  const at = new Date(service.clock.now()).toISOString();
  const answers = await Promise.all([1, 2, 3].map(() => one.recipient.press(one.link, 'decline')));
  assert.deepEqual([...new Set(answers.map(({ status }) => status))], [303]);
  const events = await eventsOf(one);
  assert.equal(events.length, 1);
  assert.deepEqual(Object.keys(events[0]?.data ?? {}).sort(), ['delivery', 'gift_id', 'order_id']);
  const admin = await createPortalClient(service, 'admin@example.com');
  const path = `/organizations/${one.organization.organizationId}/sandbox/gifts/${one.giftId}`;
  assert.deepEqual((await admin.call('GET', path)).body.timeline.at(-1), { kind: 'declined', at });
  assert.match((await one.recipient.view(one.link)).text, /can see that you do not want this gift/);
  assert.equal((await one.recipient.press(one.link, 'claim')).status, 303);
  assert.equal((await one.organization.sandbox.get(`/v1/gifts/${one.giftId}`)).body.delivery.status, 'claimed');
});

test('a claimed or canceled gift cannot be declined', async () => {
  const claimed = await bought();
  await claimed.recipient.press(claimed.link, 'claim');
  const canceled = await bought();
  assert.equal((await canceled.organization.sandbox.post(`/v1/gifts/${canceled.giftId}/cancel`)).status, 200);
  for (const one of [claimed, canceled]) {
    await one.recipient.press(one.link, 'decline');
    assert.deepEqual(await eventsOf(one), []);
  }
});
