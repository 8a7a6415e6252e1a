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
import { inBothDirections } from '../../../platform/paging/read-page.ts';
import { type GiftColumns, giftColumnsOf } from './gift-fields.ts';
import { isNotClaiming, isNotHeld, unheldOrganization } from './held.ts';

/** A gift as `/v1` reads it. */
export type GiftRow = GiftColumns<'api'>;
export type GiftState = Pick<GiftRow, 'delivery_state' | 'opened_at' | 'claimed_at'>;

/** What a link is made of. */
export type LinkedRow = Pick<GiftRow, 'gift_id' | 'link_version' | 'link_expires_at'>;

export const giftColumns = giftColumnsOf('api');

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
