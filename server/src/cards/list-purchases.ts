import type { Deps } from '../deps.ts';
import type { Card } from './issuer.ts';
import { type PurchaseRow, selectPurchases } from './queries.ts';

export interface Purchases {
  /** The latest, newest first. */
  latest: readonly PurchaseRow[];
  /** Spent beside those: on purchases before them, or by a gift that was steered to `spent`. */
  earlierCents: number;
}

/** As many as a page holds. */
const SHOWN = 20;

export async function listPurchases(deps: Pick<Deps, 'database'>, card: Card): Promise<Purchases> {
  const { organizationId, environment, giftId, spentCents } = card;
  const latest = await selectPurchases(deps.database.read, [organizationId, environment, giftId, SHOWN]);
  const latestCents = latest.reduce((sum, { amount_cents }) => sum + amount_cents, 0);
  // A purchase may have been made since the card was read.
  return { latest, earlierCents: Math.max(0, spentCents - latestCents) };
}
