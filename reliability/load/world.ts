import type { Environment } from '../../server/src/base/environment.ts';

/** Somebody whose key sends the load. */
export interface LoadOrganization {
  organizationId: string;
  environment: Environment;
  key: string;
  /** Its own number: addresses and names of its gifts carry it, so that they are never another one's. */
  number: number;
  /** Whether its sandbox may be reset in the middle of everything. */
  resets: boolean;
}

export interface SentOrder {
  idempotencyKey: string;
  body: { gifts: SentGift[] };
  orderId: string | undefined;
}

export interface SentGift {
  amount: number;
  category: string;
  delivery: { method: 'link' } | { method: 'email'; email: string } | { method: 'phone'; phone: string };
  personalization?: { recipient_name?: string; sender_name?: string };
}

export interface KnownGift {
  giftId: string;
  method: 'email' | 'phone' | 'link';
  /** `/g/…` */
  linkPath: string | undefined;
}

/** What the clients of one organization know of it; the oldest is forgotten. */
export interface OrganizationWorld {
  organization: LoadOrganization;
  orders: SentOrder[];
  gifts: KnownGift[];
  /** How many gifts were sent, for addresses that are all different. */
  sentGifts: number;
}

const MAX_KNOWN = 200;

export const createWorld = (organizations: readonly LoadOrganization[]): OrganizationWorld[] =>
  organizations.map((organization) => ({ organization, orders: [], gifts: [], sentGifts: 0 }));

export function remember<Item>(items: Item[], item: Item): void {
  items.push(item);
  if (items.length > MAX_KNOWN) items.shift();
}

interface GiftAnswer {
  gift_id: string;
  delivery: { method: KnownGift['method']; link?: string };
}

export function rememberGift(world: OrganizationWorld, { gift_id, delivery }: GiftAnswer): void {
  const { method, link } = delivery;
  remember(world.gifts, { giftId: gift_id, method, linkPath: link?.slice(link.indexOf('/g/')) });
}
