import type { Environment } from '../../../platform/base/environment.ts';
import { statement } from '../../../platform/database/statement.ts';
import type { OwnedRange } from '../../../platform/paging/read-page.ts';
import { type GiftFilter, type GiftSummaryRow, isLookedFor, sources, summaryOf } from './search-queries.ts';

/**
 * What the portal's list is sorted by, highest first. Gifts without a time come last. No index has these values, because each
 * index of gifts costs every order (docs/performance.md). A statement sorts the newest gifts that a search looks at.
 */
const sortKeys = {
  largest: 'amount_cents::bigint',
  smallest: '-amount_cents::bigint',
  opened: 'coalesce((extract(epoch from opened_at) * 1000000)::bigint, 0)',
  claimed: 'coalesce((extract(epoch from claimed_at) * 1000000)::bigint, 0)',
} as const;

export type SortName = keyof typeof sortKeys;

interface SortedRow extends GiftSummaryRow {
  sort_key: number;
}

/** The gift that a page goes on from. */
type SortCursor = [key: number | null, giftId: string | null];

const statementsOf = (source: keyof typeof sources, sort: SortName) => {
  const read = (direction: 'onwards' | 'back') => {
    const [order, sign] = direction === 'onwards' ? ['desc', '<'] : ['asc', '>'];
    return statement<
      [...OwnedRange, limit: number, ...GiftFilter, maxScanned: number, newestId: string, ...SortCursor],
      SortedRow
    >(
      `gifts.sort_${source}_${sort}_${direction}`,
      `${summaryOf(
        `select * from (
         select *, ${sortKeys[sort]} as sort_key from (
           ${sources[source].rows({ order: 'desc', limit: '$13', senders: '$12' }, 'gift_id <= $14')}
         ) scanned
       ) newest
       where ${isLookedFor} and ($15::bigint is null or (sort_key, gift_id) ${sign} ($15, $16::uuid))
       order by sort_key ${order}, gift_id ${order} limit $5`,
        ', g.sort_key',
      )}
   order by g.sort_key desc, g.gift_id desc`,
    );
  };
  return { onwards: read('onwards'), back: read('back') };
};

const sortsOf = (source: keyof typeof sources): Record<SortName, ReturnType<typeof statementsOf>> => ({
  largest: statementsOf(source, 'largest'),
  smallest: statementsOf(source, 'smallest'),
  opened: statementsOf(source, 'opened'),
  claimed: statementsOf(source, 'claimed'),
});

export const sorts = {
  all: sortsOf('all'),
  failed: sortsOf('failed'),
  canceled: sortsOf('canceled'),
  to_address: sortsOf('to_address'),
  named: sortsOf('named'),
  sent: sortsOf('sent'),
};

/** Returns where a gift stands in an order. */
export const selectSortKeys = statement<
  [organizationId: string, environment: Environment, giftId: string],
  Record<SortName, number>
>(
  'gifts.select_sort_keys',
  `select ${Object.entries(sortKeys)
    .map(([name, key]) => `${key} as ${name}`)
    .join(', ')} from gifts where organization_id = $1 and environment = $2 and gift_id = $3`,
);
