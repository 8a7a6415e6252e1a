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
import { type FoundGift, type GiftRow, giftColumns } from '../gift/queries.ts';
import { type GiftRange, oneRange, rangeOfCategory, rangeOfPair, rangeOfStatus } from './gift-ranges.ts';
import { listedStatus, MAX_SCANNED, type ShownStatus } from './search-queries.ts';

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
];

const isLookedFor = `($8::text is null or ${listedStatus} = $8)
       and ($9::delivery_method is null or method = $9)
       and ($10::text is null or category_id = $10)
       and ($11::text is null or ${foldAddress('address')} = $11)
       and ($12::text is null or external_id = $12)
       and ($13::uuid is null or order_id = $13)
       and ($14::jsonb is null or metadata @> $14)`;

/**
 * Makes statements that scan gifts in the order of ids until the page is full, but at most so many. The number is a
 * parameter for the reason in search-queries.ts. The page takes from `scanned` one row at a time.
 */
const source = (name: string, rangeOf: GiftRange, maxScanned = MAX_SCANNED) => ({
  maxScanned,
  list: inBothDirections(`gifts.filter_${name}`, (direction, order) => {
    const isInRange = `${inFilteredRange('gift_id')} and (select caller_state from caller) = 'admitted'`;
    const scanned = rowsInReach((isOwn, own) => {
      const range = own ? oneRange('true') : rangeOf;
      return `select gifts.* ${range(`${isInRange} and ${isOwn}`, order)} limit $15`;
    });
    return statement<
      [...CallerParameters, ...FilteredRange, ...ListedGiftFilter, maxScanned: number],
      FoundGift & FoundRow
    >(
      direction,
      `with ${caller({ needs: 'read' })}, scanned as materialized (
     ${scanned}
   ), page as materialized (
     select * from scanned where ${isLookedFor} order by gift_id ${order} limit $7
   )
   select ${callerColumns}, ${hasCursor('gifts', 'gift_id')},
     case when (select count(*) from page) < $7 then (
       select gift_id from scanned order by gift_id ${order} offset $15 - 1 limit 1
     ) end as stopped_at, ${giftColumns}
   from caller left join page g on true
   order by g.gift_id ${order}`,
    );
  }),
});

/** One for each index; a statement can use one index only. */
export const filteredGifts = {
  ofOrder: source('of_order', oneRange('order_id = $13')),
  named: source('named', oneRange('external_id = $12')),
  ofRecipient: source('of_recipient', oneRange(`${foldAddress('address')} = $11`)),
  withMetadata: source('with_metadata', rangeOfPair('$14', '$15')),
  ofCategory: source('of_category', rangeOfCategory('category_id = $10', '$8', '$15')),
  ofStatus: source('of_status', rangeOfStatus('true', '$8', '$15')),
  all: source('all', oneRange('true')),
};
