/** A request that was answered. */
interface MeasuredRequest {
  method: string;
  /** The route's pattern, such as `/v1/gifts/:gift_id`; undefined where there is none. */
  route: string | undefined;
  status: number;
  /** The error's code, of the catalogue or the portal's; undefined where there was none. */
  code: string | undefined;
  durationMs: number;
}

/**
 * What came of a try to send a message. `accepted`: the provider took it; `refused`: it never will; `tried_again`: it may
 * later; `given_up`: it did not for a day.
 */
type DeliveryOutcome = 'accepted' | 'refused' | 'tried_again' | 'given_up';

/** What the parts of a process tell of their work, so that it can be measured. None of it throws or waits. */
export interface Meter {
  request(request: MeasuredRequest): void;
  /** Orders that went to PostgreSQL in one statement. */
  orderBatch(orders: number, durationMs: number): void;
  delivery(channel: 'email' | 'phone', outcome: DeliveryOutcome): void;
}

/** Where nobody measures. */
export const silentMeter: Meter = {
  request: () => undefined,
  orderBatch: () => undefined,
  delivery: () => undefined,
};
