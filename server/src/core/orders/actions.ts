import { because, plural } from '../../platform/audit/details.ts';
import { type RecordEvent, recordAction, type Sentences } from '../../platform/audit/record-event.ts';

/** What is recorded of orders. */
interface OrderActions {
  'order.placed': { gifts: number; amount_cents: number };
  'order.canceled': { reason: string | null; gifts: number; refunded_cents: number };
}

export const orderSentences: Sentences<OrderActions> = {
  'order.placed': ({ gifts, amount_cents }, money) => `Sent ${plural(gifts, 'gift')} for ${money(amount_cents)}`,
  'order.canceled': ({ reason, gifts, refunded_cents }, money) =>
    `Canceled ${plural(gifts, 'gift')} of an order: ${money(refunded_cents)} returned to the balance${because(reason)}`,
};

/** Those with a reason that a person wrote. */
export const orderWithReason: readonly (keyof OrderActions)[] = ['order.canceled'];

export const recordEvent: RecordEvent<OrderActions> = recordAction;
