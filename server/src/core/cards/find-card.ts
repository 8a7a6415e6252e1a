import type { Scope } from '../../platform/base/principal.ts';
import type { Deps } from '../deps.ts';
import type { Card } from '../issuer/port.ts';
import { issuedCard } from './issued-card.ts';
import { selectCard } from './queries.ts';

/** Returns the card of a claimed gift; undefined if the gift is unclaimed or does not exist. */
export async function findCard(
  deps: Pick<Deps, 'database'>,
  { organizationId, environment }: Scope,
  giftId: string,
): Promise<Card | undefined> {
  const [row] = await selectCard(deps.database.read, [organizationId, environment, giftId]);
  if (row === undefined) return undefined;
  return {
    organizationId,
    environment,
    giftId,
    cardId: row.card_id,
    valueCents: row.amount_cents,
    spentCents: row.spent_cents,
    claimedAt: row.claimed_at,
    issued: issuedCard(row),
  };
}
