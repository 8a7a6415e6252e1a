import type { PoolClient } from 'pg';
import type { Deps } from '../../core/deps.ts';
import { BestowError } from '../../platform/base/errors.ts';
import { recentSince } from './check-rows.ts';
import { type LockedBatch, type OneBatch, type SumRow, sumDraft } from './queries.ts';

export interface SeenDraft {
  /** What the member saw. */
  amountCents: number;
  /** Whether the member wants gifts to addresses that had one, or that are in the file before. */
  acceptsDuplicates: boolean;
  /** Whether those who decide have approved it; else a rule may hold it back. */
  isApproved?: boolean;
}

const refuse = (message: string) => new BestowError('refused', { message });

/**
 * Checks that a locked draft is complete, and is what the member saw.
 *
 * @throws BestowError `refused` if rows are missing, if the sum is another one, or for duplicates that were not accepted
 */
export async function requireDraft(
  client: PoolClient,
  deps: Pick<Deps, 'clock'>,
  { one, batch, seen }: { one: OneBatch; batch: LockedBatch; seen: SeenDraft },
): Promise<SumRow> {
  const [draft] = await sumDraft(client, [...one, recentSince(deps)]);
  if (draft === undefined) throw new Error('A sum has a row.');
  if (draft.row_count !== batch.row_count)
    throw refuse(`Only ${draft.row_count} of ${batch.row_count} rows have arrived. Send them again.`);
  if (draft.amount_cents !== seen.amountCents)
    throw refuse('The rows have another sum than the one shown. Check them again.');
  if (draft.duplicates > 0 && !seen.acceptsDuplicates)
    throw refuse(
      `${draft.duplicates === 1 ? '1 row is' : `${draft.duplicates} rows are`} to people who had a gift within 30 days or are in the file twice. ${
        seen.isApproved === true
          ? 'The person who asked did not confirm them. Decline the request, so that they can ask again.'
          : 'Confirm them.'
      }`,
    );
  return draft;
}
