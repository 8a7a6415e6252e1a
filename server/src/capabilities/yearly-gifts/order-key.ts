import { hash } from 'node:crypto';
import { encodeId, formatUuid } from '../../platform/base/ids.ts';

/** A person's gift of a year. The ids are UUIDs. */
export interface GiftOfYear {
  ruleId: string;
  contactId: string;
  year: number;
  /** How often a request or an order for it was canceled before. */
  attempt: number;
}

/** The idempotency key of its order. */
export const orderKey = ({ ruleId, contactId, year, attempt }: GiftOfYear): string =>
  `${encodeId('rule', ruleId)}_${encodeId('con', contactId)}_${year}${attempt === 0 ? '' : `_${attempt}`}`;

/** The id of the form that asks for it: the same each time. */
export const formIdOf = (gift: GiftOfYear): string =>
  formatUuid(hash('sha256', orderKey(gift), 'buffer').subarray(0, 16));
