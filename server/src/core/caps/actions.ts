import { type RecordEvent, recordAction, type Sentences } from '../../platform/audit/record-event.ts';
import { limitsText } from './limits-text.ts';

/** What is recorded of caps and limits. */
interface CapActions {
  /** Null amounts: no cap; a null name: all orders. */
  'spending_cap.set': { key_name: string | null; hour_cents: number | null; day_cents: number | null };
  /** `of`: the member’s address, or the team’s name. */
  'limits.set': { of: string; day_cents: number | null; month_cents: number | null; recipient_cents: number | null };
}

export const capSentences: Sentences<CapActions> = {
  'spending_cap.set': ({ key_name, hour_cents, day_cents }, money) => {
    const of = key_name === null ? 'all orders' : `orders with the key “${key_name}”`;
    const caps = [
      hour_cents === null ? [] : [`${money(hour_cents)} per hour`],
      day_cents === null ? [] : [`${money(day_cents)} per day`],
    ].flat();
    return caps.length === 0 ? `Removed the spending caps of ${of}` : `Capped ${of} at ${caps.join(' and ')}`;
  },
  'limits.set': ({ of, day_cents: day, month_cents: month, recipient_cents: recipient }, money) =>
    `Set the limits of ${of}: ${limitsText({ recipient, day, month }, money)}`,
};

export const recordEvent: RecordEvent<CapActions> = recordAction;
