import { Type } from 'typebox';
import { reopenCard } from '../../core/card-proofs/reopen-card.ts';
import type { Deps } from '../../core/deps.ts';
import { showGiftPage } from '../../core/gifts/find/show-gift-page.ts';
import { GiftLink, GiftPage, GiftSimulation, NewAddress } from '../../core/gifts/gift/portal-schema.ts';
import { ScheduleInput } from '../../core/gifts/gift/schema.ts';
import { simulateGift } from '../../core/gifts/sandbox/simulate-gift.ts';
import { scheduleGift } from '../../core/gifts/schedule/schedule-gift.ts';
import { redirectGift } from '../../core/gifts/send/redirect-gift.ts';
import { revealGiftLink } from '../../core/gifts/send/reveal-gift-link.ts';
import { oncePerPress, replaceLink, resendGift } from '../../core/gifts/send/send-again.ts';
import { FormId } from '../../faces/portal-access/form-id.ts';
import type { Register } from '../../faces/portal-access/register.ts';
import { requireId } from '../../platform/api/require-id.ts';
import { admitted } from '../../platform/authentication/caller.ts';

const PATH = '/organizations/{organization_id}/{environment}/gifts';

/** One press of a button sends a gift at most once. */
const PressId = Type.String({ ...FormId, description: 'A random UUID that the browser makes for each press.' });

/** Gifts: history, redirects and simulations. Lists are in `gift-list-routes.ts`, messages in `message-routes.ts`. */
export function giftRoutes(register: Register, deps: Deps): void {
  register(
    {
      method: 'GET',
      path: `${PATH}/{gift_id}`,
      operationId: 'showGift',
      tag: 'Gifts',
      summary: 'A gift with its history.',
      access: 'member',
      needs: 'gifts',
      response: GiftPage,
    },
    ({ params, scope }) => showGiftPage(deps, scope, requireId('gift', params.gift_id)),
  );

  register(
    {
      method: 'GET',
      path: `${PATH}/{gift_id}/link`,
      operationId: 'showGiftLink',
      tag: 'Gifts',
      summary:
        'The link of a link gift, renewed if expired, or of any sent gift of the sandbox. Its holder can claim the gift.',
      access: 'member',
      needs: 'links',
      needsFreshSignIn: true,
      response: GiftLink,
    },
    ({ params, scope, member }) =>
      revealGiftLink(deps, scope, { giftId: requireId('gift', params.gift_id), actor: member.actor }),
  );

  addActRoutes(register, deps);
  addSendAgainRoutes(register, deps);
  addScheduleRoute(register, deps);
  addCardRoute(register, deps);
}

function addSendAgainRoutes(register: Register, deps: Deps): void {
  register(
    {
      method: 'POST',
      path: `${PATH}/{gift_id}/link`,
      operationId: 'replaceGiftLink',
      tag: 'Gifts',
      summary: 'Ends all links of an unclaimed gift. Email and phone gifts are sent again.',
      access: 'member',
      needs: 'links',
      needsFreshSignIn: true,
      response: GiftPage,
    },
    async ({ params, scope, member }) => {
      const giftId = requireId('gift', params.gift_id);
      await replaceLink(deps, admitted(scope), { giftId, actor: member.actor });
      return showGiftPage(deps, scope, giftId);
    },
  );

  register(
    {
      method: 'POST',
      path: `${PATH}/{gift_id}/resend`,
      operationId: 'resendGift',
      tag: 'Gifts',
      summary: 'Sends an unclaimed email or phone gift again to its address. Earlier links stay valid.',
      access: 'member',
      needs: 'manage',
      needsFreshSignIn: true,
      body: Type.Object({ press_id: PressId }),
      response: GiftPage,
    },
    async ({ params, scope, body, member }) => {
      const giftId = requireId('gift', params.gift_id);
      const once = oncePerPress(body.press_id, giftId);
      await resendGift(deps, admitted(scope), { giftId, actor: member.actor, once });
      return showGiftPage(deps, scope, giftId);
    },
  );
}

function addCardRoute(register: Register, deps: Deps): void {
  register(
    {
      method: 'POST',
      path: `${PATH}/{gift_id}/card/reopen`,
      operationId: 'reopenCard',
      tag: 'Gifts',
      summary: 'Lets another browser take the card of a claimed gift over, once within a day.',
      access: 'member',
      needs: 'manage',
      needsFreshSignIn: true,
      response: Type.Object({ until: Type.String({ format: 'date-time' }) }),
    },
    async ({ params, scope, member }) => {
      const giftId = requireId('gift', params.gift_id);
      return { until: (await reopenCard(deps, { scope, giftId, actor: member.actor })).toISOString() };
    },
  );
}

function addScheduleRoute(register: Register, deps: Deps): void {
  register(
    {
      method: 'POST',
      path: `${PATH}/{gift_id}/schedule`,
      operationId: 'scheduleGift',
      tag: 'Gifts',
      summary: 'Changes when a gift is sent that waits for its time; without a time, sends it now.',
      access: 'member',
      needs: 'manage',
      needsFreshSignIn: true,
      body: Type.Object({ send_at: Type.Optional(ScheduleInput.properties.send_at) }),
      response: GiftPage,
    },
    async ({ params, scope, body, member }) => {
      const giftId = requireId('gift', params.gift_id);
      await scheduleGift(deps, admitted(scope), { giftId, sendAt: body.send_at, actor: member.actor });
      return showGiftPage(deps, scope, giftId);
    },
  );
}

function addActRoutes(register: Register, deps: Deps): void {
  register(
    {
      method: 'PUT',
      path: `${PATH}/{gift_id}/delivery`,
      operationId: 'redirectGift',
      tag: 'Gifts',
      summary: 'Sends a gift whose delivery failed to another address.',
      access: 'member',
      needs: 'manage',
      needsFreshSignIn: true,
      body: NewAddress,
      response: GiftPage,
    },
    async ({ params, scope, body, member }) => {
      const giftId = requireId('gift', params.gift_id);
      await redirectGift(deps, admitted(scope), { giftId, body, actor: member.actor });
      return showGiftPage(deps, scope, giftId);
    },
  );

  register(
    {
      method: 'POST',
      path: '/organizations/{organization_id}/sandbox/gifts/{gift_id}/simulate',
      operationId: 'simulateGift',
      tag: 'Gifts',
      summary: 'Simulates an event of a sandbox gift.',
      access: 'member',
      needs: 'test',
      body: Type.Object({ simulation: GiftSimulation }),
      response: GiftPage,
    },
    async ({ params, body, member }) => {
      const giftId = requireId('gift', params.gift_id);
      const { organizationId, actor } = member;
      const scope = { organizationId, environment: 'sandbox' } as const;
      await simulateGift(deps, { caller: admitted(scope), giftId, simulation: body.simulation, actor });
      return showGiftPage(deps, scope, giftId);
    },
  );
}
