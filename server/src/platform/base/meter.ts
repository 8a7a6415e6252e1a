/** A request that has ended. */
interface MeasuredRequest {
  method: string;
  /** The route's pattern, such as `/v1/gifts/:gift_id`; undefined for an unknown path. */
  route: string | undefined;
  /** `closed`: the connection was closed without an answer. */
  status: number | 'closed';
  /** The error's code, from the catalogue or the portal, or its outcome; undefined for a success. */
  code: string | undefined;
  durationMs: number;
}

/**
 * The outcome of an attempt to send a message. `accepted` by the provider; `refused` permanently, because of the recipient;
 * `account_refused` because of the service's account, and `tried_again` for other reasons, until it is `given_up` after a day.
 */
export const DELIVERY_OUTCOMES = ['accepted', 'refused', 'account_refused', 'tried_again', 'given_up'] as const;

/** Measures the work of a process. No method throws or waits. */
export interface Meter {
  /** A route that requests may come for. */
  route(method: string, route: string): void;
  request(request: MeasuredRequest): void;
  /** Orders that went to PostgreSQL in one statement. */
  orderBatch(orders: number, durationMs: number): void;
  /** `notice`: mails to members, and codes. */
  delivery(channel: 'email' | 'phone' | 'notice', outcome: (typeof DELIVERY_OUTCOMES)[number]): void;
  /** An attempt to push an event to an endpoint. */
  push(outcome: 'accepted' | 'failed'): void;
  /** A call of a payment provider's webhook: `repeated` if the event was known. */
  providerEvent(provider: string, outcome: 'accepted' | 'repeated' | 'refused'): void;
}

/** Measures nothing. */
export const silentMeter: Meter = {
  route: () => undefined,
  request: () => undefined,
  orderBatch: () => undefined,
  delivery: () => undefined,
  push: () => undefined,
  providerEvent: () => undefined,
};
