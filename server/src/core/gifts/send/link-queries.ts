import { type CallerParameters, type CallerRow, callerColumns } from '../../../platform/authentication/caller.ts';
import type { Environment } from '../../../platform/base/environment.ts';
import { statement } from '../../../platform/database/statement.ts';
import { appendEvents } from '../../../platform/events/append-events.ts';
import { delivered, deliveryFailed, giftFacts, redirected, steeredFacts } from '../../../platform/events/gift-facts.ts';
import { insertMessageJobs } from '../../../platform/jobs/insert-jobs.ts';
import { isNotClaiming, isNotHeld, unheldOrganization } from '../gift/held.ts';
import { nextLinkVersion } from '../gift/next-link-version.ts';
import {
  callerOfChange,
  changedGift,
  type FoundGift,
  type GiftState,
  type LinkedRow,
  type One,
  ownGift,
} from '../gift/queries.ts';

/** In the sandbox the address steers the new message. */
const afterReplacement = [
  delivered(`g.delivery_state = 'delivered'`, 'g.opened_at is not null'),
  deliveryFailed(`g.delivery_state = 'failed'`),
];

/** @param text the change of the link, a further condition, and the reason that the event names */
const sendAgain = (name: string, { link, condition, reason }: { link: string; condition: string; reason: Reason }) =>
  statement<
    [
      ...One,
      linkVersion: number,
      resendLimit: number,
      deliveryState: GiftState['delivery_state'],
      linkExpiresAt: Date,
      deliveryId: string,
      erasedAddress: string,
      now: Date,
      traceparent: string | undefined,
    ],
    FoundGift
  >(
    name,
    `with ${callerOfChange('manage')}, ${unheldOrganization}, gift as (
     update gifts set ${link}, redirect_count = redirect_count + 1, delivery_state = $7,
       delivery_id = case when method = 'link' then null else $9::uuid end
     where ${ownGift()} and claimed_at is null and canceled_at is null and link_version = $5 and redirect_count < $6
       and address is distinct from $10 and is_waiting is null and ${isNotClaiming} and ${isNotHeld} ${condition}
     returning *
   ), delivery as (
     insert into deliveries (organization_id, environment, gift_id, delivery_id, channel, address, link_version,
       link_expires_at, state, created_at, counts_as_redirect)
     select organization_id, environment, gift_id, delivery_id, method::text::delivery_channel, address, link_version,
       link_expires_at, delivery_state::text::delivery_progress, $11, true
     from gift where method <> 'link'
     returning *
   ), job as (
     ${insertMessageJobs('select *, $12::text as traceparent from delivery')}
   ), ${appendEvents(giftFacts('gift', '$11', [redirected(reason), ...afterReplacement]))}
   ${changedGift}`,
  );

type Reason = Parameters<typeof redirected>[0];

/**
 * Ends all links of an unclaimed gift. An email or phone gift is sent again to its address. Returns no gift if it is
 * claimed, canceled, on hold, erased or not sent yet, has another link version, or the limit is reached.
 */
export const replaceLink = sendAgain('gifts.replace_link', {
  link: `link_version = ${nextLinkVersion}, link_expires_at = $8`,
  condition: '',
  reason: 'link_replaced',
});

/** Sends an unclaimed email or phone gift again. Earlier links stay. Returns no gift for the same reasons, or for a link gift. */
export const resendGift = sendAgain('gifts.resend', {
  link: 'link_expires_at = greatest(link_expires_at, $8)',
  condition: `and method <> 'link'`,
  reason: 'resent',
});

/**
 * Locks the unclaimed link gifts among these that are not on hold, in the order of ids, as cancellations do, and renews
 * expired links. Returns one row without a gift if no link is there.
 */
export const lockLinks = statement<
  [...CallerParameters, giftIds: readonly string[], now: Date, expiresAt: Date],
  CallerRow & (LinkedRow | { gift_id: null })
>(
  'gifts.lock_links',
  `with ${callerOfChange()}, ${unheldOrganization}, gift as materialized (
     select gift_id, link_version, link_expires_at from gifts
     where organization_id = $1 and environment = $2 and gift_id = any ($4::uuid[])
       and (select caller_state from caller) = 'admitted' and method = 'link' and claimed_at is null
       and canceled_at is null and ${isNotClaiming} and ${isNotHeld}
     order by gift_id for no key update
   ), renewed as (
     update gifts g set link_expires_at = $6 from gift e
     where g.organization_id = $1 and g.environment = $2 and g.gift_id = e.gift_id and e.link_expires_at <= $5
     returning 1
   )
   select ${callerColumns}, g.gift_id, g.link_version,
     case when g.link_expires_at <= $5 then $6 else g.link_expires_at end as link_expires_at
   from caller left join gift g on true`,
);

/** The last statement of a redirect: it locks the counter of events, and the recipient's cap locks the balance. */
export const appendRedirectEvents = statement<
  [organizationId: string, environment: Environment, giftId: string, now: Date]
>(
  'gifts.append_redirect_events',
  `with ${appendEvents(
    giftFacts(
      '(select * from gifts where organization_id = $1 and environment = $2 and gift_id = $3)',
      '$4::timestamptz',
      [redirected('redirected'), ...steeredFacts],
    ),
  )}
   select from fact`,
);
