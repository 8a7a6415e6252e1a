import { decodeId, type IdPrefix } from '../base/ids.ts';
import { BestowError } from '../errors.ts';
import type { PageQuery } from './page-query.ts';

/** Keyset pagination on ids that rise with time (specification, part 4; decisions, «Lists»). */

export interface PageRequest {
  limit: number;
  /** `older` than the cursor (or the newest of all), or the nearest that are `newer`. */
  direction: 'older' | 'newer';
  cursor: string | undefined;
}

export interface Page<Row> {
  rows: Row[];
  hasMore: boolean;
}

const invalid = (param: string, message: string) => new BestowError('parameter_invalid', { param, message });

/** @throws BestowError `parameter_invalid`: parameters are parsed strictly, unknown ones are ignored */
export function parsePageRequest(query: unknown): PageRequest {
  const { limit, starting_after, ending_before } = query as Record<keyof PageQuery, unknown>;
  if (limit !== undefined && !(typeof limit === 'string' && /^(?:[1-9][0-9]?|100)$/.test(limit)))
    throw invalid('limit', 'limit must be one whole number from 1 to 100.');
  const after = parseCursor('starting_after', starting_after);
  const before = parseCursor('ending_before', ending_before);
  if (after !== undefined && before !== undefined)
    throw invalid('ending_before', 'Send either starting_after or ending_before, not both.');
  return {
    limit: limit === undefined ? 10 : Number(limit),
    direction: before === undefined ? 'older' : 'newer',
    cursor: before ?? after,
  };
}

function parseCursor(param: string, value: unknown): string | undefined {
  if (value === undefined) return undefined;
  if (typeof value === 'string' && /^[A-Za-z0-9_-]+$/.test(value)) return value;
  throw invalid(param, `${param} must be one id of this list: letters, digits, _ and - only.`);
}

const NEWEST = 'ffffffff-ffff-ffff-ffff-ffffffffffff';

interface Source<Row> {
  exists(id: string): Promise<unknown[]>;
  /** Rows with a smaller id, newest first. */
  before(id: string, limit: number): Promise<Row[]>;
  /** Rows with a greater id, oldest first. */
  after(id: string, limit: number): Promise<Row[]>;
}

/** @throws BestowError `cursor_invalid` where the cursor names nothing that the caller can list */
export async function readPage<Row>(
  { limit, direction, cursor }: PageRequest,
  prefix: IdPrefix,
  source: Source<Row>,
): Promise<Page<Row>> {
  const id = cursor === undefined ? NEWEST : decodeId(prefix, cursor);
  if (id === undefined) throw cursorInvalid(direction);
  // Both at once: they go down one pipelined connection together.
  const [found, rows] = await Promise.all([
    cursor === undefined ? [true] : source.exists(id),
    // One more than asked for tells whether more follow.
    direction === 'older' ? source.before(id, limit + 1) : source.after(id, limit + 1),
  ]);
  if (found.length === 0) throw cursorInvalid(direction);
  const hasMore = rows.length > limit;
  if (hasMore) rows.pop();
  if (direction === 'newer') rows.reverse();
  return { rows, hasMore };
}

const cursorInvalid = (direction: PageRequest['direction']) =>
  new BestowError('cursor_invalid', { param: direction === 'older' ? 'starting_after' : 'ending_before' });
