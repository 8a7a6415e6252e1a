import type { BestowEvent } from './event-types.ts';
import type { components } from './schema.d.ts';

type Schema<Name extends keyof components['schemas']> = components['schemas'][Name];
/** A gift without the parts that a call has to ask for; `With<Gift, 'history'>` has one. */
export interface Gift extends Omit<Schema<'Gift'>, GiftPart> {}
/** What a gift has only if a call asks for it. */
export type GiftPart = 'order' | 'history' | 'deliveries' | 'card';
export type PartsOfGift = Required<Pick<Schema<'Gift'>, GiftPart>>;
export type PartsOfOrder = Required<Pick<Schema<'Order'>, 'history'>>;
/** With what a call asked for; each part may be absent if it is not known which were. */
export type GiftOrOrder<Body> = Body extends { gifts: unknown } ? Schema<'Order'> : Schema<'Gift'>;
/** An order without the parts that a call has to ask for; `With<Order, 'history'>` has one, and its gifts. */
export interface Order extends Omit<Schema<'Order'>, 'gifts' | 'history'> {
  /** In submission order: the Nth gift returned is the Nth gift sent. */
  gifts: Gift[];
}
export interface EventPage extends Omit<Schema<'EventList'>, 'data'> {
  data: BestowEvent[];
}
