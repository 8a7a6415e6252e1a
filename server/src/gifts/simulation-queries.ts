import { statement } from '../database/statement.ts';
import type { GiftState } from './status.ts';

/** Locks a gift and returns the columns that a simulation can change. */
export const lockGift = statement<[organizationId: string, giftId: string], GiftState & { spent_cents: number }>(
  'sandbox.lock_gift',
  `select delivery_state, opened_at, claimed_at, spent_cents from gifts
   where organization_id = $1 and environment = 'sandbox' and gift_id = $2
   for no key update`,
);
