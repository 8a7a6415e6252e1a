import type { Environment } from '../base/environment.ts';
import { BestowError } from '../base/errors.ts';
import { idBefore, timeOfId } from '../base/id-time.ts';
import { decodeId, encodeId, type IdPrefix } from '../base/ids.ts';

/** Keyset pagination on ids that rise with time. At most one cursor is given: an id of the list, such as `gift_…`. */
export interface PageRequest {
  /** 1 to 100. */
  limit: number;
  /** The page holds rows older than this one, newest first. */
  after?: string | undefined;
  /** The page holds the nearest rows newer than this one. */
  before?: string | undefined;
  /** The page holds rows created at this time or later. */
  from?: Date | undefined;
  /** The page holds rows created before this time. */
  to?: Date | undefined;
  /** Without a cursor, the page holds the oldest rows. */
  isOldestFirst?: boolean | undefined;
  /** The cursors' names in the query, for `cursor_invalid`. */
  names?: CursorNames;
}

interface CursorNames {
  after: string;
  before: string;
}

export interface Page<Row> {
  /** Newest first. */
  rows: Row[];
  /** Whether more rows follow in the direction of travel. */
  hasMore: boolean;
}

export interface SearchPage<Row> {
  /** Newest first. */
  rows: Row[];
  /** `after` of the next older page; null on the last page. */
  older: string | null;
  /** `before` of the next newer page; null on the first page. */
  newer: string | null;
  /** Set if the search stopped before the page was full: the time that it reached. The next cursor continues there. */
  searched_to: Date | null;
}

export type Direction = 'descending' | 'ascending';

/** Both bounds are excluded. */
export interface IdRange {
  above: string;
  below: string;
}

/** The parameters `$1` to `$4` of a statement that reads a range of one organization's list. */
export type OwnedRange = [organizationId: string, environment: Environment, above: string, below: string];

export interface ScannedIds {
  /** The id that the search began with; null if the range is empty. */
  first_id: string | null;
  /** The id that the search stopped at; null if the search reached the end. */
  last_id: string | null;
}

interface PageSource<Row> {
  prefix: IdPrefix;
  /** The row's UUID. */
  idOf(row: Row): string;
  /** The rows from this id on, which is included; older ones (`descending`) or newer ones, in that order. */
  read(direction: Direction, first: string, limit: number): Promise<Row[]>;
}

interface SearchSource<Row> {
  prefix: IdPrefix;
  idOf(row: Row): string;
  exists(id: string): Promise<unknown[]>;
  /** The newest rows of the range (`descending`) or the oldest (`ascending`), in that order. */
  read(direction: Direction, range: IdRange, limit: number): Promise<Row[]>;
  /** The ids that a search of the range looks at; undefined if every row of the range matches. */
  scan?: ((direction: Direction, range: IdRange) => Promise<ScannedIds[]>) | undefined;
}

/** Makes one statement for each direction. */
export const inBothDirections = <Statement>(
  name: string,
  make: (name: string, order: 'desc' | 'asc') => Statement,
): Record<Direction, Statement> => ({
  descending: make(`${name}_descending`, 'desc'),
  ascending: make(`${name}_ascending`, 'asc'),
});

export const LOWEST = '00000000-0000-0000-0000-000000000000';
export const HIGHEST = 'ffffffff-ffff-ffff-ffff-ffffffffffff';

/**
 * Reads a page of `/v1` with one statement, whose first row shows that the cursor exists.
 *
 * @throws BestowError `cursor_invalid` if the cursor names nothing that the caller can list
 */
export async function readPage<Row>(request: PageRequest, source: PageSource<Row>): Promise<Page<Row>> {
  const { limit } = request;
  const { direction, cursor, cursorInvalid } = readCursor(request, source.prefix);
  const first = cursor ?? (direction === 'descending' ? HIGHEST : LOWEST);
  const rows = await source.read(direction, first, limit + (cursor === undefined ? 1 : 2));
  if (cursor !== undefined) {
    const named = rows.shift();
    if (named === undefined || source.idOf(named) !== cursor) throw cursorInvalid();
  }
  return cut(rows, limit, direction);
}

/** Reads a page with the cursors of its neighbours. @throws BestowError `cursor_invalid`, as `readPage` */
export async function readSearchPage<Row>(request: PageRequest, source: SearchSource<Row>): Promise<SearchPage<Row>> {
  const { rows, hasMore, direction, range, cursor } = await search(request, source);
  const [scanned] = hasMore || source.scan === undefined ? [] : await source.scan(direction, range);
  const stoppedAt = scanned?.last_id ?? null;
  const [newest, oldest] = [rows[0], rows.at(-1)];
  const [first, last] = direction === 'descending' ? [newest, oldest] : [oldest, newest];
  const onwards = hasMore && last !== undefined ? source.idOf(last) : stoppedAt;
  // The way back from an empty page begins next to the cursor, so that the cursor's own row is seen again.
  const back = cursor === undefined ? null : first === undefined ? (scanned?.first_id ?? cursor) : source.idOf(first);
  const encode = (id: string | null) => (id === null ? null : encodeId(source.prefix, id));
  return {
    rows,
    older: encode(direction === 'descending' ? onwards : back),
    newer: encode(direction === 'descending' ? back : onwards),
    searched_to: stoppedAt === null || rows.length === request.limit ? null : timeOfId(stoppedAt),
  };
}

async function search<Row>(request: PageRequest, source: SearchSource<Row>) {
  const { limit } = request;
  const { direction, cursor, cursorInvalid } = readCursor(request, source.prefix);
  const range = rangeOf(request);
  if (cursor !== undefined && direction === 'descending' && cursor < range.below) range.below = cursor;
  if (cursor !== undefined && direction === 'ascending' && cursor > range.above) range.above = cursor;
  const [found, rows] = await Promise.all([
    cursor === undefined ? [true] : source.exists(cursor),
    source.read(direction, range, limit + 1),
  ]);
  if (found.length === 0) throw cursorInvalid();
  return { ...cut(rows, limit, direction), direction, range, cursor };
}

/** The ids of the period. */
export const rangeOf = ({ from, to }: { from?: Date | undefined; to?: Date | undefined }): IdRange => ({
  above: from ? idBefore(from) : LOWEST,
  below: to ? idBefore(to) : HIGHEST,
});

/** @throws BestowError `cursor_invalid` if the cursor is not an id of such a list */
export function readCursor({ after, before, names, isOldestFirst = false }: PageRequest, prefix: IdPrefix) {
  const isAscending = before !== undefined || (isOldestFirst && after === undefined);
  const direction: Direction = isAscending ? 'ascending' : 'descending';
  const cursorInvalid = () => {
    const { after, before } = names ?? { after: 'after', before: 'before' };
    return new BestowError('cursor_invalid', { param: isAscending ? before : after });
  };
  const given = before ?? after;
  const cursor = given === undefined ? undefined : decodeId(prefix, given);
  if (given !== undefined && cursor === undefined) throw cursorInvalid();
  return { direction, cursor, cursorInvalid };
}

/** Makes a page of rows that were read in this direction. One more row than the limit shows whether more follow. */
export function cut<Row>(read: readonly Row[], limit: number, direction: Direction): Page<Row> {
  const rows = read.slice(0, limit);
  if (direction === 'ascending') rows.reverse();
  return { rows, hasMore: read.length > limit };
}
