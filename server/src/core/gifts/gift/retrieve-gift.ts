import { type Caller, parametersOf, requireAdmitted, seesLinks } from '../../../platform/authentication/caller.ts';
import { BestowError } from '../../../platform/base/errors.ts';
import type { Deps } from '../../deps.ts';
import { type FoundGift, type GiftRow, renewGiftLink, selectGift } from './queries.ts';

type GiftDeps = Pick<Deps, 'clock' | 'config' | 'database'>;

/** Returns the gift that a statement found; undefined if none. @throws BestowError as `requireAdmitted` */
export function foundGift(caller: Caller, [row]: readonly FoundGift[]): GiftRow | undefined {
  requireAdmitted(caller, row);
  return row.gift_id === null ? undefined : row;
}

/** @throws BestowError `resource_missing` if the organization has no such gift in this environment; as `requireAdmitted` */
export async function requireGift(deps: Pick<Deps, 'database'>, caller: Caller, giftId: string): Promise<GiftRow> {
  const gift = foundGift(caller, await selectGift(deps.database.read, [...parametersOf(caller), giftId]));
  if (gift === undefined) throw new BestowError('resource_missing');
  return gift;
}

/**
 * Returns one gift and renews its link if expired, so that the returned link works. Earlier links keep their own expiry. An
 * agent that sees no links renews none.
 *
 * @throws BestowError `resource_missing`, and `resource_locked` if the link cannot be renewed now
 */
export async function retrieveGift(deps: GiftDeps, caller: Caller, giftId: string): Promise<GiftRow> {
  const gift = await requireGift(deps, caller, giftId);
  const nowMs = deps.clock.now();
  const isShown = gift.method === 'link' && gift.canceled_at === null && seesLinks(caller);
  if (!isShown || gift.link_expires_at.getTime() > nowMs) return gift;
  const times = [new Date(nowMs), new Date(nowMs + deps.config.linkTtlMs)] as const;
  const renewed = await renewGiftLink(deps.database.change, [...parametersOf(caller), giftId, ...times]);
  return foundGift(caller, renewed) ?? requireGift(deps, caller, giftId);
}
