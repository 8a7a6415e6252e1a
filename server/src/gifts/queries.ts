import type { Environment } from '../base/environment.ts';
import { batchedStatement } from '../database/batched-statement.ts';
import { statement } from '../database/statement.ts';
import { keyHolds } from '../keys/key-holds.ts';
import type { GiftState } from './status.ts';

export interface GiftRow extends GiftState {
  gift_id: string;
  amount_cents: number;
  category_id: string;
  method: 'email' | 'phone' | 'link';
  address: string | null;
  recipient_name: string | null;
  sender_name: string;
  link_version: number;
  link_expires_at: Date;
}

const columns = `gift_id, amount_cents, category_id, method, address, delivery_state, recipient_name, sender_name,
  link_version, link_expires_at, opened_at, claimed_at`;

type One = [organizationId: string, environment: Environment, giftId: string];

/** A key that must still be valid for a row to be found; null if it was checked already. */
type KeyToProve = string | null;

const keyToProveHolds = (organizationId = '', environment = '', keyId = '') =>
  `(${keyId}::uuid is null or ${keyHolds({ organizationId, environment, keyId })})`;

export const selectGift = batchedStatement<[...One, KeyToProve], GiftRow>({
  name: 'gifts.select',
  types: ['uuid', 'environment', 'uuid', 'uuid'],
  text: ([organizationId, environment, giftId, keyId]) => `select ${columns} from gifts
   where organization_id = ${organizationId} and environment = ${environment} and gift_id = ${giftId}
     and ${keyToProveHolds(organizationId, environment, keyId)}`,
});

export const selectGiftExists = statement<One, { gift_id: string }>(
  'gifts.exists',
  'select gift_id from gifts where organization_id = $1 and environment = $2 and gift_id = $3',
);

export const selectGiftsDescending = statement<[...One, KeyToProve, limit: number], GiftRow>(
  'gifts.list_descending',
  `select ${columns} from gifts
   where organization_id = $1 and environment = $2 and gift_id < $3 and ${keyToProveHolds('$1', '$2', '$4')}
   order by gift_id desc limit $5`,
);

export const selectGiftsAscending = statement<[...One, KeyToProve, limit: number], GiftRow>(
  'gifts.list_ascending',
  `select ${columns} from gifts
   where organization_id = $1 and environment = $2 and gift_id > $3 and ${keyToProveHolds('$1', '$2', '$4')}
   order by gift_id limit $5`,
);

/** Renews an expired link; returns no row if another reader renewed it first. */
export const renewGiftLink = statement<[...One, now: Date, expiresAt: Date], GiftRow>(
  'gifts.renew_link',
  `update gifts set link_expires_at = $5
   where organization_id = $1 and environment = $2 and gift_id = $3 and link_expires_at <= $4
   returning ${columns}`,
);

/** Settles a pending delivery, or a failed one that arrived after all; returns no row if the state does not allow it. */
export const settleGiftDelivery = statement<[...One, outcome: 'delivered' | 'failed', now: Date], GiftRow>(
  'gifts.settle_delivery',
  `with gift as (
     update gifts set delivery_state = $4::delivery_state
     where organization_id = $1 and environment = $2 and gift_id = $3
       and opened_at is null and claimed_at is null
       and (delivery_state = 'pending' or delivery_state = 'failed' and $4 = 'delivered')
     returning *
   ), delivery as (
     update deliveries d set state = $4::delivery_progress, settled_at = $5
     from gift g
     where d.organization_id = g.organization_id and d.environment = g.environment and d.gift_id = g.gift_id
       and d.delivery_id = g.delivery_id
   )
   select ${columns} from gift`,
);

/** An opened or claimed gift proves that its message arrived. */
const deliverPending = `update deliveries d set state = 'delivered', settled_at = $4
     from gift g
     where d.organization_id = g.organization_id and d.environment = g.environment and d.gift_id = g.gift_id
       and d.delivery_id = g.delivery_id and d.state in ('pending', 'sent')`;

/** Stamps the first opening and settles a pending delivery. Returns no row if the given link version is outdated. */
export const openGift = statement<[...One, now: Date, linkVersion: number | null], GiftRow>(
  'gifts.open',
  `with gift as (
     update gifts set opened_at = coalesce(opened_at, $4),
       delivery_state = case delivery_state when 'pending' then 'delivered' else delivery_state end
     where organization_id = $1 and environment = $2 and gift_id = $3 and ($5::smallint is null or link_version = $5)
     returning *
   ), delivery as (
     ${deliverPending}
   )
   select ${columns} from gift`,
);

/** Claims once. Returns no row if the gift was claimed before or the given link version is outdated. */
export const claimGift = statement<[...One, now: Date, cardId: string, linkVersion: number | null], GiftRow>(
  'gifts.claim',
  `with gift as (
     update gifts set opened_at = coalesce(opened_at, $4), claimed_at = $4, card_id = $5,
       delivery_state = case delivery_state when 'pending' then 'delivered' else delivery_state end
     where organization_id = $1 and environment = $2 and gift_id = $3 and claimed_at is null
       and ($6::smallint is null or link_version = $6)
     returning *
   ), delivery as (
     ${deliverPending}
   )
   select ${columns} from gift`,
);

/** Redirects to another address. Returns no row if the shown status is not `failed` or the limit is reached. */
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
  ],
  GiftRow
>(
  'gifts.redirect',
  `with gift as (
     update gifts set method = $5, address = $6, delivery_state = $7, opened_at = $8, claimed_at = $9, card_id = $10,
       spent_cents = case when $11 then amount_cents else 0 end, delivery_id = $13,
       redirect_count = redirect_count + 1, link_version = link_version + 1, link_expires_at = $12
     where organization_id = $1 and environment = $2 and gift_id = $3
       and delivery_state = 'failed' and opened_at is null and claimed_at is null and redirect_count < $4
     returning *
   ), delivery as (
     insert into deliveries (organization_id, environment, gift_id, delivery_id, channel, address, link_version,
       link_expires_at, state, created_at)
     select organization_id, environment, gift_id, delivery_id, method::text::delivery_channel, address, link_version,
       link_expires_at, delivery_state::text::delivery_progress, $14
     from gift
   )
   select ${columns} from gift`,
);
