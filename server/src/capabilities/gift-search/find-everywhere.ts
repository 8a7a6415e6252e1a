import { shownStateOf } from '../../core/gifts/find/summarize-gift.ts';
import { maskGiftAddress } from '../../core/gifts/gift/address.ts';
import type { Actor } from '../../platform/base/actor.ts';
import type { Environment } from '../../platform/base/environment.ts';
import { encodeId } from '../../platform/base/ids.ts';
import { inOrganization } from '../../platform/database/in-organization.ts';
import { recordEvent } from './actions.ts';
import { kinds, type SearchDeps } from './kinds.ts';
import type { FoundGiftRow } from './queries.ts';

type FoundGift = ReturnType<typeof shownStateOf> & {
  gift_id: string;
  order_id: string;
  organization_id: string;
  organization_name: string;
  environment: Environment;
  /** Cents. */
  amount: number;
  method: FoundGiftRow['method'];
  /** Masked; null for a link, and after an erasure. */
  address: string | null;
  created_at: Date;
  /** The name of the kind, such as `order`. */
  found_by: string;
};

/** What a search can be by, for people. */
export const searchedKinds = kinds.map(({ name }) => name);

type Match = { row: FoundGiftRow; kind: (typeof kinds)[number] };

/**
 * Finds gifts of all organizations, live and sandbox, by what an operator was told: an id of a gift, an order, a card or a
 * request, a link, an address or number, an external id, an idempotency key. If the text is an address or number, that look
 * is in the audit log of each organization that has a found gift.
 *
 * @param input.query compared exactly; ids and addresses in any case, without spaces around
 * @returns newest first, at most `limit`
 */
export async function findEverywhere(
  deps: SearchDeps,
  { query, actor, limit }: { query: string; actor: Actor; limit: number },
): Promise<FoundGift[]> {
  const text = query.trim();
  if (text === '') return [];
  const living = await search(deps, { text, limit, isComplete: false });
  // A shard that does not answer may have what the others do not.
  const isComplete = living.length > 0 || deps.database.shards.length === 1;
  const matches = isComplete ? living : await search(deps, { text, limit, isComplete: true });
  // Also of a gift that has the address as its external id.
  if (kinds.some(({ isPersonal, read }) => isPersonal && read(text, deps) !== undefined))
    await recordLooks(deps, actor, matches);
  return matches.map(present);
}

async function search(
  deps: SearchDeps,
  { text, ...more }: { text: string; limit: number; isComplete: boolean },
): Promise<Match[]> {
  const matches = await Promise.all(
    kinds.map(async (kind) => {
      const value = kind.read(text, deps);
      const rows = value === undefined ? [] : await kind.find(deps, { value, ...more });
      return rows.map((row) => ({ row, kind }));
    }),
  );
  const first = new Map<string, Match>();
  for (const match of matches.flat()) if (!first.has(match.row.gift_id)) first.set(match.row.gift_id, match);
  return [...first.values()].sort((one, other) => (one.row.gift_id < other.row.gift_id ? 1 : -1)).slice(0, more.limit);
}

async function recordLooks(deps: SearchDeps, actor: Actor, matches: readonly Match[]): Promise<void> {
  for (const [organizationId, { length: gifts }] of Map.groupBy(matches, ({ row }) => row.organization_id))
    await inOrganization(deps.database, organizationId, (client) =>
      recordEvent(client, deps, actor, { organizationId, action: 'gifts.looked_up', details: { gifts } }),
    );
}

function present({ row, kind }: Match): FoundGift {
  return {
    gift_id: encodeId('gift', row.gift_id),
    order_id: encodeId('ord', row.order_id),
    organization_id: encodeId('org', row.organization_id),
    organization_name: row.organization_name,
    environment: row.environment,
    ...shownStateOf(row),
    amount: row.amount_cents,
    method: row.method,
    address: maskGiftAddress(row.address),
    created_at: row.created_at,
    found_by: kind.name,
  };
}
