import type { Environment } from '../../../platform/base/environment.ts';
import { BestowError } from '../../../platform/base/errors.ts';
import { decodeId, encodeId } from '../../../platform/base/ids.ts';
import type { Queryable } from '../../../platform/database/statement.ts';
import type { IdRange, PageRequest, SearchPage } from '../../../platform/paging/read-page.ts';
import type { GiftFilter, GiftSummaryRow, searches } from './search-queries.ts';
import { type SortName, selectSortKeys, sorts } from './sorted-queries.ts';

interface Sorted {
  owner: readonly [organizationId: string, environment: Environment];
  sort: SortName;
  source: (typeof searches)[keyof typeof searches];
  filter: GiftFilter;
  range: IdRange;
}

/**
 * Reads a page of the newest gifts that a search looks at, sorted. A cursor is a gift's id and the id of the newest gift when
 * the first page was read, so that gifts that are bought in between move no page.
 *
 * @throws BestowError `cursor_invalid`
 */
export async function readSortedPage(
  pool: Queryable,
  { after, before, limit }: PageRequest,
  { owner, sort, source, filter, range }: Sorted,
): Promise<SearchPage<GiftSummaryRow>> {
  const direction = before === undefined ? 'onwards' : 'back';
  const cursor = readSortCursor(before ?? after, before === undefined ? 'after' : 'before');
  const [place] = cursor === undefined ? [] : await selectSortKeys(pool, [...owner, cursor.giftId]);
  if (cursor !== undefined && place === undefined)
    throw new BestowError('cursor_invalid', { param: before === undefined ? 'after' : 'before' });
  const newestId = cursor?.newestId ?? (await findNewest(pool, { owner, source, range, filter }));
  if (newestId === undefined) return { rows: [], older: null, newer: null, searched_to: null };
  const found = await sorts[source.name][sort][direction](pool, [
    ...owner,
    range.above,
    range.below,
    limit + 1,
    ...filter,
    source.maxScanned,
    newestId,
    place?.[sort] ?? null,
    cursor?.giftId ?? null,
  ]);
  const hasMore = found.length > limit;
  const rows = direction === 'onwards' ? found.slice(0, limit) : found.slice(-limit);
  const encode = (giftId: string | undefined) =>
    giftId === undefined ? null : `${encodeId('gift', giftId)}.${encodeId('gift', newestId)}`;
  const [first, last] = [rows[0]?.gift_id, rows.at(-1)?.gift_id];
  return {
    rows,
    older: direction === 'back' || hasMore ? encode(last ?? cursor?.giftId) : null,
    newer: (direction === 'onwards' ? cursor !== undefined : hasMore) ? encode(first ?? cursor?.giftId) : null,
    searched_to: null,
  };
}

async function findNewest(
  pool: Queryable,
  { owner, source, range: { above, below }, filter }: Omit<Sorted, 'sort'>,
): Promise<string | undefined> {
  const [scanned] = await source.scan.descending(pool, [...owner, above, below], 0, filter);
  return scanned?.first_id ?? undefined;
}

/** @throws BestowError `cursor_invalid` */
function readSortCursor(text: string | undefined, param: string) {
  if (text === undefined) return undefined;
  const [giftId, newestId] = text.split('.', 2).map((id) => decodeId('gift', id));
  if (giftId === undefined || newestId === undefined) throw new BestowError('cursor_invalid', { param });
  return { giftId, newestId };
}

const keyOf: Record<SortName, (gift: GiftSummaryRow) => number> = {
  largest: ({ amount_cents }) => amount_cents,
  smallest: ({ amount_cents }) => -amount_cents,
  opened: ({ opened_at }) => opened_at?.getTime() ?? 0,
  claimed: ({ claimed_at }) => claimed_at?.getTime() ?? 0,
};

/** The same order for an order's gifts, which are read at once. */
export const inSort = (gifts: GiftSummaryRow[], sort: SortName | undefined): GiftSummaryRow[] =>
  sort === undefined ? gifts : gifts.toSorted((a, b) => keyOf[sort](b) - keyOf[sort](a));
