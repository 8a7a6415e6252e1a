import type { Deps } from '../deps.ts';
import { selectAllFunding } from './funding-queries.ts';

/** A balance at an issuer, from which the cards of one or more organizations are paid. Money is cents. */
interface FundingBalance {
  kinds: string[];
  /** Names. */
  organizations: string[];
  /** When the issuer was last asked. */
  available: number;
  /** What it has to pay yet: what its cards may still spend, or what gifts to claim are worth. */
  unspent: number;
  state: 'sufficient' | 'low';
  checked_at: Date;
}

/** Lists what issuers hold and what they have to pay yet, for the operator. */
export async function listFunding({ database }: Pick<Deps, 'database'>): Promise<FundingBalance[]> {
  const rows = await selectAllFunding.ofLiving(database.shards, []);
  const accounts = Map.groupBy(rows, (row) => row.funding_account);
  return [...accounts.values()].map((of) => {
    const latest = of.reduce((a, b) => (a.funding_checked_at < b.funding_checked_at ? b : a));
    const unspent = of.reduce((sum, row) => sum + row.unspent_cents, 0);
    return {
      kinds: [...new Set(of.map(({ kind }) => kind))].sort(),
      organizations: [...new Set(of.map(({ name }) => name))].sort(),
      available: latest.funding_cents,
      unspent,
      state: latest.funding_cents < unspent ? 'low' : 'sufficient',
      checked_at: latest.funding_checked_at,
    };
  });
}
