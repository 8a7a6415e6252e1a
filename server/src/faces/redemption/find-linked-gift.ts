import { issuedCard } from '../../core/cards/issued-card.ts';
import type { Deps } from '../../core/deps.ts';
import type { Card } from '../../core/issuer/port.ts';
import type { Scope } from '../../platform/base/principal.ts';
import { type LinkedGiftRow, selectLinkedGift } from './queries.ts';

/** A gift that was found by its link. */
export interface LinkedGift extends LinkedGiftRow {
  scope: Scope;
  /** Undefined until the gift is claimed. */
  card: Card | undefined;
  isExpired: boolean;
}

/**
 * Returns the gift of a token, or undefined if the token is invalid, was ended, or is of an environment that this process
 * does not serve. Includes gifts of suspended
 * organizations, because they are paid for.
 */
export async function findLinkedGift(
  deps: Pick<Deps, 'clock' | 'config' | 'database' | 'links'>,
  token: string,
): Promise<LinkedGift | undefined> {
  const claims = deps.links.read(token);
  if (claims === undefined) return undefined;
  const { organizationId, environment, giftId, version, expiresAtMs } = claims;
  const [row] = await selectLinkedGift(deps.database.read, [organizationId, environment, giftId]);
  if (row?.link_version !== version || !deps.config.serveEnvironments.includes(environment)) return undefined;
  const scope = { organizationId, environment };
  return { ...row, scope, card: cardOf(scope, row), isExpired: expiresAtMs <= deps.clock.now() };
}

function cardOf(scope: Scope, row: LinkedGiftRow): Card | undefined {
  if (row.claimed_at === null || row.card_id === null) return undefined;
  return {
    ...scope,
    giftId: row.gift_id,
    cardId: row.card_id,
    valueCents: row.amount_cents,
    spentCents: row.spent_cents,
    claimedAt: row.claimed_at,
    issued: issuedCard(row),
  };
}
