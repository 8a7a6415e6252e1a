import { foldAddress } from '../../../platform/database/folding.ts';
import { statement } from '../../../platform/database/statement.ts';
import { inBothDirections, type OwnedRange } from '../../../platform/paging/read-page.ts';
import { type GiftSummaryRow, summaryOf } from './search-queries.ts';

/** Gifts to one address, by the index of addresses. @param address in lower case */
export const selectGiftsToAddress = inBothDirections('gifts.to_address', (name, order) =>
  statement<[...OwnedRange, limit: number, address: string, senders: readonly string[] | null], GiftSummaryRow>(
    name,
    `${summaryOf(`select * from gifts
     where organization_id = $1 and environment = $2 and gift_id > $3 and gift_id < $4
       and ${foldAddress('address')} = $6 and ($7::uuid[] is null or sender_member_id = any ($7))
     order by gift_id ${order} limit $5`)}
   order by g.gift_id ${order}`,
  ),
);
