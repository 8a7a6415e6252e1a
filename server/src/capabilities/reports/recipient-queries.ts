import { type ColumnsWith, columnsOf } from '../../core/gifts/gift/field.ts';
import { fieldsOfGift, type giftFields } from '../../core/gifts/gift/gift-fields.ts';
import { giftsOfAddress, isTheirs } from '../../core/gifts/gift/gifts-of-address.ts';
import { type BesideGift, besideGift, fieldsOfOrder, type orderFields } from '../../core/orders/order-fields.ts';
import type { Environment } from '../../platform/base/environment.ts';
import { foldAddress } from '../../platform/database/folding.ts';
import { statement } from '../../platform/database/statement.ts';

type HeldOrder = BesideGift<ColumnsWith<typeof orderFields, 'person'>>;

export interface HeldGiftRow extends ColumnsWith<typeof giftFields, 'person'>, HeldOrder {
  /** Whether the gift is still at the address; otherwise it belongs to another person now. */
  is_here: boolean;
  terms_version: string | null;
  accepted_at: Date | null;
  messages: object[];
  purchases: object[];
}

const columnsOfGift = columnsOf(fieldsOfGift, 'person').map((column) => `g.${column}`);
/** Of the gift's order. */
export const orderColumns = columnsOf(fieldsOfOrder, 'person');

const sameGift = (other: string) =>
  `${other}.organization_id = g.organization_id and ${other}.environment = g.environment and ${other}.gift_id = g.gift_id`;

/**
 * Every gift that ever went to the address (lower case), with the messages to it, and every link gift whose holder entered it.
 * Purchases only of gifts that are still there.
 */
export const selectHeldGifts = statement<[organizationId: string, address: string], HeldGiftRow>(
  'reports.select_held_gifts',
  `with ${giftsOfAddress}
   select ${columnsOfGift.join(', ')}, ${besideGift(orderColumns)}, ${isTheirs} as is_here,
     k.terms_version, k.accepted_at,
     (select coalesce(jsonb_agg(jsonb_build_object('channel', d.channel, 'address', d.address, 'state', d.state,
        'reason', d.reason, 'provider', d.provider, 'created_at', d.created_at, 'sent_at', d.sent_at,
        'reminder_day', d.reminder_day) order by d.delivery_id), '[]')
      from deliveries d where ${sameGift('d')} and ${foldAddress('d.address')} = $2) as messages,
     (select coalesce(jsonb_agg(jsonb_build_object('kind', p.kind, 'merchant', p.merchant, 'amount', p.amount_cents,
        'at', p.at) order by p.at), '[]')
      from (
        select 'purchase' as kind, c.merchant, c.amount_cents, c.created_at as at from card_purchases c
        where ${sameGift('c')}
        union all
        select f.kind, f.merchant, f.amount_cents, f.at from card_facts f where ${sameGift('f')}
      ) p where ${isTheirs}) as purchases
   from gifts g join found using (environment, gift_id)
   join orders o on o.organization_id = g.organization_id and o.environment = g.environment and o.order_id = g.order_id
   left join cards k on ${sameGift('k')}
   where g.organization_id = $1
   order by g.environment, g.gift_id`,
);

interface HeldEventRow {
  environment: Environment;
  gift_id: string;
  type: string;
  data: object | null;
  created_at: Date;
}

/** The events of the gifts that are at the address (lower case), or whose holder entered it. */
export const selectHeldEvents = statement<[organizationId: string, address: string], HeldEventRow>(
  'reports.select_held_events',
  `with ${giftsOfAddress}
   select e.environment, e.gift_id, e.type, e.data, e.created_at
   from gifts g join found using (environment, gift_id) join events e on ${sameGift('e')}
   where g.organization_id = $1 and e.organization_id = $1 and ${isTheirs}
   order by e.environment, e.sequence`,
);

interface HeldElsewhereRow {
  /** Gifts that a `processing` order has not created yet. */
  pending_gifts: object[];
  stopped_reminders_at: Date | null;
  /** Counters of what the address got per period; live and sandbox. */
  counters: object[];
}

/** What is held of the address (lower case) beside its gifts. `holder`: its hash. */
export const selectHeldElsewhere = statement<
  [organizationId: string, address: string, holder: string],
  HeldElsewhereRow
>(
  'reports.select_held_elsewhere',
  `select
     (select coalesce(jsonb_agg(p.gift order by o.order_id), '[]') from orders o, jsonb_array_elements(o.pending_gifts) as p (gift)
      where o.organization_id = $1 and ${foldAddress("p.gift ->> 'address'")} = $2) as pending_gifts,
     (select created_at from unsubscribed where organization_id = $1 and holder = $3) as stopped_reminders_at,
     (select coalesce(jsonb_agg(jsonb_build_object('environment', s.environment, 'period', s.period,
        'since', s.window_started_at, 'amount', s.spent_cents)), '[]')
      from spending s where s.organization_id = $1 and s.holder = $3) as counters`,
);
