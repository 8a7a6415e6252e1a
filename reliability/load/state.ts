import type { Environment } from '../../server/src/platform/base/environment.ts';

/** An organization's environment with its key. */
export interface LoadOrganization {
  organizationId: string;
  environment: Environment;
  key: string;
  /** Part of all its addresses and names. */
  number: number;
  /** Whether the load resets its sandbox. */
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

/** The latest orders and gifts that the clients of an organization know. */
export interface OrganizationState {
  organization: LoadOrganization;
  orders: SentOrder[];
  gifts: KnownGift[];
  /** Makes addresses unique. */
  sentGifts: number;
}

const MAX_KNOWN = 200;

export const createStates = (organizations: readonly LoadOrganization[]): OrganizationState[] =>
  organizations.map((organization) => ({ organization, orders: [], gifts: [], sentGifts: 0 }));

export function remember<Item>(items: Item[], item: Item): void {
  items.push(item);
  if (items.length > MAX_KNOWN) items.shift();
}

interface GiftAnswer {
  gift_id: string;
  delivery: { method: KnownGift['method']; link?: string };
}

export function rememberGift(state: OrganizationState, { gift_id, delivery }: GiftAnswer): void {
  const { method, link } = delivery;
  remember(state.gifts, { giftId: gift_id, method, linkPath: link?.slice(link.indexOf('/g/')) });
}
