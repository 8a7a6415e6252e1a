import assert from 'node:assert/strict';
import { test } from 'node:test';
import { ERASED_ADDRESS } from '../../../src/core/gifts/gift/address.ts';
import { blankGift } from '../../../src/core/gifts/gift/from-json.ts';
import { presentGift } from '../../../src/core/gifts/gift/present-gift.ts';
import type { GiftRow } from '../../../src/core/gifts/gift/queries.ts';
import type { LinkClaims } from '../../../src/core/links/links.ts';
import { presentEarlierOrder, presentOrder, presentPlacedOrder } from '../../../src/core/orders/present-order.ts';
import type { OrderGiftRow } from '../../../src/core/orders/read-queries.ts';
import { encodeId } from '../../../src/platform/base/ids.ts';
import { orderRecord } from '../../harness/order-record.ts';

const NOW = new Date('2026-11-21T12:00:00Z');
const scope = { organizationId: '01a1fdfa-467b-7000-8000-000000000001', environment: 'live' } as const;
const uuid = (n: number) => `01a1fdfa-467b-7000-8000-00000000000${n}`;
/** A link that shows its claims. */
const links = { url: (claims: LinkClaims) => JSON.stringify(claims), read: () => undefined };

const row: GiftRow = {
  ...blankGift,
  gift_id: uuid(2),
  amount_cents: 2500,
  category_id: 'coffee',
  method: 'email',
  address: 'ada@example.com',
  delivery_state: 'failed',
  recipient_name: 'Ada',
  sender_name: 'Acme',
  link_version: 3,
  link_expires_at: NOW,
};
const shown = {
  gift_id: encodeId('gift', uuid(2)),
  amount: 2500,
  category: 'coffee',
  delivery: { method: 'email', status: 'failed', email: 'ada@example.com' },
  personalization: { sender_name: 'Acme', recipient_name: 'Ada' },
};

test('a gift shows its address unless erased, and its recipient’s name if given', () => {
  assert.deepEqual(presentGift(links, scope, row), shown);
  const nameless = presentGift(links, scope, {
    ...row,
    method: 'phone',
    address: '+12025550199',
    recipient_name: null,
  });
  assert.deepEqual(nameless, {
    ...shown,
    delivery: { method: 'phone', status: 'failed', phone: '+12025550199' },
    personalization: { sender_name: 'Acme' },
  });
  const erased = presentGift(links, scope, { ...row, address: ERASED_ADDRESS });
  assert.deepEqual(erased.delivery, { method: 'email', status: 'failed' });
});

test('a link gift shows a link with its current version and expiry', () => {
  const { delivery } = presentGift(links, scope, { ...row, method: 'link', address: null, delivery_state: null });
  const claims = { ...scope, giftId: uuid(2), version: 3, expiresAtMs: NOW.getTime() };
  assert.deepEqual(delivery, { method: 'link', status: 'sent', link: JSON.stringify(claims) });
});

test('groups gift rows into orders; a processing order may have no gift', () => {
  const of = (n: number, more: Partial<OrderGiftRow>) => ({
    ...row,
    order_id: uuid(n),
    is_processing: false,
    order_external_id: null,
    order_metadata: null,
    ...more,
  });
  const orders = presentOrder(links, scope, [
    of(5, {}),
    of(5, { gift_id: uuid(3) }),
    of(4, { is_processing: true, gift_id: null }),
    of(6, { is_processing: true }),
  ]);
  assert.deepEqual(orders, [
    {
      order_id: encodeId('ord', uuid(5)),
      status: 'processed',
      gifts: [shown, { ...shown, gift_id: encodeId('gift', uuid(3)) }],
    },
    { order_id: encodeId('ord', uuid(4)), status: 'processing', gifts: [] },
    { order_id: encodeId('ord', uuid(6)), status: 'processing', gifts: [shown] },
  ]);
  assert.deepEqual(presentOrder(links, scope, []), []);
});

test('shows a placed order from its record', () => {
  const gift = { ...row, sender_name: null, position: 0, delivery_id: null, card_id: null, spent_cents: 0 };
  const record = orderRecord({ order_id: uuid(5), amount_cents: 2500, gifts: [gift] });
  const placed = { order_id: encodeId('ord', uuid(5)), status: 'processed', gifts: [shown] };
  assert.deepEqual(presentPlacedOrder(links, scope, record, 'Acme'), placed);
  const waiting = presentPlacedOrder(links, scope, { ...record, completes_at: NOW, gifts: [] }, 'Acme');
  assert.deepEqual(waiting, { ...placed, status: 'processing', gifts: [] });
});

test('shows an earlier order from JSON', () => {
  const times = { opened_at: null, claimed_at: null, canceled_at: null, scheduled_for: null };
  const gift = { ...row, ...times, link_expires_at: NOW.toISOString() };
  const earlier = { order_id: uuid(5), is_processing: false, gifts: [gift] };
  const order = { order_id: encodeId('ord', uuid(5)), status: 'processed', gifts: [shown] };
  assert.deepEqual(presentEarlierOrder(links, scope, earlier), order);
});
