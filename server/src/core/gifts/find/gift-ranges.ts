import { inFilteredRange } from '../../../platform/paging/read-filtered-page.ts';
import type { GiftFilters } from './filter-gifts.ts';
import { shownStatus } from './search-queries.ts';

const statuses = ['sent', 'opened', 'claimed', 'failed', 'canceled'] as const;
const methods = ['email', 'phone', 'link'] as const;

/** Makes a `from` clause of gifts in the order of ids, from the condition of their ids. */
export type GiftRange = (inRange: string, order: 'desc' | 'asc') => string;

/** One range of an index that has the condition's columns. */
export const oneRange =
  (condition: string): GiftRange =>
  (inRange, order) =>
    `from gifts where ${inRange} and ${condition} order by gift_id ${order}`;

/**
 * Merges the range of each status and method, except those that the parameters exclude. PostgreSQL takes the next id of all
 * ranges, so a page reads its own gifts and one more of each range. The limit of each range makes it expect few rows and
 * read the index in order.
 *
 * @param write writes a constant
 * @param status SQL expression of the only status; null for any, as for the method `$9`
 * @param limit SQL expression of how many gifts are read at most
 */
const mergedRanges =
  (kinds: readonly (readonly [status: string, method: string])[], write: (text: string) => string) =>
  (condition: string, status: string, limit: string): GiftRange =>
  (inRange, order) => {
    const ranges = kinds.map(([one, method]) => {
      // A gift that is not sent yet has the status `sent` in the index.
      const asked = one === 'sent' ? `in ('sent', 'scheduled')` : `= '${one}'`;
      const isAsked = `coalesce(${status}::text ${asked}, true) and coalesce($9::delivery_method = '${method}', true)`;
      const isOne = `${shownStatus} = ${write(`'${one}'`)} and method = ${write(`'${method}'::delivery_method`)}`;
      return `(select * ${oneRange(`${condition} and ${isOne} and ${isAsked}`)(inRange, order)} limit ${limit})`;
    });
    return `from (${ranges.join(' union all ')}) gifts order by gift_id ${order}`;
  };

const kinds = statuses.flatMap((status) => methods.map((method) => [status, method] as const));

/**
 * With status and method in subqueries, PostgreSQL cannot prove that the index of statuses has all the rows. It would prefer
 * that smaller index, and read every gift with the status (25,000 rows for 4 matches).
 */
export const rangeOfCategory = mergedRanges(kinds, (text) => `(select ${text})`);
export const rangeOfStatus = mergedRanges(
  kinds.filter(([status, method]) => isInStatusIndex({ status, method })),
  (text) => text,
);

/** How many rows of each pair are counted to find the rarest. */
const MAX_COUNTED = 200;

/**
 * The rarest of the filter's pairs. The range makes PostgreSQL expect few rows and stop at the limit; for the whole of a pair
 * it would make a bitmap of it.
 */
const rarestPair = (resource: string, metadata: string) =>
  `(select pair from (select metadata_pair(key, value) as pair from jsonb_each_text(${metadata}::jsonb)) asked
       cross join lateral (
         select count(*) as count from (
           select from metadata_pairs m
           where ${inFilteredRange('resource_id')} and m.resource = '${resource}' and m.pair = asked.pair
           order by m.resource_id limit ${MAX_COUNTED}
         ) few
       ) counted
       order by count limit 1)`;

/**
 * Makes a query of the ids in a filtered range whose metadata has the rarest pair of a filter, in order. The statement has the
 * CTE `caller`.
 *
 * @param metadata SQL expression of the filter's pairs, as JSON
 * @param limit SQL expression of how many ids are read at most
 */
export const idsWithPair = (
  resource: 'gift' | 'order',
  { metadata, order, limit }: { metadata: string; order: 'desc' | 'asc'; limit: string },
): string =>
  `(select resource_id from metadata_pairs
     where ${inFilteredRange('resource_id')} and resource = '${resource}'
       and pair = ${rarestPair(resource, metadata)}
       and (select caller_state from caller) = 'admitted'
     order by resource_id ${order} limit ${limit})`;

/** The range of gifts with the rarest pair. A join, because PostgreSQL then knows that the gifts are in order, too. */
export const rangeOfPair =
  (metadata: string, limit: string): GiftRange =>
  (inRange, order) =>
    `from ${idsWithPair('gift', { metadata, order, limit })} paired join gifts
     on ${inRange} and gift_id = resource_id order by gift_id ${order}`;

/** The index of statuses and methods leaves out sent emails, which most orders place, and those not sent yet. They are not rare. */
export function isInStatusIndex({ status = 'sent', method }: Pick<GiftFilters, 'status' | 'method'>): boolean {
  return (status !== 'sent' && status !== 'scheduled') || (method ?? 'email') !== 'email';
}
