import {
  type CallerParameters,
  type CallerRow,
  caller,
  callerColumns,
} from '../../../platform/authentication/caller.ts';
import { sandboxLocked } from '../../../platform/authentication/sandbox-locked.ts';
import type { Environment } from '../../../platform/base/environment.ts';
import { statement } from '../../../platform/database/statement.ts';
import { type GiftRow, giftColumns } from '../gift/queries.ts';
import { cancelableGifts, cancelTargets } from './statement-parts.ts';

/** The caller, with the balance's latest id; null if there is no balance. Locks the balance. */
export const lockBalance = statement<CallerParameters, CallerRow & { last_id: string | null }>(
  'gifts.lock_balance',
  `with ${caller({ needs: 'manage', states: sandboxLocked })}, balance as materialized (
     select last_id from balances
     where organization_id = $1 and environment = $2 and (select caller_state from caller) = 'admitted'
     for update
   )
   select ${callerColumns}, (select last_id from balance) from caller`,
);

type Owner = [organizationId: string, environment: Environment];

/** Cancels a gift; the transaction has locked the balance. Returns no gift if it is claimed or canceled. */
export const cancelGift = statement<
  [...Owner, giftId: string, entryIds: readonly string[], reason: string | null, now: Date],
  GiftRow
>(
  'gifts.cancel',
  `with target as materialized (
     ${cancelableGifts('gift_id = $3')}
   ), ${cancelTargets({ entryIds: '$4', reason: '$5::text', now: '$6::timestamptz', event: 'gift.canceled' })}
   select ${giftColumns} from gift g where organization_id = $1`,
);

export interface CanceledRow {
  gift_id: string;
  amount_cents: number;
}

/** Cancels those of the gifts that wait for their time; the transaction has locked the balance. */
export const cancelWaiting = statement<
  [...Owner, giftIds: readonly string[], entryIds: readonly string[], reason: string, now: Date],
  CanceledRow
>(
  'gifts.cancel_waiting',
  `with target as materialized (
     ${cancelableGifts('gift_id = any ($3::uuid[]) and is_waiting')}
   ), ${cancelTargets({ entryIds: '$4', reason: '$5::text', now: '$6::timestamptz', event: 'gift.canceled' })}
   select gift_id, amount_cents from gift where organization_id = $1`,
);

/** Locks gifts in the order of ids, as webhook events lock them. */
export const lockGifts = statement<[...Owner, giftIds: readonly string[]]>(
  'gifts.lock_many',
  `select from gifts where organization_id = $1 and environment = $2 and gift_id = any ($3::uuid[])
   order by gift_id for no key update`,
);
