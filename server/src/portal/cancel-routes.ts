import { Type } from 'typebox';
import { requireId } from '../api/require-id.ts';
import { admitted } from '../authentication/caller.ts';
import type { Deps } from '../deps.ts';
import { cancelGift } from '../gifts/cancel-gift.ts';
import { GiftHistory } from '../gifts/portal-schema.ts';
import { CancelInput } from '../gifts/schema.ts';
import { showGiftHistory } from '../gifts/show-gift-history.ts';
import { cancelOrder } from '../orders/cancel-order.ts';
import { ShownOrder } from '../orders/portal-schema.ts';
import { showOrder } from '../orders/show-order.ts';
import type { Register } from './register.ts';

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
      access: 'admin',
      needsFreshSignIn: true,
      body: Reason,
      response: GiftHistory,
    },
    async ({ params, scope, body, member }) => {
      const giftId = requireId('gift', params.gift_id);
      await cancelGift(deps, admitted(scope), { giftId, reason: body.reason, actor: member.actor });
      return showGiftHistory(deps, scope, giftId);
    },
  );

  register(
    {
      method: 'POST',
      path: '/organizations/{organization_id}/{environment}/orders/{order_id}/cancel',
      operationId: 'cancelOrder',
      tag: 'Orders',
      summary: 'Cancels every unclaimed gift of an order; their amount returns to the balance.',
      access: 'admin',
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
