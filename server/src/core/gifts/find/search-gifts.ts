import { decodeId } from '../../../platform/base/ids.ts';
import type { Scope } from '../../../platform/base/principal.ts';
import { type PageRequest, rangeOf, readSearchPage, type SearchPage } from '../../../platform/paging/read-page.ts';
import type { Deps } from '../../deps.ts';
import type { GiftSummary } from '../gift/portal-schema.ts';
import { selectGiftExists } from '../gift/queries.ts';
import { readTypedAddress } from '../gift/read-address.ts';
import { selectExact } from './exact-queries.ts';
import {
  type GiftFilter,
  type GiftSummaryRow,
  searches,
  selectGiftSummaries,
  type TotalRow,
} from './search-queries.ts';
import { inSort, readSortedPage } from './sort-gifts.ts';
import type { SortName } from './sorted-queries.ts';
import type { ShownStatus } from './statement-parts.ts';
import { shownStatusOf, summarizeGift } from './summarize-gift.ts';

/** Filters of the portal's list of gifts. */
export interface GiftSearch {
  status?: ShownStatus | undefined;
  method?: 'email' | 'phone' | 'link' | undefined;
  category?: string | undefined;
  /** Purchased at this time or later. */
  from?: Date | undefined;
  to?: Date | undefined;
  /**
   * A gift's or order's id, a whole address, an external id; or the start of an address, digits of a number, or part of a
   * name, in any case.
   */
  query?: string | undefined;
  /** Looks inside the texts of the newest gifts, also if a whole address or an external id finds some. */
  within?: 'texts' | undefined;
  /** UUIDs of members: only what they sent; null or absent: what anyone sent. */
  senders?: readonly string[] | null | undefined;
  /** Of the newest gifts that a search looks at; without it, newest first. */
  sort?: SortName | undefined;
}

/** What an index found all gifts by, of any age; null: the search looked inside the texts of the newest gifts. */
export type FoundBy = 'id' | 'address' | 'external_id' | null;

/**
 * Returns a page of gifts for the portal, newest first. An id, a whole address or an external id is found by its index, at any
 * age. Otherwise the search looks inside texts. A search stops after 2,000 gifts, so that it takes milliseconds;
 * it returns how far it came (`searched_to`) and the cursor to continue.
 *
 * @throws BestowError `cursor_invalid`
 */
export async function searchGifts(
  deps: Pick<Deps, 'database'>,
  scope: Scope,
  request: GiftSearch & PageRequest,
): Promise<SearchPage<GiftSummary> & { found_by: FoundBy }> {
  const page = await searchGiftRows(deps, scope, request);
  return { ...page, rows: page.rows.map(summarizeGift) };
}

/** As `searchGifts`, with the rows of the database. */
export async function searchGiftRows(
  deps: Pick<Deps, 'database'>,
  scope: Scope,
  request: GiftSearch & PageRequest,
): Promise<SearchPage<GiftSummaryRow> & { found_by: FoundBy }> {
  const query = request.query?.trim() ?? '';
  const named = await findNamed(deps, scope, query, request);
  if (named !== undefined) return onePage(inSort(named.filter(isLookedFor(request)), request.sort));
  const { pool } = deps.database;
  const owner = [scope.organizationId, scope.environment] as const;
  const { source, filter, found_by } = await sourceOf(deps, scope, request, query);
  if (request.sort !== undefined) {
    const sorted = { owner, sort: request.sort, source, filter, range: rangeOf(request) };
    return { ...(await readSortedPage(pool, request, sorted)), found_by };
  }
  const isSearched = source !== searches.all || filter.some((value) => value !== null);
  const page = await readSearchPage<GiftSummaryRow>(request, {
    prefix: 'gift',
    idOf: ({ gift_id }) => gift_id,
    exists: (giftId) => selectGiftExists(pool, [...owner, giftId]),
    read: (direction, { above, below }, limit) =>
      source.search[direction](pool, [...owner, above, below, limit, ...filter, source.maxScanned]),
    scan: isSearched
      ? (direction, { above, below }) =>
          source.scan[direction](pool, [...owner, above, below], source.maxScanned - 1, filter)
      : undefined,
  });
  return { ...page, found_by };
}

/**
 * Counts and sums the gifts that the list shows on all its pages, among the newest 2,000 that it looks at; `newest` is their
 * number if there may be more.
 */
export async function totalGifts(
  deps: Pick<Deps, 'database'>,
  scope: Scope,
  request: GiftSearch,
): Promise<{ count: number; amount: number; newest: number | null }> {
  const query = request.query?.trim() ?? '';
  const named = (await findNamed(deps, scope, query, request))?.filter(isLookedFor(request));
  if (named !== undefined)
    return {
      count: named.length,
      amount: named.reduce((sum, { amount_cents }) => sum + amount_cents, 0),
      newest: null,
    };
  const { source, filter } = await sourceOf(deps, scope, request, query);
  const { above, below } = rangeOf(request);
  const [row] = await source.total(deps.database.pool, [
    scope.organizationId,
    scope.environment,
    above,
    below,
    source.maxScanned,
    ...filter,
  ]);
  const { scanned, count, amount_cents } = row as TotalRow;
  return { count, amount: amount_cents, newest: scanned === source.maxScanned ? scanned : null };
}

/** The index that a search reads, and the filter of its rows. */
async function sourceOf(deps: Pick<Deps, 'database'>, scope: Scope, request: GiftSearch, query: string) {
  const filter = filterOf(request, query);
  const [status, method, category, , , text, senders] = filter;
  if (text !== null && request.within !== 'texts') {
    const address = readTypedAddress(text) ?? null;
    const owner = [scope.organizationId, scope.environment] as const;
    const [found] = await selectExact(deps.database.pool, [...owner, address, text, senders]);
    const exactly: GiftFilter = [status, method, category, address, null, text, senders];
    if (found?.is_address) return { source: searches.to_address, filter: exactly, found_by: 'address' as const };
    if (found?.is_external_id) return { source: searches.named, filter: exactly, found_by: 'external_id' as const };
  }
  if (senders !== null) return { source: searches.sent, filter, found_by: null };
  const source = status === 'failed' || status === 'canceled' ? searches[status] : searches.all;
  const withoutStatus = filterOf({ ...request, status: undefined }, query);
  return { source, filter: source === searches.all ? filter : withoutStatus, found_by: null };
}

/** Returns the gifts of an id; undefined if the query is not an id. */
async function findNamed(
  deps: Pick<Deps, 'database'>,
  { organizationId, environment }: Scope,
  query: string,
  { senders = null }: GiftSearch,
): Promise<GiftSummaryRow[] | undefined> {
  const orderId = decodeId('ord', query.toLowerCase());
  const giftId = decodeId('gift', query.toLowerCase());
  if (orderId === undefined && giftId === undefined) return undefined;
  const named = [orderId ?? null, giftId ?? null] as const;
  return await selectGiftSummaries(deps.database.pool, [organizationId, environment, ...named, senders]);
}

const onePage = (rows: GiftSummaryRow[]) => ({
  rows,
  older: null,
  newer: null,
  searched_to: null,
  found_by: 'id' as const,
});

const isLookedFor =
  ({ status, method, category, from, to }: GiftSearch) =>
  (gift: GiftSummaryRow) =>
    (status === undefined || shownStatusOf(gift) === status) &&
    (method === undefined || gift.method === method) &&
    (category === undefined || gift.category_id === category) &&
    (from === undefined || gift.created_at >= from) &&
    (to === undefined || gift.created_at < to);

const LEAST_DIGITS = 3;

function filterOf({ status, method, category, senders }: GiftSearch, query: string): GiftFilter {
  const text = query === '' ? null : query;
  // Written as +1 (202) 555-0100 or 001 202…, or without the country, with or without a trunk 0.
  const number = /^\+?[\d ()-]+$/.test(query)
    ? query
        .replace(/[ ()-]/g, '')
        .replace(/^00(?=[1-9])/, '+')
        .replace(/^0(?=\d)/, '')
    : undefined;
  const isNumber = number !== undefined && number.length >= LEAST_DIGITS;
  return [
    status ?? null,
    method ?? null,
    category ?? null,
    isNumber && number.startsWith('+') ? number : (text?.toLowerCase() ?? null),
    isNumber && !number.startsWith('+') ? number : null,
    text,
    senders ?? null,
  ];
}
