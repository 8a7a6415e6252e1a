import type { Deps } from '../../core/deps.ts';
import type { ListedCard } from '../../core/issuer/port.ts';
import { encodeId } from '../../platform/base/ids.ts';
import * as queries from './queries.ts';

/** A card that works at an issuer, and that no claim here has. Ids are encoded; the card's is the issuer's. */
interface LostCard {
  organization_id: string;
  issuer_id: string;
  card: string;
  /** Null: the gift is not in the database. */
  gift_id: string | null;
  /** Whether the next claim of the gift gets this card. */
  waits_for_claim: boolean;
}

export interface LostCards {
  cards: LostCard[];
  /** Issuers that could not be asked. */
  issuers_silent: { issuer_id: string; reason: string }[];
}

const WAIT_MS = 60_000;
const CARDS_AT_ONCE = 500;
const UUID = /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/;

type FindDeps = Pick<Deps, 'database' | 'issuers'>;

/** Asks every issuer for the cards that it made since a restore, and returns those that no claim has. */
export async function findLostCards(deps: FindDeps, restoredTo: Date): Promise<LostCards> {
  const found: LostCards = { cards: [], issuers_silent: [] };
  for (const row of await queries.selectIssuers(deps.database.shards, [])) {
    try {
      for await (const lost of lostAt(deps, row, restoredTo)) found.cards.push(lost);
    } catch (error) {
      const reason = error instanceof Error ? error.message : String(error);
      found.issuers_silent.push({ issuer_id: encodeId('iss', row.issuer_id), reason });
    }
  }
  return found;
}

async function* lostAt(deps: FindDeps, row: queries.IssuerToAsk, restoredTo: Date): AsyncGenerator<LostCard> {
  const issuer = await deps.issuers.open(row.organization_id, row);
  if (issuer.isLocal) return;
  let cards: ListedCard[] = [];
  for await (const card of issuer.listCards(restoredTo, AbortSignal.timeout(WAIT_MS))) {
    if (!card.isOpen || !UUID.test(card.giftId ?? '')) continue;
    cards.push(card);
    if (cards.length < CARDS_AT_ONCE) continue;
    yield* await withoutClaim(deps, row, cards);
    cards = [];
  }
  yield* await withoutClaim(deps, row, cards);
}

async function withoutClaim(
  { database }: FindDeps,
  { organization_id, issuer_id }: queries.IssuerToAsk,
  cards: readonly ListedCard[],
): Promise<LostCard[]> {
  const giftIds = cards.map(({ giftId }) => giftId as string);
  const owners = await queries.selectCardOwners(database.pool, [organization_id, issuer_id, giftIds]);
  const owner = new Map(owners.map((row) => [row.gift_id, row]));
  return cards.flatMap(({ providerId, giftId = '' }) => {
    const gift = owner.get(giftId);
    if (gift?.provider_id === providerId) return [];
    return [
      {
        organization_id: encodeId('org', organization_id),
        issuer_id: encodeId('iss', issuer_id),
        card: providerId,
        gift_id: gift === undefined ? null : encodeId('gift', giftId),
        waits_for_claim: gift !== undefined && !gift.is_claimed && !gift.is_canceled,
      },
    ];
  });
}
