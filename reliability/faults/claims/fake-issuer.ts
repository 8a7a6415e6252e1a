import { decodeId } from '../../../server/src/platform/base/ids.ts';
import { startLithic } from '../../../server/test/capabilities/lithic/server.ts';
import { startStripe } from '../../../server/test/capabilities/stripe/server.ts';
import { startTremendous } from '../../../server/test/capabilities/tremendous/server.ts';
import { stripeForm, stripeSettings } from '../../../server/test/harness/choose-stripe.ts';
import { lithicForm, lithicSettings } from '../../../server/test/harness/lithic-network.ts';
import { ordersOf, tremendousSettings } from '../../../server/test/harness/tremendous-network.ts';

/** Calls of a claim in their order; the first looks for what exists, or makes the holder. */
export type Operation = 'holder' | 'card' | 'activate';

/** A call of the service that is about a gift. */
export interface IssuerCall {
  operation: Operation;
  giftId: string;
}

/** A fake of a provider, as claims use it. Gifts are UUIDs. */
export interface FakeIssuer {
  kind: string;
  url: string;
  settings: Record<string, string>;
  /** The recipient's answers. */
  form: Record<string, string>;
  /** Those that its claims make. */
  operations: readonly Operation[];
  /** Undefined if a claim does not stop there. */
  callOf(method: string, path: string, body: string): IssuerCall | undefined;
  cardsOf(giftId: string): { id: string; isActive: boolean; limitCents: number; holderGiftId: string }[];
  /** What its balance paid for cards, if it pays before purchases. */
  paidCents?(): number;
  /** Tells it the address of what stands before it, to which its links lead. */
  reachedAt?(url: string): void;
  close(): Promise<void>;
}

const CLOCK = { now: () => Date.now() };

export async function fakeStripe(): Promise<FakeIssuer> {
  const stripe = await startStripe(CLOCK);
  const { account } = stripe;
  return {
    kind: 'stripe',
    url: stripe.url,
    settings: stripeSettings(stripe),
    form: stripeForm,
    operations: ['holder', 'card', 'activate'],
    callOf(method, path, body) {
      if (method !== 'POST') return undefined;
      const form = new URLSearchParams(body);
      const giftId = form.get('metadata[gift]') ?? '';
      if (path === '/v1/issuing/cardholders') return { operation: 'holder', giftId };
      if (path === '/v1/issuing/cards') return { operation: 'card', giftId };
      const card = account.objects.get(/^\/v1\/issuing\/cards\/(\w+)$/.exec(path)?.[1] ?? '');
      return card === undefined || form.get('status') !== 'active'
        ? undefined
        : { operation: 'activate', giftId: card.metadata.gift };
    },
    cardsOf: (giftId) =>
      account
        .all('issuing.card', ({ metadata }) => metadata.gift === giftId)
        .map(({ id, status, cardholder, spending_controls: { spending_limits } }) => ({
          id,
          isActive: status === 'active',
          holderGiftId: cardholder.metadata.gift,
          limitCents: spending_limits.reduce((sum: number, { amount }: { amount: number }) => sum + amount, 0),
        })),
    close: () => stripe.close(),
  };
}

/** The gift of a key such as `gift_…-1`, which holders and memos of cards have. */
const giftOf = (key = '') => decodeId('gift', key.split('-')[0] ?? '') ?? '';

export async function fakeLithic(): Promise<FakeIssuer> {
  const lithic = await startLithic(CLOCK);
  const { cards, holders } = lithic.state;
  return {
    kind: 'lithic',
    url: lithic.url,
    settings: lithicSettings(lithic),
    form: lithicForm,
    operations: ['holder', 'card', 'activate'],
    callOf(method, path, body) {
      const { external_id, memo, state } = body === '' ? {} : JSON.parse(body);
      if (method === 'POST' && path === '/v1/account_holders')
        return { operation: 'holder', giftId: giftOf(external_id) };
      if (method === 'POST' && path === '/v1/cards') return { operation: 'card', giftId: giftOf(memo) };
      const card = cards.get(/^\/v1\/cards\/([\w-]+)$/.exec(path)?.[1] ?? '');
      return card === undefined || method !== 'PATCH' || state !== 'OPEN'
        ? undefined
        : { operation: 'activate', giftId: giftOf(card.memo) };
    },
    cardsOf: (giftId) =>
      [...cards.values()]
        .filter(({ memo }) => giftOf(memo) === giftId)
        .map(({ token, state, spend_limit, account_token }) => ({
          id: token,
          isActive: state === 'OPEN',
          limitCents: spend_limit,
          holderGiftId: giftOf(holders.find((holder) => holder.account_token === account_token)?.external_id),
        })),
    close: () => lithic.close(),
  };
}

const FUNDS_CENTS = 100_000_000;

/** A reward works as soon as it is bought, so its claims have one call less. */
export async function fakeTremendous(): Promise<FakeIssuer> {
  const tremendous = await startTremendous(CLOCK);
  tremendous.state.availableCents = FUNDS_CENTS;
  return {
    kind: 'tremendous',
    url: tremendous.url,
    settings: tremendousSettings(tremendous),
    form: {},
    operations: ['holder', 'card'],
    callOf(method, path, body) {
      const { pathname, searchParams } = new URL(path, tremendous.url);
      if (pathname !== '/api/v2/orders') return undefined;
      const externalId = method === 'POST' ? JSON.parse(body).external_id : searchParams.get('external_id');
      return { operation: method === 'POST' ? 'card' : 'holder', giftId: giftOf(externalId ?? '') };
    },
    cardsOf: (giftId) =>
      ordersOf(tremendous, giftId).map(({ status, external_id, rewards: [{ id, value }] }) => ({
        id,
        isActive: status === 'EXECUTED',
        holderGiftId: giftOf(external_id ?? ''),
        limitCents: Math.round(value.denomination * 100),
      })),
    paidCents: () => FUNDS_CENTS - tremendous.state.availableCents,
    reachedAt(url) {
      tremendous.state.url = url;
    },
    close: () => tremendous.close(),
  };
}
