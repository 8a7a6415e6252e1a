import { inFilteredRange } from '../../../platform/paging/read-filtered-page.ts';

/** How many rows of each pair are counted to find the rarest. */
const MAX_COUNTED = 200;

/**
 * Makes a query of the ids in a filtered range whose metadata has the rarest pair of a filter, in order. The statement has the
 * CTE `caller`. PostgreSQL would make a bitmap of all ids with a pair to count them without their order.
 *
 * @param metadata SQL expression of the filter's pairs, as JSON
 * @param limit SQL expression of how many ids are read at most
 */
export const pairedIds = (
  resource: 'gift' | 'order',
  { metadata, order, limit }: { metadata: string; order: 'desc' | 'asc'; limit: string },
): string => {
  const isPaired = `${inFilteredRange('resource_id')} and resource = '${resource}' and pair`;
  return `(select resource_id from metadata_pairs
     where ${isPaired} = (
       select metadata_pair(key, value) from jsonb_each_text(${metadata}::jsonb)
       order by (select count(*) from (
         select from metadata_pairs where ${isPaired} = metadata_pair(key, value) order by resource_id limit ${MAX_COUNTED}
       ) few) limit 1
     ) and (select caller_state from caller) = 'admitted'
     order by resource_id ${order} limit ${limit})`;
};
