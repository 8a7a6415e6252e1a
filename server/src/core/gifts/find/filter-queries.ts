import { type CallerParameters, caller, callerColumns } from '../../../platform/authentication/caller.ts';
import { rowsInReach } from '../../../platform/authentication/grant-rules.ts';
import { foldAddress } from '../../../platform/database/folding.ts';
import { statement } from '../../../platform/database/statement.ts';
import {
  type FilteredRange,
  type FoundRow,
  hasCursor,
  inFilteredRange,
} from '../../../platform/paging/read-filtered-page.ts';
import { inBothDirections } from '../../../platform/paging/read-page.ts';
import { holdsAll } from '../gift/held.ts';
import { type FoundGift, type GiftRow, giftColumns } from '../gift/queries.ts';
import type { GiftHistoryState } from '../gift/state.ts';
import { pairedIds } from './paired-ids.ts';
import { MAX_SCANNED } from './search-queries.ts';
import { hasHistory, listedStatus, type ShownStatus, scatteredIds, shownStatus } from './statement-parts.ts';

/** Null: any. */
type ListedGiftFilter = [
  status: ShownStatus | null,
  method: GiftRow['method'] | null,
  categoryId: string | null,
  /** In lower case. */
  recipient: string | null,
  externalId: string | null,
  orderId: string | null,
  /** JSON of pairs that the gift has. */
  metadata: string | null,
  maxScanned: number,
  state: GiftHistoryState | null,
  /** Made by `boundsOf`. */
  times: string | null,
];

const isLookedFor = `($8::text is null or ${listedStatus} = $8)
       and ($9::delivery_method is null or method = $9)
       and ($10::text is null or category_id = $10)
       and ($11::text is null or ${foldAddress('address')} = $11)
       and ($12::text is null or external_id = $12)
       and ($13::uuid is null or order_id = $13)
       and ($14::jsonb is null or metadata @> $14)
       and ${hasHistory('scanned', { state: '$16', times: '$17' })}`;

/** Makes a query of at most `$15` gifts in the order of ids. */
type GiftRange = (order: 'desc' | 'asc', isOwn: string) => string;

const isAdmitted = "(select caller_state from caller) = 'admitted'";

const isInRange = `${inFilteredRange('gift_id')} and ${isAdmitted}`;

/** A range of one index, in the order of ids. */
const oneRange =
  (condition: string): GiftRange =>
  (order, isOwn) =>
    `select * from gifts where ${isInRange} and ${condition} and ${isOwn} order by gift_id ${order} limit $15`;

/**
 * A join, because PostgreSQL then knows that the gifts are in order, too. Their range is only that of the pairs: if it expected
 * one gift in a range, PostgreSQL read the whole range again for each pair.
 */
const pairedRange: GiftRange = (order, isOwn) =>
  `select gifts.* from ${pairedIds('gift', { metadata: '$14', order, limit: '$15' })} paired
     join gifts on gift_id = resource_id and organization_id = $1 and environment = $2 and ${isAdmitted} and ${isOwn}
     order by gift_id ${order} limit $15`;

/**
 * Gifts that an index finds in another order, if they are few enough to sort; else all gifts, in order. A wanted id may stand
 * twice, as a gift has several messages.
 */
const scattered: GiftRange = (order, isOwn) =>
  `(select gifts.* from (select distinct gift_id from wanted) w cross join lateral (
       select * from gifts where ${isInRange} and gift_id = w.gift_id and ${isOwn} limit 1
     ) gifts where (select count(*) from wanted) < $15)
     union all
     (select * from gifts
      where ${isInRange} and ${isOwn} and (select count(*) from wanted) >= $15 order by gift_id ${order} limit $15)
     order by gift_id ${order} limit $15`;

/** Gifts on hold: those held one by one, by an index, or all, if all gifts of the organization are. */
const heldRange: GiftRange = (order, isOwn) =>
  `(${oneRange(`held_at is not null and not ${holdsAll}`)(order, isOwn)})
     union all
     (${oneRange(holdsAll)(order, isOwn)})
     order by gift_id ${order} limit $15`;

/**
 * Makes statements that scan gifts in the order of ids until the page is full, but at most so many. The number is a
 * parameter for the reason in search-queries.ts. The page takes from `scanned` one row at a time, because `scanned` is in
 * order: otherwise PostgreSQL would read and sort all 2,000 (5 to 15 ms instead of 1).
 */
const source = (name: string, rangeOf: GiftRange, wanted?: string, maxScanned = MAX_SCANNED) => ({
  maxScanned,
  list: inBothDirections(`gifts.filter_${name}`, (direction, order) =>
    statement<[...CallerParameters, ...FilteredRange, ...ListedGiftFilter], FoundGift & FoundRow>(
      direction,
      `with ${caller({ needs: 'read' })}, ${wanted === undefined ? '' : `wanted as materialized (${wanted} limit $15), `}scanned as materialized (
     ${rowsInReach((isOwn, own) => (own ? oneRange('true') : rangeOf)(order, isOwn))}
     order by gift_id ${order} limit $15
   ), page as materialized (
     select * from scanned where ${isLookedFor} order by gift_id ${order} limit $7
   )
   select ${callerColumns}, ${hasCursor('gifts', 'gift_id')},
     case when (select count(*) from page) < $7 then (
       select gift_id from scanned order by gift_id ${order} offset $15 - 1 limit 1
     ) end as stopped_at, ${giftColumns}
   from caller left join page g on true
   order by g.gift_id ${order}`,
    ),
  ),
});

/**
 * One for each index; a statement can use one index only. A condition repeats that of its index, which PostgreSQL cannot
 * conclude from a parameter.
 */
export const filteredGifts = {
  ofOrder: source('of_order', oneRange('order_id = $13')),
  named: source('named', oneRange('external_id = $12')),
  ofRecipient: source('of_recipient', oneRange(`${foldAddress('address')} = $11`)),
  withMetadata: source('with_metadata', pairedRange),
  ofCategory: source('of_category', oneRange('category_id = $10')),
  ofStatus: source('of_status', oneRange(`${shownStatus} = $8 and ${shownStatus} <> 'sent'`)),
  ofMethod: source('of_method', oneRange(`method = $9 and method <> 'email'`)),
  ofTime: {
    delivered: source('of_delivered', scattered, scatteredIds.delivered('$17')),
    opened: source('of_opened', scattered, scatteredIds.opened('$17')),
    claimed: source('of_claimed', scattered, scatteredIds.claimed('$17')),
  },
  waiting: source('waiting', scattered, scatteredIds.waiting('$17')),
  declined: source('declined', oneRange('declined_at is not null')),
  on_hold: source('held', heldRange),
  all: source('all', oneRange('true')),
};
