import type { Deps } from '../deps.ts';
import type { Card } from '../issuer/port.ts';
import { type PurchaseRow, selectPurchases } from './queries.ts';

export interface Purchases {
  latest: readonly PurchaseRow[];
  /** Spent on earlier purchases, or by steering to `spent`. */
  earlierCents: number;
}

const PAGE_SIZE = 20;

export async function listPurchases(deps: Pick<Deps, 'database'>, card: Card): Promise<Purchases> {
  const { organizationId, environment, giftId, spentCents } = card;
  const latest = await selectPurchases(deps.database.read, [organizationId, environment, giftId, PAGE_SIZE]);
  const latestCents = latest.reduce((sum, { amount_cents }) => sum + amount_cents, 0);
  // A purchase may have been made since the card was read.
  return { latest, earlierCents: Math.max(0, spentCents - latestCents) };
}
