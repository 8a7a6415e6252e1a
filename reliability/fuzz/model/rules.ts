import { effects, type NewDelivery, type NewGift } from './calls.ts';

export type Effect = (typeof effects)[number][number];

const MAIL_DOMAIN = '@sandbox.gift.test';

export const isImpossible = (delivery: NewDelivery) =>
  delivery.method === 'email' && delivery.email.toLowerCase().endsWith(MAIL_DOMAIN);

/** Returns what a steering address does. */
export function effectOf(delivery: NewDelivery): Effect | undefined {
  if (delivery.method === 'phone') {
    const number = /^\+1202555010([0-9])$/.exec(digitsOf(delivery.phone))?.[1];
    return number === undefined ? undefined : effects[Number(number)]?.[0];
  }
  if (!isImpossible(delivery) || delivery.method !== 'email') return undefined;
  const [localPart = ''] = delivery.email.toLowerCase().slice(0, -MAIL_DOMAIN.length).split('+', 1);
  return effects.flat().find((effect) => effect === localPart);
}

const digitsOf = (phone: string) => phone.replaceAll(/[ ()-]/g, '');

/** Normalizes a phone number to E.164. */
export const destination = (delivery: NewDelivery): NewDelivery =>
  delivery.method === 'phone' ? { method: 'phone', phone: digitsOf(delivery.phone) } : { ...delivery };

/** Returns the state of a gift that is sent to this address. */
export function initialState({ method }: NewDelivery, effect: Effect | undefined) {
  const steps = ['opened', 'claimed', 'spent'].indexOf(effect ?? '') + 1;
  const isFailed = effect === 'delivery-failed' || effect === 'bounced';
  const isDelivered = effect === 'delivered' || steps > 0;
  const state = isFailed ? ('failed' as const) : isDelivered ? ('delivered' as const) : ('pending' as const);
  return { state: method === 'link' ? ('none' as const) : state, isOpened: steps >= 1, isClaimed: steps >= 2 };
}

/** Returns the first invalid field. */
export function faultOfGifts(gifts: NewGift[]): string | undefined {
  for (const [index, { amount, delivery, personalization = {} }] of gifts.entries()) {
    const gift = `gifts[${index}]`;
    if (amount < 1000 || amount > 50_000) return `${gift}.amount`;
    if (delivery.method === 'email' && !delivery.email.includes('@')) return `${gift}.delivery.email`;
    if (delivery.method === 'phone' && !delivery.phone.startsWith('+')) return `${gift}.delivery.phone`;
    for (const field of ['recipient_name', 'sender_name'] as const)
      if (personalization[field] === '') return `${gift}.personalization.${field}`;
  }
  return undefined;
}
