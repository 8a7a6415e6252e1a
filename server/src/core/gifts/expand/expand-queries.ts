import type { Environment } from '../../../platform/base/environment.ts';
import { coalescedStatement } from '../../../platform/database/coalesced-statement.ts';
import { shownCategory } from '../../catalog/any-category.ts';
import type { GiftDelivery } from '../../delivery/message-queries.ts';
import { type IssuerColumns, issuerColumns, joinIssuer } from '../../issuer/chosen-issuer.ts';
import { isOnHold } from '../gift/held.ts';
import type { References } from '../gift/present-references.ts';
import { deliveredAt, type GiftHistoryState, giftState } from '../gift/state.ts';

/** @param giftIds UUIDs as JSON */
type Gifts = [organizationId: string, environment: Environment, giftIds: string];

interface OfGift {
  gift_id: string;
}

/**
 * Makes a statement about gifts that the caller has just read. They are found in one pass over the primary key; to find each
 * by itself costs half as much again. Without `offset`, PostgreSQL would join several calls with a scan of all gifts.
 */
const ofGifts = <Row extends OfGift>(
  name: string,
  columns: string | ((organizationId: string) => string),
  tables = '',
) =>
  coalescedStatement<Gifts, Row>({
    name: `gifts.expand_${name}`,
    types: ['uuid', 'environment', 'jsonb'],
    text: ([organizationId = '', environment = '', giftIds]) =>
      `select g.gift_id, ${typeof columns === 'string' ? columns : columns(organizationId)}
   from (
     select * from gifts
     where organization_id = ${organizationId} and environment = ${environment}
       and gift_id = any (array(select id::uuid from jsonb_array_elements_text(${giftIds}) as wanted (id)))
     offset 0
   ) g ${tables}`,
  });

/** Times are text, as PostgreSQL writes them: a `Date` for each costs Node more than the rest of the row. */
export interface HistoryRow extends OfGift {
  state: GiftHistoryState;
  ordered_at: string;
  scheduled_for: string | null;
  sent_at: string | null;
  delivered_at: string | null;
  failed_at: string | null;
  /** Why the latest message failed. */
  failure: string | null;
  opened_at: string | null;
  claimed_at: string | null;
  spent_cents: number;
  last_spent_at: string | null;
  declined_at: string | null;
  canceled_at: string | null;
  cancel_reason: string | null;
  amount_cents: number;
  expires_at: string | null;
  held_since: string | null;
  erased_at: string | null;
}

/** The gift's latest message, under names that the gift does not have. A message of the sandbox has no times of its own. */
const latestMessage = `left join lateral (
     select d.state as progress, d.reason as failure, coalesce(d.settled_at, d.created_at) as settled,
       case d.environment when 'sandbox' then d.created_at else d.sent_at end as accepted
     from deliveries d
     where d.organization_id = g.organization_id and d.environment = g.environment and d.gift_id = g.gift_id
       and d.delivery_id = g.delivery_id
     limit 1
   ) m on true`;

const lastPurchase = `case when spent_cents > 0 then coalesce(
       greatest(
         (select max(p.created_at) from card_purchases p
          where p.organization_id = g.organization_id and p.environment = g.environment and p.gift_id = g.gift_id),
         (select max(f.at) from card_facts f
          where f.organization_id = g.organization_id and f.environment = g.environment and f.gift_id = g.gift_id
            and f.kind = 'captured')
       ), claimed_at) end`;

const heldSince = (
  organizationId: string,
) => `case when canceled_at is null and ${isOnHold('g', organizationId)} then coalesce(
       held_at, (select gifts_held_at from organizations where organizations.organization_id = ${organizationId})) end`;

export const selectHistories = ofGifts<HistoryRow>(
  'history',
  (organizationId) => `${giftState('g', { organizationId, progress: 'm.progress' })} as state,
     created_at::text as ordered_at, scheduled_for::text,
     (case method when 'link' then created_at else m.accepted end)::text as sent_at,
     (case delivery_state when 'delivered' then m.settled else ${deliveredAt('g')} end)::text as delivered_at,
     case delivery_state when 'failed' then (case m.progress when 'failed' then m.settled else erased_at end)::text
       end as failed_at, m.failure, opened_at::text, claimed_at::text,
     spent_cents, (${lastPurchase})::text as last_spent_at, declined_at::text, canceled_at::text, cancel_reason,
     amount_cents, expires_at::text, (${heldSince(organizationId)})::text as held_since, erased_at::text`,
  latestMessage,
);

type MessageRow = OfGift & Omit<GiftDelivery, 'number'>;

/** The latest messages about each gift, oldest first. */
export const selectMessages = ofGifts<MessageRow>(
  'deliveries',
  `m.channel, m.address, m.state, m.tries, m.reason, m.provider, m.created_at, m.sent_at, m.settled_at, m.reminder_day`,
  `cross join lateral (
     select * from (
       select * from deliveries d
       where d.organization_id = g.organization_id and d.environment = g.environment and d.gift_id = g.gift_id
       order by d.delivery_id desc limit 50
     ) latest order by delivery_id
   ) m`,
);

interface OrderOfGiftRow extends OfGift, References {
  order_id: string;
}

export const selectOrdersOfGifts = ofGifts<OrderOfGiftRow>(
  'order',
  'g.order_id, o.external_id',
  `left join lateral (
     select external_id from orders
     where organization_id = g.organization_id and environment = g.environment and order_id = g.order_id
     limit 1
   ) o on true`,
);

interface CardOfGiftRow extends OfGift, IssuerColumns {
  category_id: string;
  amount_cents: number;
  spent_cents: number;
}

/** The card of each claimed gift. */
export const selectCards = ofGifts<CardOfGiftRow>(
  'card',
  `${shownCategory('g')} as category_id, g.amount_cents, g.spent_cents, ${issuerColumns}`,
  `${joinIssuer} where g.claimed_at is not null`,
);
