import {
  type CallerParameters,
  type CallerRow,
  caller,
  callerColumns,
  presentedKey,
} from '../../../platform/authentication/caller.ts';
import { isInReach, rowsInReach } from '../../../platform/authentication/grant-rules.ts';
import type { Need } from '../../../platform/authentication/permissions.ts';
import { sandboxLocked } from '../../../platform/authentication/sandbox-locked.ts';
import type { Environment } from '../../../platform/base/environment.ts';
import { coalescedStatement } from '../../../platform/database/coalesced-statement.ts';
import { statement } from '../../../platform/database/statement.ts';
import type { Language } from '../../../platform/languages/languages.ts';
import { inBothDirections } from '../../../platform/paging/read-page.ts';
import { isNotClaiming, isNotHeld, unheldOrganization } from './held.ts';
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
