import type { PoolClient } from 'pg';
import type { Deps } from '../deps.ts';
import * as queries from './funding-queries.ts';

export type FundedIssuer = queries.FundingRow;

type DueIssuer = Awaited<ReturnType<typeof queries.selectFundingDue>>[number];

interface OneIssuer {
  organization_id: string;
  issuer_id: string;
}

/** Lists issuers that are to be asked now for their balances. */
export const listFundingDue = (
  { clock, database }: Pick<Deps, 'clock' | 'database'>,
  limit: number,
): Promise<DueIssuer[]> => queries.selectFundingDue(database.shards, [new Date(clock.now()), limit]);

/** Plans when an issuer is asked for its balance again. */
export async function planFundingCheck(
  { database }: Pick<Deps, 'database'>,
  issuer: OneIssuer,
  at: Date,
): Promise<void> {
  await queries.planFundingCheck(database.pool, [issuer.organization_id, issuer.issuer_id, at]);
}

interface KnownFunding {
  /** Names the balance, which several issuers may share. */
  account: string;
  availableCents: number;
  now: Date;
  nextAt: Date;
}

/** Notes an issuer's balance, and what it has to pay yet. */
export async function recordFunding(
  client: PoolClient,
  { issuers }: Pick<Deps, 'issuers'>,
  { organization_id, issuer_id }: OneIssuer,
  { account, availableCents, now, nextAt }: KnownFunding,
): Promise<void> {
  const known = [account, availableCents, now, nextAt, issuers.paidAtClaim] as const;
  await queries.recordFunding(client, [organization_id, issuer_id, ...known]);
}

/** Lists issuers that have something to pay, or whose admins were warned. */
export const listFunded = ({ database }: Pick<Deps, 'database'>): Promise<FundedIssuer[]> =>
  queries.selectFunding(database.shards, []);

/** Notes that the admins are warned; undefined if another process has warned them. */
export async function claimFundingWarning(
  client: PoolClient,
  { organization_id, issuer_id }: OneIssuer,
  now: Date,
): Promise<{ organization_name: string; issuer: string; unspent_cents: number } | undefined> {
  return (await queries.claimFundingWarning(client, [organization_id, issuer_id, now]))[0];
}

/** Lets the admins be warned again. */
export async function rearmFundingWarning({ database }: Pick<Deps, 'database'>, issuer: OneIssuer): Promise<void> {
  await queries.rearmFundingWarning(database.pool, [issuer.organization_id, issuer.issuer_id]);
}
