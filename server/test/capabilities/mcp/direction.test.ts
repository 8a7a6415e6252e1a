import assert from 'node:assert/strict';
import { test } from 'node:test';
import { connectAgent } from '../../harness/agent.ts';
import { emailGift, linkGift } from '../../harness/api-client.ts';
import { openForFile } from '../../harness/open-for-file.ts';
import { startTestService } from '../../harness/test-service.ts';

// A name that changes the direction of text could show a person another order than the model reads.

const service = openForFile(() => startTestService());

/** U+061C, U+200E, U+200F, U+202A to U+202E and U+2066 to U+2069. */
const CODES = [0x061c, 0x200e, 0x200f, 0x202a, 0x202b, 0x202c, 0x202d, 0x202e, 0x2066, 0x2067, 0x2068, 0x2069];
const MARKS = String.fromCodePoint(...CODES);
const DIRECTION = new RegExp(`[${MARKS}]`);

test('no answer of a tool has a character that changes the direction of text', async () => {
  const organization = await service.organization();
  const agent = await connectAgent(service.url, organization.keys.sandbox);
  const order = { gifts: [emailGift('delivered'), linkGift()], external_id: 'marked' };
  const { body: placed } = await agent.call('place_order', await agent.preview(order));
  // As a row that was written before the names were checked.
  const names = `update gifts set sender_name = 'Ada' || $1 || 'Lovelace', recipient_name = $1 || 'Grace', message = 'Hi' || $1
    where organization_id = $2`;
  await service.sql(names, [MARKS, organization.organizationUuid]);
  const [{ gift_id }] = placed.gifts;
  for (const [name, given] of [
    ['get_order', { order_id: placed.order_id }],
    ['list_orders', {}],
    ['get_gift', { gift_id }],
    ['list_gifts', {}],
    ['resend_gift', { gift_id }],
    ['cancel_order', { order_id: placed.order_id }],
  ] as const) {
    const answer = await agent.client.callTool({ name, arguments: given });
    const text = JSON.stringify(answer);
    assert.doesNotMatch(text, DIRECTION, name);
    assert.match(text, /AdaLovelace.*Grace/s, name);
  }
  const refused = await agent.call('get_order', { [`order${MARKS}_id`]: 'x' });
  assert.equal(refused.body.error.param, 'order_id');
});
