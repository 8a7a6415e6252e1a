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
 * @param status SQL expression of the only status; null for any, as for the method `$9`
 * @param limit SQL expression of how many gifts are read at most
 */
const mergedRanges =
  (kinds: readonly (readonly [status: string, method: string])[]) =>
  (condition: string, status: string, limit: string): GiftRange =>
  (inRange, order) => {
    const ranges = kinds.map(([one, method]) => {
      // A gift that is not sent yet has the status `sent` in the index.
      const asked = one === 'sent' ? `in ('sent', 'scheduled')` : `= '${one}'`;
      const isAsked = `coalesce(${status}::text ${asked}, true) and coalesce($9::delivery_method = '${method}', true)`;
      return `(select * ${oneRange(`${condition} and ${shownStatus} = '${one}' and method = '${method}' and ${isAsked}`)(inRange, order)} limit ${limit})`;
    });
    return `from (${ranges.join(' union all ')}) merged order by gift_id ${order}`;
  };

const kinds = statuses.flatMap((status) => methods.map((method) => [status, method] as const));

export const rangeOfCategory = mergedRanges(kinds);
export const rangeOfStatus = mergedRanges(kinds.filter(([status, method]) => isInStatusIndex({ status, method })));

/** The index of statuses and methods leaves out sent emails, which most orders place, and those not sent yet. They are not rare. */
export function isInStatusIndex({ status = 'sent', method }: Pick<GiftFilters, 'status' | 'method'>): boolean {
  return (status !== 'sent' && status !== 'scheduled') || (method ?? 'email') !== 'email';
}
