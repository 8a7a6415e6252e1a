import type { PoolClient } from 'pg';
import type { Deps } from '../../core/deps.ts';
import { BestowError } from '../../platform/base/errors.ts';
import { lockBatch, type OneBatch, setAsked } from './queries.ts';
import { requireDraft, type SeenDraft } from './require-draft.ts';

/**
 * Marks a draft as waiting for an approval, in the caller's transaction: its rows change no more.
 *
 * @returns the number of its gifts, and the amount of its largest
 * @throws BestowError `resource_missing`; `refused` as `requireDraft`, or if it was started
 */
export async function askForBatch(
  client: PoolClient,
  deps: Pick<Deps, 'clock'>,
  one: OneBatch,
  seen: SeenDraft,
): Promise<{ gifts: number; largestCents: number }> {
  const [batch] = await lockBatch(client, one);
  if (batch === undefined) throw new BestowError('resource_missing');
  if (batch.state !== 'draft') throw new BestowError('refused', { message: 'These gifts are already being sent.' });
  const { row_count, largest_cents } = await requireDraft(client, deps, { one, batch, seen });
  await setAsked(client, [...one, new Date(deps.clock.now())]);
  return { gifts: row_count, largestCents: largest_cents ?? 0 };
}
