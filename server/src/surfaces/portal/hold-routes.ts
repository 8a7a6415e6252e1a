import type { Deps } from '../../core/deps.ts';
import { showGiftPage } from '../../core/gifts/find/show-gift-page.ts';
import { GiftPage } from '../../core/gifts/gift/portal-schema.ts';
import { holdGift, releaseGift } from '../../core/gifts/hold/hold-gift.ts';
import { holdGifts, releaseGifts } from '../../core/organizations/hold-gifts.ts';
import type { Register } from '../../faces/portal-access/register.ts';
import { requireId } from '../../platform/api/require-id.ts';

const changes = [
  {
    name: 'hold',
    isPossibleWhileSuspended: true,
    one: { act: holdGift, summary: 'Puts a gift on hold: no one can claim it, see its card or get a new link.' },
    all: { act: holdGifts, summary: 'Puts all unclaimed gifts on hold, live and sandbox, and refuses orders.' },
  },
  {
    name: 'release',
    isPossibleWhileSuspended: false,
    one: { act: releaseGift, summary: 'Ends the hold of a gift.' },
    all: { act: releaseGifts, summary: 'Ends the hold of all unclaimed gifts.' },
  },
] as const;

/** Holds, which stop stolen value; so they are possible while the organization is suspended. */
export function holdRoutes(register: Register, deps: Deps): void {
  for (const { name, isPossibleWhileSuspended, one, all } of changes) {
    register(
      {
        method: 'POST',
        path: `/organizations/{organization_id}/{environment}/gifts/{gift_id}/${name}`,
        operationId: `${name}Gift`,
        tag: 'Gifts',
        summary: one.summary,
        access: 'member',
        needs: 'manage',
        isPossibleWhileSuspended,
        needsFreshSignIn: !isPossibleWhileSuspended,
        response: GiftPage,
      },
      async ({ params, scope, member }) => {
        const giftId = requireId('gift', params.gift_id);
        await one.act(deps, { scope, giftId, actor: member.actor });
        return showGiftPage(deps, scope, giftId);
      },
    );

    register(
      {
        method: 'POST',
        path: `/organizations/{organization_id}/gifts/${name}`,
        operationId: `${name}Gifts`,
        tag: 'Gifts',
        summary: all.summary,
        access: 'member',
        needs: 'settings',
        environment: 'live',
        isPossibleWhileSuspended,
        needsFreshSignIn: !isPossibleWhileSuspended,
      },
      async ({ params, member }) => {
        await all.act(deps, { organizationId: params.organization_id, actor: member.actor });
      },
    );
  }
}
