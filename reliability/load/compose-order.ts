import { pick } from '../faults/random.ts';
import type { LoadOrganization, OrganizationWorld, SentGift, SentOrder } from './world.ts';

const CATEGORIES = ['coffee', 'books', 'travel'] as const;
/** Addresses of the sandbox that do something; a label keeps them apart. */
const STEERED = ['bounced', 'bounced', 'bounced', 'delivered', 'opened', 'processing'] as const;

/** An order that nobody else sends: 1 to 3 gifts, now and then 10. */
export function composeOrder(
  world: OrganizationWorld,
  random: () => number,
  { key, steers }: { key: string; steers: boolean },
): SentOrder {
  const count = random() < 0.05 ? 10 : 1 + Math.floor(random() * 3);
  const gifts = Array.from({ length: count }, () => composeGift(world, random, steers));
  return { idempotencyKey: key, body: { gifts }, orderId: undefined };
}

function composeGift(world: OrganizationWorld, random: () => number, steers: boolean): SentGift {
  world.sentGifts += 1;
  const { organization, sentGifts } = world;
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
