import { type Caller, parametersOf, requireAdmitted } from '../authentication/caller.ts';
import type { Deps } from '../deps.ts';
import { BestowError } from '../errors.ts';
import type { FeedRequest } from './feed-query.ts';
import { type EventRow, type FeedRow, SCANNED_SEQUENCES, selectFeed } from './queries.ts';

export interface FeedPage {
  rows: EventRow[];
  hasMore: boolean;
  /** All events up to here were read or are of other types. */
  nextAfter: number;
  firstSequence: number;
}

const isEvent = (row: FeedRow): row is FeedRow & EventRow => row.event_id !== null;

/**
 * Reads a page of events with one statement.
 *
 * @throws BestowError `cursor_invalid` if events after the cursor were deleted, or it is of another feed; as
 *   `requireAdmitted`
 */
export async function readFeed(
  { database }: Pick<Deps, 'database'>,
  caller: Caller,
  { after, limit, types }: Pick<FeedRequest, 'after' | 'limit' | 'types'>,
): Promise<FeedPage> {
  const read = async (from: number) => {
    const rows = await selectFeed(database.read, [...parametersOf(caller), from, limit, types ?? null]);
    const [row] = rows;
    requireAdmitted(caller, row);
    return { found: rows.filter(isEvent), first: row.first_sequence, last: row.last_sequence };
  };
  let from = after ?? 0;
  let { found, first, last } = await read(from);
  if (after === undefined && first > 1) {
    // The beginning is known only now.
    from = first - 1;
    ({ found, first, last } = await read(from));
  }
  if (from < first - 1)
    throw invalid(`Events up to ${first - 1} were deleted. Read from after=${first - 1}: ${first} is the first held.`);
  if (from > last) throw invalid(`The last event is ${last}. Use the cursor with the key of its environment.`);
  const isFull = found.length === limit;
  const nextAfter = isFull ? (found.at(-1)?.sequence ?? from) : Math.min(from + SCANNED_SEQUENCES, last);
  return { rows: found, hasMore: nextAfter < last, nextAfter, firstSequence: first };
}

/** Returns the sequence of the last event; 0 before the first. @throws BestowError as `requireAdmitted` */
export async function findEndOfFeed({ database }: Pick<Deps, 'database'>, caller: Caller): Promise<number> {
  const [row] = await selectFeed(database.read, [...parametersOf(caller), 0, 1, []]);
  requireAdmitted(caller, row);
  return row.last_sequence;
}

const invalid = (message: string) => new BestowError('cursor_invalid', { param: 'after', message });
