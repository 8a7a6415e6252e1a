import { type SteeringEffect, steeringAddresses } from '../../core/sandbox/steering.ts';
import type { EventType } from '../../platform/events/event-types.ts';

/** The ids of the order that was placed; without a gift if none exists yet. */
interface Placed {
  order_id: string;
  gift_id: string | undefined;
}

interface ApiCall {
  method: 'POST' | 'PUT';
  path: string;
  body?: object;
}

/** An event that an API key can make in the sandbox: by an order of one gift, and perhaps another call. */
export interface Trigger {
  /** For people: what is done. */
  does: string;
  delivery: { method: 'link' } | { method: 'phone'; phone: string };
  followUp?: (placed: Placed) => ApiCall;
}

/** Phone numbers, because the domain of steering mail addresses is a setting of the server. */
function phoneThat(effect: SteeringEffect) {
  const { phone } = steeringAddresses.find((address) => address.effect === effect) ?? {};
  if (phone === undefined) throw new Error(`No number steers a gift to be ${effect}.`);
  return { method: 'phone', phone } as const;
}

const ASKED = 'an order of an agent above the amount of its grant, and a decision in the portal or 30 days';

const link = { method: 'link' } as const;
const steered = (effect: SteeringEffect, does: string): Trigger => ({ does, delivery: phoneThat(effect) });

/** What makes each type of event: a trigger, or `instead` the command or page that does. */
export const triggers: Record<EventType, Trigger | { instead: string }> = {
  'order.created': { does: 'places an order', delivery: link },
  'order.processed': steered('processing', 'places an order whose gift is created after twenty seconds'),
  'order.canceled': {
    does: 'places an order and cancels it',
    delivery: link,
    followUp: ({ order_id }) => ({ method: 'POST', path: `/v1/orders/${order_id}/cancel` }),
  },
  'order_request.approved': { instead: ASKED },
  'order_request.declined': { instead: ASKED },
  'order_request.expired': { instead: ASKED },
  'gift.sent': { instead: 'a live order of a gift by email or phone: the sandbox sends no messages' },
  'gift.delivered': steered('delivered', 'orders a gift that is delivered'),
  'gift.delivery_failed': steered('failed', 'orders a gift whose delivery fails'),
  'gift.redirected': {
    does: 'orders a gift whose delivery fails and sends it to another address',
    delivery: phoneThat('failed'),
    followUp: ({ gift_id }) => ({
      method: 'PUT',
      path: `/v1/gifts/${gift_id}/delivery`,
      body: phoneThat('delivered'),
    }),
  },
  'gift.opened': steered('opened', 'orders a gift that is opened'),
  'gift.claimed': steered('claimed', 'orders a gift that is claimed'),
  'gift.spent': steered('spent', 'orders a gift that is claimed and spent'),
  'gift.held': { instead: 'bestow gift hold GIFT' },
  'gift.released': { instead: 'bestow gift release GIFT' },
  'gift.thanked': { instead: 'a thank-you note on the page of a claimed gift' },
  'gift.declined': { instead: '“I do not want this gift” on the page of an unclaimed gift' },
  'gift.canceled': {
    does: 'orders a gift and cancels it',
    delivery: link,
    followUp: ({ gift_id }) => ({ method: 'POST', path: `/v1/gifts/${gift_id}/cancel` }),
  },
  'gift.expired': { instead: 'bestow org program ORG --program award --unclaimed-after-days 30, and the time' },
  'balance.funded': { instead: 'bestow balance add --org ORG --environment sandbox --amount 100000' },
  'balance.low': { instead: 'an alert on the portal’s balance page, and orders until the balance is below it' },
  'key.created': { instead: 'bestow key create --org ORG --environment sandbox --name NAME' },
  'key.revoked': { instead: 'bestow key revoke KEY' },
  'organization.suspended': { instead: 'bestow org suspend ORG' },
  'organization.reinstated': { instead: 'bestow org reinstate ORG' },
  'organization.gifts_held': { instead: 'bestow gift hold --org ORG' },
  'organization.gifts_released': { instead: 'bestow gift release --org ORG' },
  'database.restored': { instead: 'bestow restore finish, after a restore of the database' },
  'sandbox.reset': { instead: 'POST /v1/sandbox/reset, which deletes everything in the sandbox' },
};
