import type { Scope } from '../../../platform/base/principal.ts';
import type { Deps } from '../../deps.ts';
import type { GiftSummary } from '../gift/portal-schema.ts';
import { countRedirectable, selectRedirectable } from './search-queries.ts';
import { summarizeGift } from './summarize-gift.ts';

const MAX_COUNTED = 100;
const SHOWN = 5;

interface GiftsThatNeedAttention {
  /** At most 100. */
  count: number;
  has_more: boolean;
  /** At most five. */
  newest: GiftSummary[];
}

/** Returns gifts that failed and can still be redirected, for the portal. */
export async function listAttention(
  deps: Pick<Deps, 'config' | 'database'>,
  { organizationId, environment }: Scope,
): Promise<GiftsThatNeedAttention> {
  const { pool } = deps.database;
  const redirectable = [organizationId, environment, deps.config.resendLimit] as const;
  const [counted, newest] = await Promise.all([
    countRedirectable(pool, [...redirectable, MAX_COUNTED + 1]),
    selectRedirectable(pool, [...redirectable, SHOWN]),
  ]);
  const count = counted[0]?.count ?? 0;
  return { count: Math.min(count, MAX_COUNTED), has_more: count > MAX_COUNTED, newest: newest.map(summarizeGift) };
}
