import type { PoolClient } from 'pg';
import type { Environment } from '../../platform/base/environment.ts';
import { storable } from '../../platform/base/storable.ts';
import { inOrganization } from '../../platform/database/in-organization.ts';
import type { Deps } from '../deps.ts';
import type { Fact } from '../issuer/port.ts';
import * as queries from './fact-queries.ts';

/** The issuer whose ids of cards the facts have. */
export interface FactSource {
  organizationId: string;
  issuerId: string;
}

/**
 * Records what an issuer reports of cards, and derives each card's sums from all its facts. Facts may come twice, late and in any
 * order.
 *
 * @returns the issuer's ids of cards that are not known, or whose gifts are not claimed yet: nothing was recorded of them
 */
export async function applyFacts(
  deps: Pick<Deps, 'clock' | 'database'>,
  source: FactSource,
  facts: readonly Fact[],
): Promise<readonly string[]> {
  const unknown: string[] = [];
  for (const [providerId, ofCard] of Map.groupBy(facts, (fact) => fact.providerId))
    if (!(await applyToCard(deps, source, providerId, ofCard))) unknown.push(providerId);
  return unknown;
}

const applyToCard = (
  { clock, database }: Pick<Deps, 'clock' | 'database'>,
  { organizationId, issuerId }: FactSource,
  providerId: string,
  facts: readonly Fact[],
): Promise<boolean> =>
  inOrganization(database, organizationId, async (client) => {
    const [card] = await queries.lockCard(client, [organizationId, issuerId, providerId]);
    if (card === undefined) return false;
    const one = [organizationId, card.environment, card.gift_id] as const;
    const now = new Date(clock.now());
    await bookFacts(client, one, facts, now);
    return true;
  });

/** Records facts of a card, whose lock the transaction has, and derives its sums. */
export async function bookFacts(
  client: PoolClient,
  one: readonly [organizationId: string, environment: Environment, giftId: string],
  facts: readonly Fact[],
  now: Date,
): Promise<void> {
  const added = await queries.insertFacts(client, [...one, JSON.stringify(facts.map(rowOf)), now]);
  if (added.length > 0) await queries.settleCard(client, [...one, now]);
}

function rowOf(fact: Fact) {
  const { factId, kind, at } = fact;
  return {
    fact_id: factId,
    kind,
    at,
    subject_id: 'holdId' in fact ? fact.holdId : 'disputeId' in fact ? fact.disputeId : null,
    amount_cents: 'amountCents' in fact ? fact.amountCents : null,
    merchant: 'merchant' in fact ? storable(fact.merchant) : null,
    is_final: fact.kind === 'captured' ? fact.isFinal : null,
    outcome: fact.kind === 'disputed' ? fact.outcome : null,
  };
}
