import type { Deps } from '../../core/deps.ts';
import { type Caller, parametersOf, requireAdmitted } from '../../platform/authentication/caller.ts';
import { BestowError } from '../../platform/base/errors.ts';
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
 * Reads a page of events with one statement; with another one if the beginning, or the place after a restore of the database,
 * is known only then.
 *
 * @throws BestowError `cursor_invalid` if events after the cursor were deleted, or it is of another feed, or of a time that a
 *   restore undid; as `requireAdmitted`
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
    return { from, found: rows.filter(isEvent), first: row.first_sequence, last: row.last_sequence, restore: row };
  };
  let page = await read(after ?? 0);
  if (after === undefined && page.first > 1) page = await read(page.first - 1);
  // Nothing comes between the last event before a restore and the place after it.
  for (let { restore } = page; page.from === restore.ended_at && restore.next_after !== null; { restore } = page)
    page = await read(restore.next_after);
  refuseCursor(page);
  const { from, found, first, last, restore } = page;
  const isFull = found.length === limit;
  const readUpTo = isFull ? (found.at(-1)?.sequence ?? from) : Math.min(from + SCANNED_SEQUENCES, last);
  const nextAfter = Math.min(readUpTo, restore.ended_at ?? readUpTo);
  return { rows: found, hasMore: nextAfter < last, nextAfter, firstSequence: first };
}

interface Place extends Pick<FeedRow, 'restored_to' | 'ended_at' | 'next_after'> {}

/** @throws BestowError `cursor_invalid` */
function refuseCursor({ from, first, last, restore }: { from: number; first: number; last: number; restore: Place }) {
  const { restored_to, ended_at, next_after } = restore;
  if (restored_to !== null && ended_at !== null && from > ended_at)
    throw invalid(
      `The operator restored the database to ${restored_to.toISOString()}: the events from ${ended_at + 1} on that you read then never happened. Read on from after=${next_after}.`,
    );
  if (from < first - 1)
    throw invalid(`Events up to ${first - 1} were deleted. Read from after=${first - 1}: ${first} is the first held.`);
  if (from > last)
    throw invalid(
      `The last event is ${last}. Use the cursor with the key of its environment; if it is of this one, the operator restored the database to an earlier time, and must say so with bestow restore finish.`,
    );
}

/** Returns the sequence of the last event; 0 before the first. @throws BestowError as `requireAdmitted` */
export async function findEndOfFeed({ database }: Pick<Deps, 'database'>, caller: Caller): Promise<number> {
  const [row] = await selectFeed(database.read, [...parametersOf(caller), 0, 1, []]);
  requireAdmitted(caller, row);
  return row.last_sequence;
}

const invalid = (message: string) => new BestowError('cursor_invalid', { param: 'after', message });
