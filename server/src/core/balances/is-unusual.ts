import { decodeId } from '../../platform/base/ids.ts';
import type { Deps } from '../deps.ts';
import type { NewEntry } from './append-entry.ts';
import { selectLargestChange } from './read-queries.ts';

/** 10,000.00: a mistake below it is small. */
const SMALL_CENTS = 1_000_000;
const TIMES = 10;
/** 100,000.00 for an organization without earlier changes. */
const FIRST_CENTS = 10_000_000;

/**
 * Whether a change of a live balance is far beyond the usual: more than ten times the organization's largest one so far.
 * The sandbox has no money.
 *
 * @param change `organizationId` is an `org_…` id
 */
export async function isUnusual(
  { database }: Pick<Deps, 'database'>,
  { organizationId, environment, amountCents }: Pick<NewEntry, 'organizationId' | 'environment' | 'amountCents'>,
): Promise<boolean> {
  const uuid = decodeId('org', organizationId);
  const cents = Math.abs(amountCents);
  if (uuid === undefined || environment === 'sandbox' || cents <= SMALL_CENTS) return false;
  const [row] = await selectLargestChange(database.read, [uuid, environment]);
  const largestCents = row?.largest_cents ?? null;
  return cents > (largestCents === null ? FIRST_CENTS : Math.max(TIMES * largestCents, SMALL_CENTS));
}
