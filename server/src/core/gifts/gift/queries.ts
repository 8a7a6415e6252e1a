import {
  type CallerParameters,
  type CallerRow,
  caller,
  callerColumns,
  presentedKey,
} from '../../../platform/authentication/caller.ts';
import { foreignRecipient, isInReach, rowsInReach } from '../../../platform/authentication/grant-rules.ts';
import type { Need } from '../../../platform/authentication/permissions.ts';
import { sandboxLocked } from '../../../platform/authentication/sandbox-locked.ts';
import type { Environment } from '../../../platform/base/environment.ts';
import { coalescedStatement } from '../../../platform/database/coalesced-statement.ts';
import { statement } from '../../../platform/database/statement.ts';
import { appendEvents } from '../../../platform/events/append-events.ts';
import { delivered, deliveryFailed, giftFacts, opened } from '../../../platform/events/gift-facts.ts';
import { insertMessageJobs } from '../../../platform/jobs/insert-jobs.ts';
import type { Language } from '../../../platform/languages/languages.ts';
import { inBothDirections } from '../../../platform/paging/read-page.ts';
import { isNotClaiming, isNotHeld, unheldOrganization } from './held.ts';
import { nextLinkVersion } from './next-link-version.ts';
import type { References } from './present-references.ts';

export interface GiftState {
  /** Null for a link gift: the caller delivers it. */
  delivery_state: 'pending' | 'delivered' | 'failed' | null;
  opened_at: Date | null;
  claimed_at: Date | null;
}

export interface GiftRow extends GiftState, References {
  gift_id: string;
  amount_cents: number;
  category_id: string;
  /** Of the recipient of an `any` gift. */
  chosen_category_id: string | null;
  method: 'email' | 'phone' | 'link';
  address: string | null;
  recipient_name: string | null;
  sender_name: string;
  message: string | null;
  language?: Language | null;
  link_version: number;
  link_expires_at: Date;
  canceled_at: Date | null;
  cancel_reason: string | null;
  /** Null unless its order named a time. */
  scheduled_for: Date | null;
  /** True until a scheduled gift is sent, canceled or erased; else null. */
  is_waiting: boolean | null;
}

/** What a link is made of. */
export type LinkedRow = Pick<GiftRow, 'gift_id' | 'link_version' | 'link_expires_at'>;

export const giftColumns = `g.gift_id, g.amount_cents, g.category_id, g.method, g.address, g.delivery_state, g.recipient_name,
  g.sender_name, g.message, g.language, g.link_version, g.link_expires_at, g.opened_at, g.claimed_at, g.canceled_at, g.cancel_reason,
  g.external_id, g.metadata, g.scheduled_for, g.is_waiting,
  g.chosen_category_id`;

/** The caller, with the gift if the caller is admitted and the statement found or changed one. */
export type FoundGift = CallerRow & (GiftRow | { gift_id: null });

export type One = [...CallerParameters, giftId: string];

export const selectGift = coalescedStatement<One, FoundGift>({
  name: 'gifts.select',
  types: ['uuid', 'environment', 'jsonb', 'uuid'],
  text: ([organizationId = '', environment = '', key, giftId]) =>
    `with ${caller({ organizationId, environment, key: presentedKey(key), needs: 'read' })}
   select ${callerColumns}, ${giftColumns}
   from caller left join gifts g on caller.caller_state = 'admitted' and ${isInReach('g')}
     and g.organization_id = ${organizationId} and g.environment = ${environment} and g.gift_id = ${giftId}`,
});

/** Selects gifts from the given id on, which is included; one row without a gift if the page is empty. */
export const selectGifts = inBothDirections('gifts.list', (name, order) =>
  coalescedStatement<[...CallerParameters, first: string, limit: number], FoundGift>({
    name,
    types: ['uuid', 'environment', 'jsonb', 'uuid', 'integer'],
    text: ([organizationId = '', environment = '', key, first, limit]) =>
      `with ${caller({ organizationId, environment, key: presentedKey(key), needs: 'read' })}
   select ${callerColumns}, ${giftColumns}
   from caller left join lateral (
     ${rowsInReach(
       (isOwn) => `select * from gifts
     where organization_id = ${organizationId} and environment = ${environment}
       and gift_id ${order === 'desc' ? '<=' : '>='} ${first} and caller.caller_state = 'admitted' and ${isOwn}
     order by gift_id ${order} limit ${limit}`,
     )}
   ) g on true
   order by g.gift_id ${order}`,
  }),
);

export const selectGiftExists = statement<
  [organizationId: string, environment: Environment, giftId: string],
  { gift_id: string }
>('gifts.exists', 'select gift_id from gifts where organization_id = $1 and environment = $2 and gift_id = $3');

/** @param needs what an agent needs for the change; without it, no agent can make it */
export const callerOfChange = (needs?: Need, states = '') => caller({ needs, states: `${states} ${sandboxLocked}` });

/** The gift that an admitted caller may change. @param gifts the table's alias */
export const ownGift = (gifts = 'gifts') => `organization_id = $1 and environment = $2 and gift_id = $4
       and (select caller_state from caller) = 'admitted' and ${isInReach(gifts)}`;

/** The statement's result: the caller, with the gift of the CTE `gift`. */
export const changedGift = `select ${callerColumns}, ${giftColumns} from caller left join gift g on true`;

/** The caller, with the columns of the gift that a simulation can change; null if there is no such gift. */
export interface LockedGift extends CallerRow {
  delivery_state: GiftState['delivery_state'];
  opened_at: Date | null;
  claimed_at: Date | null;
  spent_cents: number | null;
}

export const lockGift = statement<One, LockedGift>(
  'gifts.lock',
  `with ${callerOfChange()}, gift as (
     select delivery_state, opened_at, claimed_at, spent_cents from gifts where ${ownGift()} for no key update
   )
   select ${callerColumns}, g.* from caller left join gift g on true`,
);

/** Renews an expired link; returns no gift if another reader renewed it first, or it is on hold or canceled. */
export const renewGiftLink = statement<[...One, now: Date, expiresAt: Date], FoundGift>(
  'gifts.renew_link',
  `with ${callerOfChange('links')}, ${unheldOrganization}, gift as (
     update gifts set link_expires_at = $6
     where ${ownGift()} and link_expires_at <= $5 and canceled_at is null and ${isNotClaiming} and ${isNotHeld}
     returning *
   )
   ${changedGift}`,
);

/** Settles a pending delivery, or a failed one that arrived after all; returns no gift if the state does not allow it. */
export const settleGiftDelivery = statement<[...One, outcome: 'delivered' | 'failed', now: Date], FoundGift>(
  'gifts.settle_delivery',
  `with ${callerOfChange()}, gift as (
     update gifts set delivery_state = $5::delivery_state
     where ${ownGift()}
       and opened_at is null and claimed_at is null and canceled_at is null and is_waiting is null
       and (delivery_state = 'pending' or delivery_state = 'failed' and $5 = 'delivered')
     returning *
   ), delivery as (
     update deliveries d set state = $5::delivery_progress, settled_at = $6
     from gift g
     where d.organization_id = g.organization_id and d.environment = g.environment and d.gift_id = g.gift_id
       and d.delivery_id = g.delivery_id
     returning 1
   ), ${appendEvents(
     giftFacts('gift', '$6', [
       delivered(`g.delivery_state = 'delivered'`),
       deliveryFailed(`g.delivery_state = 'failed'`),
     ]),
     ['delivery'],
   )}
   ${changedGift}`,
);

/** An opened or claimed gift proves that its message arrived. */
export const deliverPending = `update deliveries d set state = 'delivered', settled_at = $5
     from gift g
     where d.organization_id = g.organization_id and d.environment = g.environment and d.gift_id = g.gift_id
       and d.delivery_id = g.delivery_id and d.state in ('pending', 'sent')
     returning 1`;

/** CTE: the gift before the change, locked, if the condition holds. */
export const earlierGift = (condition: string) =>
  `earlier as materialized (
     select delivery_state is not distinct from 'pending' as was_pending, opened_at is not null as was_opened from gifts
     where ${ownGift()} and ${condition}
     for no key update
   )`;

/** The first opening, with the delivery that it proves. */
export const openingFacts = [delivered('g.was_pending', 'g.was_opened'), opened('not g.was_opened')];

/** Stamps the first opening and settles a pending delivery. Returns no gift if it is canceled, not sent yet, or the link version outdated. */
export const openGift = statement<[...One, now: Date, linkVersion: number | null], FoundGift>(
  'gifts.open',
  `with ${callerOfChange()}, ${earlierGift('canceled_at is null and is_waiting is null and ($6::smallint is null or link_version = $6)')}, gift as (
     update gifts set opened_at = coalesce(opened_at, $5),
       delivery_state = case delivery_state when 'pending' then 'delivered' else delivery_state end
     from earlier where ${ownGift()}
     returning *
   ), delivery as (
     ${deliverPending}
   ), ${appendEvents(giftFacts('gift', '$5', openingFacts), ['delivery'])}
   ${changedGift}`,
);

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
     insert into deliveries (organization_id, environment, gift_id, delivery_id, channel, address, link_version,
       link_expires_at, state, created_at, counts_as_redirect)
     select organization_id, environment, gift_id, delivery_id, method::text::delivery_channel, address, link_version,
       link_expires_at, delivery_state::text::delivery_progress, $15, true
     from gift where is_waiting is null
     returning *
   ), job as (
     ${insertMessageJobs('select *, $16::text as traceparent from delivery')}
   )
   ${changedGift}`,
);
