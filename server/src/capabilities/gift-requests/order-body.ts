import type { GiftInputBody } from '../../core/gifts/gift/schema.ts';
import type { OrderInputBody } from '../../core/orders/schema.ts';

/** The order of a request: of a member it is one gift, of an agent as it came. */
export const orderBodyOf = (gift: GiftInputBody | OrderInputBody): OrderInputBody =>
  'gifts' in gift ? gift : { gifts: [gift] };
