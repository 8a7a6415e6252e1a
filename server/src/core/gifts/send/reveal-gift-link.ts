import type { Actor } from '../../../platform/base/actor.ts';
import { BestowError } from '../../../platform/base/errors.ts';
import type { Scope } from '../../../platform/base/principal.ts';
import { inOrganization } from '../../../platform/database/in-organization.ts';
import { lockUnheld } from '../hold/lock-unheld.ts';
import { recordLinkShown } from './record-link-shown.ts';
import { showGiftLink } from './show-gift-link.ts';

type Revealed = NonNullable<Awaited<ReturnType<typeof showGiftLink>>>;

/**
 * Shows the link of a link gift, or of any sent gift of the sandbox, to an admin, and records it: the link's holder can
 * claim the gift.
 *
 * @throws BestowError `not_found` for other gifts, `resource_missing`, `gift_on_hold`
 */
export async function revealGiftLink(
  deps: Parameters<typeof showGiftLink>[0] & Parameters<typeof recordLinkShown>[1],
  scope: Scope,
  { giftId, actor }: { giftId: string; actor: Actor },
): Promise<Revealed> {
  const link = await showGiftLink(deps, scope, giftId);
  if (link === null) throw new BestowError('not_found');
  await inOrganization(deps.database, scope.organizationId, async (client) => {
    await lockUnheld(client, scope, giftId);
    await recordLinkShown(client, deps, scope, { giftId, actor });
  });
  return link;
}
