import { Type } from 'typebox';
import type { Deps } from '../../core/deps.ts';
import { cancelGift } from '../../core/gifts/cancel/cancel-gift.ts';
import { showGiftPage } from '../../core/gifts/find/show-gift-page.ts';
import { GiftPage } from '../../core/gifts/gift/portal-schema.ts';
import { CancelInput } from '../../core/gifts/gift/schema.ts';
import { cancelOrder } from '../../core/orders/cancel-order.ts';
import { ShownOrder } from '../../core/orders/portal-schema.ts';
import { showOrder } from '../../core/orders/show-order.ts';
import type { Register } from '../../faces/portal-access/register.ts';
import { requireId } from '../../platform/api/require-id.ts';
import { admitted } from '../../platform/authentication/caller.ts';

const Reason = Type.Object(CancelInput.properties, { additionalProperties: false });

/** Cancellations, as in `/v1`. */
export function cancelRoutes(register: Register, deps: Deps): void {
  register(
    {
      method: 'POST',
      path: '/organizations/{organization_id}/{environment}/gifts/{gift_id}/cancel',
      operationId: 'cancelGift',
      tag: 'Gifts',
      summary: 'Cancels an unclaimed gift; its amount returns to the balance.',
      access: 'member',
      needs: 'cancel',
      needsFreshSignIn: true,
      body: Reason,
      response: GiftPage,
    },
    async ({ params, scope, body, member }) => {
      const giftId = requireId('gift', params.gift_id);
      await cancelGift(deps, admitted(scope), { giftId, reason: body.reason, actor: member.actor });
      return showGiftPage(deps, scope, giftId);
    },
  );

  register(
    {
      method: 'POST',
      path: '/organizations/{organization_id}/{environment}/orders/{order_id}/cancel',
      operationId: 'cancelOrder',
      tag: 'Orders',
      summary: 'Cancels every unclaimed gift of an order; their amount returns to the balance.',
      access: 'member',
      needs: 'cancel',
      needsFreshSignIn: true,
      body: Reason,
      response: ShownOrder,
    },
    async ({ params, scope, body, member }) => {
      const orderId = requireId('ord', params.order_id);
      await cancelOrder(deps, admitted(scope), { orderId, reason: body.reason, actor: member.actor });
      return showOrder(deps, scope, orderId);
    },
  );
}
