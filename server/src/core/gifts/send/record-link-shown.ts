import type { PoolClient } from 'pg';
import type { Actor } from '../../../platform/base/actor.ts';
import { encodeId } from '../../../platform/base/ids.ts';
import type { Scope } from '../../../platform/base/principal.ts';
import { recordEvent } from '../gift/actions.ts';

/**
 * Records that someone saw a gift's link: its holder can claim the gift.
 *
 * @param giftId UUID
 */
export const recordLinkShown = (
  client: PoolClient,
  deps: Parameters<typeof recordEvent>[1],
  { organizationId, environment }: Scope,
  { giftId, actor }: { giftId: string; actor: Actor },
): Promise<void> =>
  recordEvent(client, deps, actor, {
    organizationId,
    environment,
    action: 'gift.link_shown',
    target: encodeId('gift', giftId),
    details: {},
  });
