import { foreignRecipient } from '../../../platform/authentication/grant-rules.ts';
import type { Environment } from '../../../platform/base/environment.ts';
import { statement } from '../../../platform/database/statement.ts';
import { insertMessageJobs } from '../../../platform/jobs/insert-jobs.ts';
import { insertRedirects } from '../../delivery/statement-parts.ts';
import { isNotClaiming, isNotHeld, unheldOrganization } from '../gift/held.ts';
import { nextLinkVersion } from '../gift/next-link-version.ts';
import { callerOfChange, changedGift, type FoundGift, type GiftState, type One, ownGift } from '../gift/queries.ts';

/**
 * Redirects to another address and adds the message's job; a gift that waits for its time goes on waiting. Returns no gift if
 * it neither waits nor has the shown status `failed`, the limit is reached, the address is the same, or the gift is on hold
 * or canceled.
 */
export const redirectGift = statement<
  [
    ...One,
    redirectLimit: number,
    method: 'email' | 'phone',
    address: string,
    deliveryState: GiftState['delivery_state'],
    openedAt: Date | null,
    claimedAt: Date | null,
    cardId: string | null,
    spends: boolean,
    linkExpiresAt: Date,
    deliveryId: string,
    now: Date,
    traceparent: string | undefined,
  ],
  FoundGift
>(
  'gifts.redirect',
  `with ${callerOfChange('manage', foreignRecipient('$7'))}, ${unheldOrganization}, gift as (
     update gifts set method = $6, address = $7,
       delivery_state = case when is_waiting then 'pending' else $8::delivery_state end,
       opened_at = case when is_waiting is null then $9::timestamptz end,
       claimed_at = case when is_waiting is null then $10::timestamptz end,
       card_id = case when is_waiting is null then $11::uuid end,
       spent_cents = case when $12 and is_waiting is null then amount_cents else 0 end, delivery_id = $14,
       redirect_count = redirect_count + 1, link_version = ${nextLinkVersion},
       link_expires_at = case when is_waiting then link_expires_at else $13::timestamptz end
     where ${ownGift()}
       and (delivery_state = 'failed' or is_waiting) and opened_at is null and claimed_at is null and redirect_count < $5
       and (method, address) is distinct from ($6, $7) and canceled_at is null
       and ${isNotClaiming} and ${isNotHeld}
     returning *
   ), delivery as (
     ${insertRedirects('gift where is_waiting is null', '$15')}
     returning *
   ), job as (
     ${insertMessageJobs('select *, $16::text as traceparent from delivery')}
   )
   ${changedGift}`,
);

/** Locks a gift that waits for its time, if it can be sent to the address. No row: it cannot. */
export const selectMovable = statement<
  [
    organizationId: string,
    environment: Environment,
    giftId: string,
    redirectLimit: number,
    method: 'email' | 'phone',
    address: string,
  ],
  { gift_id: string }
>(
  'gifts.select_movable',
  `with ${unheldOrganization}
   select gift_id from gifts
   where organization_id = $1 and environment = $2 and gift_id = $3 and is_waiting and canceled_at is null
     and redirect_count < $4 and (method, address) is distinct from ($5, $6) and ${isNotClaiming} and ${isNotHeld}
   for no key update`,
);
