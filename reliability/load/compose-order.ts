import { pick } from '../faults/random.ts';
import type { LoadOrganization, OrganizationState, SentGift, SentOrder } from './state.ts';

const CATEGORIES = ['coffee', 'books', 'travel'] as const;
/** Local parts of steering addresses. */
const STEERED = ['bounced', 'bounced', 'bounced', 'delivered', 'opened', 'processing'] as const;

/** Composes a unique order of 1 to 3 gifts, sometimes 10. */
export function composeOrder(
  state: OrganizationState,
  random: () => number,
  { key, steers }: { key: string; steers: boolean },
): SentOrder {
  const count = random() < 0.05 ? 10 : 1 + Math.floor(random() * 3);
  const gifts = Array.from({ length: count }, () => composeGift(state, random, steers));
  return { idempotencyKey: key, body: { gifts }, orderId: undefined };
}

function composeGift(state: OrganizationState, random: () => number, steers: boolean): SentGift {
  state.sentGifts += 1;
  const { organization, sentGifts } = state;
  const label = `o${organization.number}${organization.environment === 'live' ? 'l' : 's'}-${sentGifts}`;
  const gift: SentGift = {
    amount: 1_000 + Math.floor(random() * 500),
    category: pick(random, CATEGORIES),
    delivery: composeDelivery(organization, label, { random, steers }),
  };
  const personalization = { recipient_name: `Person ${label}`, sender_name: `Sender ${label}` };
  return random() < 0.5 ? { ...gift, personalization } : gift;
}

function composeDelivery(
  { environment }: LoadOrganization,
  label: string,
  { random, steers }: { random: () => number; steers: boolean },
): SentGift['delivery'] {
  if (random() < 0.5) return { method: 'link' };
  if (environment === 'sandbox' && random() < 0.6) {
    const localPart = pick(random, STEERED);
    return { method: 'email', email: `${steers ? localPart : 'bounced'}+${label}@sandbox.gift.test` };
  }
  return { method: 'email', email: `${label}@people.example` };
}
