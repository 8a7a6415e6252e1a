import { idBefore } from '../base/id-time.ts';
import { encodeId, type IdPrefix } from '../base/ids.ts';
import {
  cut,
  type Direction,
  HIGHEST,
  type IdRange,
  LOWEST,
  type Page,
  type PageRequest,
  readCursor,
} from './read-page.ts';

/** What a statement of a filtered list repeats in each row. */
export interface FoundRow {
  /** Whether the cursor names a row of the whole list; true without a cursor. */
  has_cursor: boolean;
  /** The id that the search stopped at before the page was full; null if it reached the end or cannot stop. */
  stopped_at: string | null;
}

export interface FilteredPage<Row> extends Page<Row> {
  /** The cursor to continue, if the search stopped before the page was full. */
  nextCursor: string | null;
}

/** The parameters `$4` to `$7` of a statement of a filtered list, after those of its caller. */
export type FilteredRange = [above: string, below: string, cursor: string | null, limit: number];

interface FilteredSource<Row> {
  prefix: IdPrefix;
  /** The row's UUID. */
  idOf(row: Row): string;
  /** The newest rows of the range (`descending`) or the oldest (`ascending`), in that order. */
  read(direction: Direction, range: FilteredRange): Promise<{ found: FoundRow; rows: Row[] }>;
}

/** The end of a page's body; `next_cursor` only if the search stopped. */
export const endOfPage = ({ hasMore, nextCursor = null }: { hasMore: boolean; nextCursor?: string | null }) => ({
  has_more: hasMore,
  ...(nextCursor === null ? {} : { next_cursor: nextCursor }),
});

/** SQL: a row of the organization's list whose id is in the range. */
export const inFilteredRange = (id: string) =>
  `organization_id = $1 and environment = $2 and ${id} > $4 and ${id} < $5`;

/** SQL: the column `has_cursor`. */
export const hasCursor = (table: string, id: string) =>
  `($6::uuid is null or exists (
     select from ${table} where organization_id = $1 and environment = $2 and ${id} = $6
   )) as has_cursor`;

/** Reads a filtered page of `/v1` with one statement. @throws BestowError `cursor_invalid` */
export async function readFilteredPage<Row>(
  request: PageRequest,
  { prefix, idOf, read }: FilteredSource<Row>,
): Promise<FilteredPage<Row>> {
  const { limit, from, to } = request;
  const { direction, cursor, cursorInvalid } = readCursor(request, prefix);
  const range: IdRange = { above: from ? idBefore(from) : LOWEST, below: to ? idBefore(to) : HIGHEST };
  if (cursor !== undefined && direction === 'descending' && cursor < range.below) range.below = cursor;
  if (cursor !== undefined && direction === 'ascending' && cursor > range.above) range.above = cursor;
  const { found, rows } = await read(direction, [range.above, range.below, cursor ?? null, limit + 1]);
  if (!found.has_cursor) throw cursorInvalid();
  const page = cut(rows, limit, direction);
  const stoppedAt = page.hasMore ? null : found.stopped_at;
  const last = direction === 'descending' ? page.rows.at(-1) : page.rows[0];
  const isLast = last !== undefined && idOf(last) === stoppedAt;
  return {
    rows: page.rows,
    hasMore: page.hasMore || stoppedAt !== null,
    nextCursor: stoppedAt === null || isLast ? null : encodeId(prefix, stoppedAt),
  };
}
