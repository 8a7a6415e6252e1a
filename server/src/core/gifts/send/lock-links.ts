import type { PoolClient } from 'pg';
import { admitted, parametersOf, requireAdmitted } from '../../../platform/authentication/caller.ts';
import type { Scope } from '../../../platform/base/principal.ts';
import type { Deps } from '../../deps.ts';
import { giftLink } from '../gift/present-gift.ts';
import { lockLinks as lock } from './link-queries.ts';

interface LockedLinks {
  /** Gifts that have a link. */
  count: number;
  /** Signs the link of a gift; undefined if it has none. */
  linkOf(giftId: string): string | undefined;
}

/**
 * Renews the expired links of unclaimed link gifts, and decides that they are shown before any hold: a hold that began
 * earlier is awaited, a later one waits for the transaction. Held, claimed and canceled gifts have no link here.
 *
 * @param giftIds UUIDs
 * @throws BestowError `resource_locked`
 */
export async function lockLinks(
  client: PoolClient,
  { clock, config, links }: Pick<Deps, 'clock' | 'config' | 'links'>,
  scope: Scope,
  giftIds: readonly string[],
): Promise<LockedLinks> {
  const caller = admitted(scope);
  const nowMs = clock.now();
  const times = [new Date(nowMs), new Date(nowMs + config.linkTtlMs)] as const;
  const rows = await lock(client, [...parametersOf(caller), giftIds, ...times]);
  requireAdmitted(caller, rows[0]);
  const gifts = new Map(rows.flatMap((row) => (row.gift_id === null ? [] : [[row.gift_id, row]])));
  return {
    count: gifts.size,
    linkOf(giftId) {
      const gift = gifts.get(giftId);
      return gift && giftLink(links, scope, gift);
    },
  };
}
