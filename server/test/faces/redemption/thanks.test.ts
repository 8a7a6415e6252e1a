import assert from 'node:assert/strict';
import { test } from 'node:test';
import { eraseRecipient } from '../../../src/capabilities/erasure/erase-recipient.ts';
import { decodeId } from '../../../src/platform/base/ids.ts';
import { gift, linkGift } from '../../harness/api-client.ts';
import { openForFile } from '../../harness/open-for-file.ts';
import { OPERATOR } from '../../harness/operator.ts';
import { createPortalClient } from '../../harness/portal-client.ts';
import { createRecipient } from '../../harness/recipient.ts';
import { giftLink, startTestService } from '../../harness/test-service.ts';

// One note to the sender, by the person who claimed the gift.

const service = openForFile(() => startTestService());

async function claimed(one: object = linkGift()) {
  const organization = await service.organization();
  const { body } = await organization.sandbox.order([one]);
  const giftId = body.gifts[0].gift_id as string;
  const link = await giftLink(service, organization, 'sandbox');
  const claimer = createRecipient(service);
  assert.equal((await claimer.press(link, 'claim')).status, 303);
  return { organization, giftId, link, claimer };
}

type Claimed = Awaited<ReturnType<typeof claimed>>;

const eventsOf = async ({ organization }: Claimed) =>
  (await organization.sandbox.get('/v1/events?types=gift.thanked')).body.data as { data: object }[];

const noteOf = async ({ giftId }: Claimed) => {
  const uuid = decodeId('gift', giftId);
  const [row] = await service.sql<{ thanks: string | null }>('select thanks from gifts where gift_id = $1', [uuid]);
  assert.ok(row);
  return row.thanks;
};

test('the holder’s note is in the portal, and its event names only the gift', async () => {
  const one = await claimed();
  const sent = await one.claimer.press(one.link, 'thank', { note: ' Thank you!\r\nAda \u202e<b>\u0000 ' });
  assert.deepEqual([sent.status, sent.headers.get('location')?.endsWith('#thanks')], [303, true]);
  const at = new Date(service.clock.now()).toISOString();
  const admin = await createPortalClient(service, 'admin@example.com');
  const path = `/organizations/${one.organization.organizationId}/sandbox/gifts/${one.giftId}`;
  const { body } = await admin.call('GET', path);
  assert.deepEqual(body.timeline.at(-1), { kind: 'thanked', at, note: 'Thank you!\nAda <b>' });
  const [event] = await eventsOf(one);
  assert.deepEqual(Object.keys(event?.data ?? {}).sort(), ['gift_id', 'order_id']);
  assert.match((await one.claimer.view(one.link)).text, /<blockquote dir="auto">Thank you!\nAda &#60;b&#62;</);
});

test('another browser with the link is asked for a proof, and sees no note', async () => {
  const one = await claimed();
  const other = createRecipient(service);
  const refused = await other.press(one.link, 'thank', { note: 'Mine' });
  assert.match(refused.text, /<h1>Is this your gift\?<\/h1>/);
  assert.deepEqual(await eventsOf(one), []);
  await one.claimer.press(one.link, 'thank', { note: 'A secret' });
  assert.doesNotMatch((await other.view(one.link)).text, /A secret|Say thank you/);
});

test('of concurrent notes one is kept, with one event', async () => {
  const one = await claimed();
  await Promise.all(['one', 'two', 'three'].map((note) => one.claimer.press(one.link, 'thank', { note })));
  const first = await noteOf(one);
  await one.claimer.press(one.link, 'thank', { note: 'later' });
  assert.deepEqual([(await eventsOf(one)).length, await noteOf(one)], [1, first]);
});

test('an empty or too long note is refused, and its text stays', async () => {
  const one = await claimed();
  for (const note of [' \n ', '🎁'.repeat(281)]) {
    const { status, text } = await one.claimer.press(one.link, 'thank', { note });
    assert.equal(status, 422);
    assert.match(text, /role="alert">(?:Write a few words|A note has at most 280 characters; yours has 281)/);
    assert.ok(text.includes(`>\n${note.trim()}</textarea>`));
  }
  await one.claimer.press(one.link, 'thank', { note: '🎁'.repeat(280) });
  assert.equal((await eventsOf(one)).length, 1);
});

test('an erasure deletes the note, and no other follows', async () => {
  const one = await claimed(gift({ delivery: { method: 'email', email: 'ada@example.com' } }));
  await one.claimer.press(one.link, 'thank', { note: 'Thank you' });
  const recipient = { method: 'email', email: 'ada@example.com' } as const;
  await eraseRecipient(service.service.deps, { recipient, actor: OPERATOR });
  await one.claimer.press(one.link, 'thank', { note: 'Once more' });
  assert.equal(await noteOf(one), null);
});
