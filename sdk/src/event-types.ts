import type { Gift, Order } from './resources.ts';
import type { components } from './schema.d.ts';

/** The literals of a union that also has `(string & {})`. */
type Known<Text extends string> = Text extends string ? (string extends Text ? never : Text) : never;
/** The event types of this version; a newer service may send more, so give a `switch` a `default`. */
export type KnownEventType = Known<components['schemas']['Event']['type']>;

interface OfNone {
  order_id?: undefined;
  gift_id?: undefined;
}
interface OfOrder {
  order_id: string;
  gift_id?: undefined;
}
interface OfGift {
  order_id: string;
  gift_id: string;
}
interface OfRequest extends OfNone {
  order_request_id: string;
}
interface OfDelivery extends OfGift {
  delivery: { status: Gift['delivery']['status'] };
}
/** Cents and ISO times. */
interface Canceled {
  cancellation: { canceled_at: string; reason: string | null; refunded: number };
}
interface OfKey extends OfNone {
  key_id: string;
}

/** What `data` holds for each type: ids, and the part that changed. Amounts are cents, times ISO 8601. */
export interface DataOfEvent
  extends Record<'key.created' | 'key.revoked', OfKey>,
    Record<'order_request.declined' | 'order_request.expired', OfRequest>,
    Record<'gift.held' | 'gift.released' | 'gift.thanked', OfGift>,
    Record<'gift.sent' | 'gift.delivered' | 'gift.delivery_failed', OfDelivery>,
    Record<'gift.opened' | 'gift.claimed' | 'gift.declined', OfDelivery>,
    Record<'organization.suspended' | 'organization.reinstated' | 'sandbox.reset', OfNone>,
    Record<'organization.gifts_held' | 'organization.gifts_released', OfNone> {
  'order.created': OfOrder & { status: Order['status'] };
  'order.processed': OfOrder & { status: Order['status'] };
  'order.canceled': OfOrder & Canceled;
  'order_request.approved': OfOrder & { order_request_id: string };
  'gift.redirected': OfDelivery & { reason: 'redirected' | 'link_replaced' | 'resent' | (string & {}) };
  'gift.spent': OfGift & { purchase: { amount: number; amount_left: number } };
  'gift.canceled': OfGift & Canceled;
  'gift.expired': OfGift & Canceled;
  'balance.funded': OfNone & { entry_id: string; kind: string; amount: number; balance: number };
  'balance.low': OfNone & { balance: number; threshold: number };
  'database.restored': OfNone & { restored_to: string; last_sequence: number };
}

/**
 * Stands for every type of a later version, whose text is any. No known type fits this pattern, so that `type` tells them
 * apart; compare a later one as a string: `(event.type as string) === 'gift.returned'`.
 */
export type LaterEventType = `${string}.${string} of a later version`;
interface LaterData {
  order_id?: string;
  gift_id?: string;
  [name: string]: unknown;
}

interface InFeed {
  /** Begins with `evt_`; the same whenever it is read or pushed. */
  event_id: string;
  /** When it happened, as ISO 8601. */
  created_at: string;
  /** The event’s place among all events of the environment: without holes, in the order of commits. */
  sequence: number;
  /** The order or gift of the event as it is now; null for other events. Only with `expand: 'resource'`. */
  resource?: Record<string, unknown> | null;
}
/** Remember its `event_id`, to do nothing twice. */
interface InPush extends Pick<InFeed, 'event_id' | 'created_at'> {
  /** The same as `created_at`. */
  timestamp: string;
  /** The event’s place in the feed; null for `webhook.test`. */
  sequence: number | null;
  /** The event that was pushed to the endpoint before; null for the first one. */
  previous_sequence: number | null;
}
interface Typed<Type extends string, Data> {
  /** What happened. */
  type: Type;
  /** Ids, and what changed. */
  data: Data;
}
type EachKnown<Place> = { [Type in KnownEventType]: Typed<Type, DataOfEvent[Type]> & Place }[KnownEventType];

/** Something that happened. `type` tells what `data` holds; an event of a later type has a `data` of anything. */
export type BestowEvent = EachKnown<InFeed> | (Typed<LaterEventType, LaterData> & InFeed);
/** An event as it is pushed to a webhook endpoint. `webhook.test` tries the endpoint. */
export type WebhookEvent =
  | EachKnown<InPush>
  | (Typed<'webhook.test', OfNone> & InPush)
  | (Typed<LaterEventType, LaterData> & InPush);
