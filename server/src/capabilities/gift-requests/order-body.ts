import { readTime } from 'bestow-readers/time.ts';
import type { GiftInputBody } from '../../core/gifts/gift/schema.ts';
import type { OrderInputBody } from '../../core/orders/schema.ts';

/** The order of a request: of a member it is one gift, of an agent as it came. */
export const orderBodyOf = (gift: GiftInputBody | OrderInputBody): OrderInputBody =>
  'gifts' in gift ? gift : { gifts: [gift] };

/** The same when it is approved: a gift whose time has passed is sent at once, because no order may name a past time. */
export function approvedBodyOf(gift: GiftInputBody | OrderInputBody, now: Date): OrderInputBody {
  if ('gifts' in gift || gift.send_at == null || (readTime(gift.send_at) ?? now) > now) return orderBodyOf(gift);
  const { send_at: _, ...atOnce } = gift;
  return { gifts: [atOnce] };
}
