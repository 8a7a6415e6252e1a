import { type CallerParameters, caller } from '../../platform/authentication/caller.ts';
import { rowsInReach } from '../../platform/authentication/grant-rules.ts';
import { foldAddress } from '../../platform/database/folding.ts';
import { statement } from '../../platform/database/statement.ts';
import {
  type FilteredRange,
  type FoundRow,
  hasCursor,
  inFilteredRange,
} from '../../platform/paging/read-filtered-page.ts';
import { HIGHEST, inBothDirections } from '../../platform/paging/read-page.ts';
import { pairedIds } from '../gifts/find/paired-ids.ts';
import {
  hasHistory,
  listedStatus,
  type ShownStatus,
  scatteredIds,
  shownStatus,
} from '../gifts/find/statement-parts.ts';
import { holdsAll } from '../gifts/gift/held.ts';
import type { GiftRow } from '../gifts/gift/queries.ts';
import type { GiftHistoryState } from '../gifts/gift/state.ts';
import { type FoundOrder, giftsOfEachOrder, type OrderGiftRow, orderColumns } from './read-queries.ts';

/** Null: any. */
type ListedOrderFilter = [
  isProcessing: boolean | null,
  method: GiftRow['method'] | null,
  categoryId: string | null,
  /** In lower case. */
  recipient: string | null,
  externalId: string | null,
  /** JSON of pairs that the order has. */
  metadata: string | null,
  maxScanned: number,
  state: GiftHistoryState | null,
  /** Made by `boundsOf`. */
  times: string | null,
  /** Of the gifts with the state. */
  status: ShownStatus | null,
];

/** Of an order with all its gifts, also those that it has not created yet. */
interface Sums {
  order_amount_cents: number;
  pending_gift_count: number;
}

export type FilteredOrderRow = OrderGiftRow & Sums;

/** How many orders one page scans, each with its gifts. */
const MAX_SCANNED = 500;
/** How many gifts: ten for each order of the largest page. */
const MAX_SCANNED_GIFTS = 1_010;

// Not exists(): PostgreSQL would plan to scan all gifts for it.
const isLookedFor = `($8::boolean is null or (completes_at is not null) = $8)
       and ($12::text is null or external_id = $12)
       and ($13::jsonb is null or metadata @> $13)
       and ($9::delivery_method is null and $10::text is null and $11::text is null and $15::text is null and $16::jsonb is null or (
         select true from gifts g
         where g.organization_id = $1 and g.environment = $2 and g.order_id = scanned.order_id
           and ($9::delivery_method is null or g.method = $9)
           and ($10::text is null or g.category_id = $10)
           and ($11::text is null or ${foldAddress('g.address')} = $11)
           and ($17::text is null or ${listedStatus} = $17)
           and ${hasHistory('g', { state: '$15', times: '$16' })}
         limit 1
       ))`;

/** Makes a query of at most `$14` rows with an order's id, in the order of `place`, which is the order of orders. */
type Places = (order: 'desc' | 'asc', isOwn: string) => string;

const isAdmitted = `(select caller_state from caller) = 'admitted'`;

const oneRange =
  (condition: string): Places =>
  (order, isOwn) =>
    `select order_id, order_id as place from orders
     where ${inFilteredRange('order_id')} and ${condition} and ${isAdmitted} and ${isOwn} order by order_id ${order} limit $14`;

/** All ids of an order are together, so gifts in the order of ids are in the order of orders. */
const ofGifts =
  (condition: string): Places =>
  (order, isOwn) => {
    const isInRange =
      'organization_id = $1 and environment = $2 and gift_id > $4 and gift_id < (select order_id from beyond)';
    return `select order_id, gift_id as place from gifts
     where ${isInRange} and ${condition} and ${isAdmitted} and ${isOwn} order by gift_id ${order} limit $14`;
  };

/** Makes statements that scan orders in the order of ids until the page is full, as those of gifts. */
const source = (name: string, maxScanned: number, placesOf: Places, wanted?: string) => ({
  maxScanned,
  list: inBothDirections(`orders.filter_${name}`, (direction, order) =>
    statement<[...CallerParameters, ...FilteredRange, ...ListedOrderFilter], FoundOrder & FoundRow & Sums>(
      direction,
      `with ${caller({ needs: 'read' })}, ${wanted === undefined ? '' : `wanted as materialized (${wanted} limit $14), `}beyond as materialized (
     -- The first order after the range ends the gifts of the range.
     select coalesce((
       select order_id from orders where organization_id = $1 and environment = $2 and order_id >= $5
       order by order_id limit 1
     ), '${HIGHEST}') as order_id
   ), places as materialized (
     ${rowsInReach((isOwn, own) => (own ? oneRange('true') : placesOf)(order, isOwn))}
     order by place ${order} limit $14
   ), o as materialized (
     select scanned.* from (
       select *, lag(order_id) over (order by place ${order}) as previous_id from places
     ) p cross join lateral (
       select order_id, completes_at, external_id, metadata, amount_cents, pending_gifts from orders
       where ${inFilteredRange('order_id')} and order_id = p.order_id
       limit 1
     ) scanned
     where p.order_id is distinct from previous_id and ${isLookedFor}
     order by place ${order} limit $7
   )
   select ${orderColumns}, o.amount_cents as order_amount_cents,
     coalesce(jsonb_array_length(o.pending_gifts), 0) as pending_gift_count, ${hasCursor('orders', 'order_id')},
     case when (select count(*) from o) < $7 then (
       select order_id from places order by place ${order} offset $14 - 1 limit 1
     ) end as stopped_at
   from caller left join o on true
   ${giftsOfEachOrder}
   order by o.order_id ${order}, g.position`,
    ),
  ),
});

const ofPair: Places = (order, isOwn) =>
  `select resource_id as order_id, resource_id as place
     from ${pairedIds('order', { metadata: '$13', order, limit: '$14' })} paired where ${isOwn}
     order by resource_id ${order}`;

/** As of gifts: the orders of few gifts, or all orders. */
const scattered: Places = (order, isOwn) =>
  `(select g.order_id, g.gift_id as place from (select distinct gift_id from wanted) w cross join lateral (
       select gifts.gift_id, order_id from gifts
       where organization_id = $1 and environment = $2 and gift_id = w.gift_id and gift_id > $4
         and gift_id < (select order_id from beyond) and ${isAdmitted} and ${isOwn} limit 1
     ) g where (select count(*) from wanted) < $14)
     union all
     (${oneRange('(select count(*) from wanted) >= $14')(order, isOwn)})
     order by place ${order} limit $14`;

const heldPlaces: Places = (order, isOwn) =>
  `(${ofGifts(`held_at is not null and not ${holdsAll}`)(order, isOwn)})
     union all
     (${oneRange(holdsAll)(order, isOwn)})
     order by place ${order} limit $14`;

export const filteredOrders = {
  ofTime: {
    delivered: source('of_delivered', MAX_SCANNED, scattered, scatteredIds.delivered('$16')),
    opened: source('of_opened', MAX_SCANNED, scattered, scatteredIds.opened('$16')),
    claimed: source('of_claimed', MAX_SCANNED, scattered, scatteredIds.claimed('$16')),
  },
  waiting: source('waiting', MAX_SCANNED, scattered, scatteredIds.waiting('$16')),
  declined: source('declined', MAX_SCANNED_GIFTS, ofGifts('declined_at is not null')),
  on_hold: source('held', MAX_SCANNED, heldPlaces),
  ofStatus: source('of_status', MAX_SCANNED_GIFTS, ofGifts(`${shownStatus} = $17 and ${shownStatus} <> 'sent'`)),
  withMetadata: source('with_metadata', MAX_SCANNED, ofPair),
  named: source('named', MAX_SCANNED, oneRange('external_id = $12')),
  processing: source('processing', MAX_SCANNED, oneRange('completes_at is not null')),
  ofRecipient: source('of_recipient', MAX_SCANNED_GIFTS, ofGifts(`${foldAddress('address')} = $11`)),
  ofCategory: source('of_category', MAX_SCANNED_GIFTS, ofGifts('category_id = $10')),
  ofMethod: source('of_method', MAX_SCANNED_GIFTS, ofGifts(`method = $9 and method <> 'email'`)),
  all: source('all', MAX_SCANNED, oneRange('true')),
};
