import type { ErrorCode } from '../../../server/src/errors.ts';
import { destination } from '../../../server/src/gifts/address.ts';
import type { NewGiftBody, RedirectBody } from '../../../server/src/gifts/schema.ts';
import { steer } from '../../../server/src/sandbox/steering.ts';
import { CATEGORIES, SANDBOX_MAIL_DOMAIN } from './drawn-request.ts';

/** What is known of a request that the description allows, before it is sent. */
export interface Facts {
  operationId: string;
  environment: 'live' | 'sandbox';
  /** The JSON value of the body. */
  body: unknown;
  /** What the idempotency key has been used for. */
  keyUse: 'fresh' | 'replayed' | 'reused';
  /** Cursors that name nothing in this list. */
  strayCursor: string | undefined;
}

/** A refusal of a request that the description allows: where we differ from “valid is accepted”, and why. */
export interface StateRule {
  operations: readonly string[];
  code: ErrorCode;
  reason: string;
  /** `always`: the request is refused so. `maybe`: it depends on what became of the gift. */
  refuses(facts: Facts): 'always' | 'maybe' | 'never';
  /** What the refusal names. */
  param?(facts: Facts): string | undefined;
}

const giftsOf = ({ body }: Facts) => (body as { gifts: NewGiftBody[] }).gifts;
const maybe = () => 'maybe' as const;
const alwaysIf = (isSo: boolean) => (isSo ? 'always' : 'never');

const unknownCategory = (facts: Facts) => giftsOf(facts).findIndex(({ category }) => !CATEGORIES.includes(category));

const isImpossible = ({ environment }: Facts, delivery: { method: string; email?: string }) =>
  environment === 'live' && delivery.email?.toLowerCase().endsWith(`@${SANDBOX_MAIL_DOMAIN}`) === true;

const impossibleAddress = (facts: Facts) => giftsOf(facts).findIndex(({ delivery }) => isImpossible(facts, delivery));

/** Of two offending gifts the first is told, its category before its address. */
const isBefore = (one: number, other: number) => one !== -1 && (other === -1 || one <= other);

const effectOf = ({ environment }: Facts, delivery: RedirectBody | NewGiftBody['delivery']) =>
  steer(environment, SANDBOX_MAIL_DOMAIN, destination(delivery));

const steeredFailures = ['insufficient_balance', 'internal_error', 'rate_limit_exceeded'] as const;

const steeredFailure = (facts: Facts) =>
  giftsOf(facts)
    .map(({ delivery }) => effectOf(facts, delivery))
    .find((effect) => steeredFailures.some((code) => code === effect));

/** Whether the address of the sandbox asks that what is done be done, and its answer lost. */
export function losesAnswer(facts: Facts): boolean {
  const { operationId, keyUse, body } = facts;
  if (operationId === 'redirectGift') return effectOf(facts, body as RedirectBody) === 'response_lost';
  if (operationId !== 'createOrder' || keyUse !== 'fresh') return false;
  return giftsOf(facts).some(({ delivery }) => effectOf(facts, delivery) === 'response_lost');
}

/** In the order in which the service looks (decisions, «Order of checks»); the first that always refuses is told. */
export const stateRules: readonly StateRule[] = [
  {
    operations: ['listOrders', 'listGifts'],
    code: 'cursor_invalid',
    reason: 'A cursor must name something of this list that the key can see; the description knows its pattern only.',
    refuses: ({ strayCursor }) => alwaysIf(strayCursor !== undefined),
    param: ({ strayCursor }) => strayCursor,
  },
  {
    operations: ['createOrder'],
    code: 'idempotency_key_reused',
    reason: 'An Idempotency-Key belongs to one body once an order was placed with it.',
    refuses: ({ keyUse }) => alwaysIf(keyUse === 'reused'),
  },
  {
    operations: ['createOrder'],
    code: 'parameter_invalid',
    reason: 'A category must exist in the catalog, which changes while the description does not.',
    refuses: (facts) =>
      alwaysIf(facts.keyUse === 'fresh' && isBefore(unknownCategory(facts), impossibleAddress(facts))),
    param: (facts) => `gifts[${unknownCategory(facts)}].category`,
  },
  {
    operations: ['createOrder'],
    code: 'parameter_invalid',
    reason: 'A live order must not go to the sandbox mail domain: nobody can be reached there.',
    refuses: (facts) => alwaysIf(facts.keyUse === 'fresh' && impossibleAddress(facts) !== -1),
    param: (facts) => `gifts[${impossibleAddress(facts)}].delivery.email`,
  },
  ...steeredFailures.map(
    (code): StateRule => ({
      operations: ['createOrder'],
      code,
      reason: 'The address of the sandbox asks for it, 429 at the first try of a key; no other 5xx is allowed.',
      refuses: (facts) => alwaysIf(facts.keyUse === 'fresh' && steeredFailure(facts) === code),
    }),
  ),
  {
    operations: ['redirectGift'],
    code: 'gift_delivery_not_updatable',
    reason: 'Only a gift whose delivery failed is redirected; in the live environment none fails here.',
    refuses: ({ environment }) => (environment === 'live' ? 'always' : 'maybe'),
  },
  {
    operations: ['redirectGift'],
    code: 'gift_resend_limit_reached',
    reason: 'A gift is redirected five times.',
    refuses: maybe,
  },
  {
    operations: ['redirectGift'],
    code: 'internal_error',
    reason: 'The address of the sandbox asks for it.',
    refuses: (facts) => alwaysIf(effectOf(facts, facts.body as RedirectBody) === 'internal_error'),
  },
  {
    operations: ['simulateDelivery'],
    code: 'gift_delivery_not_simulatable',
    reason: 'A link gift is not delivered by the service.',
    refuses: maybe,
  },
  {
    operations: ['simulateDelivery'],
    code: 'gift_already_delivered',
    reason: 'A delivery is settled once.',
    refuses: maybe,
  },
  {
    operations: ['simulateClaim'],
    code: 'gift_already_redeemed',
    reason: 'A gift is claimed once.',
    refuses: maybe,
  },
  {
    operations: ['simulateSpend'],
    code: 'gift_not_claimed',
    reason: 'Only a claimed gift has a card.',
    refuses: maybe,
  },
];
