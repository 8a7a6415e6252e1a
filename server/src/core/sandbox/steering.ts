import { type Destination, isInMailDomain } from '../../platform/base/destination.ts';
import type { Environment } from '../../platform/base/environment.ts';
import type { IdGenerator } from '../../platform/base/ids.ts';
import { OutcomeUnknown } from '../../platform/base/outcome-unknown.ts';
import type { Deps } from '../deps.ts';
import type { GiftState } from '../gifts/gift/queries.ts';

/** What an address does to its gift or to the whole order. */
export type SteeringEffect =
  | 'delivered'
  | 'failed'
  | 'opened'
  | 'claimed'
  | 'spent'
  | 'processing'
  | 'insufficient_balance'
  | 'internal_error'
  | 'rate_limit_exceeded'
  | 'response_lost'
  | 'slow'
  | 'resource_locked'
  | 'idempotency_in_progress';

interface SteeringAddress {
  effect: SteeringEffect;
  localParts: readonly string[];
  phone: string;
  description: string;
}

/** See docs/decisions.md#sandbox-steering. Those from `rate-limited` on are additions for testing retries. */
export const steeringAddresses: readonly SteeringAddress[] = [
  {
    effect: 'delivered',
    localParts: ['delivered'],
    phone: '+12025550100',
    description: 'The delivery is settled as delivered; the status is `sent`.',
  },
  {
    effect: 'failed',
    localParts: ['delivery-failed', 'bounced'],
    phone: '+12025550101',
    description: 'The delivery fails; the status is `failed`.',
  },
  {
    effect: 'opened',
    localParts: ['opened'],
    phone: '+12025550102',
    description: 'The gift is delivered and opened; the status is `opened`.',
  },
  {
    effect: 'claimed',
    localParts: ['claimed'],
    phone: '+12025550103',
    description: 'The gift is delivered, opened and claimed; the status is `claimed`.',
  },
  {
    effect: 'spent',
    localParts: ['spent'],
    phone: '+12025550104',
    description: 'The gift is delivered, opened, claimed and spent; the status stays `claimed`.',
  },
  {
    effect: 'processing',
    localParts: ['processing'],
    phone: '+12025550105',
    description: 'The order stays `processing` for twenty seconds; this gift and those after it are created then.',
  },
  {
    effect: 'insufficient_balance',
    localParts: ['insufficient-balance'],
    phone: '+12025550106',
    description: 'The whole order is refused with 402 `insufficient_balance`; nothing is created or charged.',
  },
  {
    effect: 'internal_error',
    localParts: ['internal-error'],
    phone: '+12025550107',
    description: 'The whole order is refused with 500 `internal_error`; nothing is created or charged.',
  },
  {
    effect: 'rate_limit_exceeded',
    localParts: ['rate-limited'],
    phone: '+12025550108',
    description:
      'The first try of an `Idempotency-Key` is refused with 429 `rate_limit_exceeded` and `Retry-After: 1`; the next places the order.',
  },
  {
    effect: 'response_lost',
    localParts: ['response-lost'],
    phone: '+12025550109',
    description: 'The order is placed, then the connection is dropped without an answer; a retry is answered.',
  },
  {
    effect: 'slow',
    localParts: ['slow'],
    phone: '+12025550110',
    description: 'The order is placed, and the answer comes after five seconds; a retry is answered at once.',
  },
  {
    effect: 'resource_locked',
    localParts: ['resource-locked'],
    phone: '+12025550111',
    description:
      'The first try of an `Idempotency-Key` is refused with 409 `resource_locked` and `Retry-After: 1`; the next places the order.',
  },
  {
    effect: 'idempotency_in_progress',
    localParts: ['in-progress'],
    phone: '+12025550112',
    description:
      'The first try of an `Idempotency-Key` is refused with 409 `idempotency_in_progress` and `Retry-After: 1`; the next places the order.',
  },
];

const effectOfLocalPart = new Map(
  steeringAddresses.flatMap(({ localParts, effect }) => localParts.map((localPart) => [localPart, effect] as const)),
);
const effectOfPhone = new Map(steeringAddresses.map(({ phone, effect }) => [phone, effect]));

/** Returns the effect of a sandbox address; undefined for other addresses, links and live gifts. */
export function steer(
  environment: Environment,
  mailDomain: string,
  { method, address }: Destination,
): SteeringEffect | undefined {
  if (environment !== 'sandbox' || address === null) return undefined;
  if (method === 'phone') return effectOfPhone.get(address);
  if (!isInMailDomain(mailDomain, address)) return undefined;
  // A +label keeps parallel tests apart. Addresses are ASCII.
  const [localPart = ''] = address.slice(0, address.lastIndexOf('@')).toLowerCase().split('+', 1);
  return effectOfLocalPart.get(localPart);
}

interface InitialState extends GiftState {
  card_id: string | null;
  isSpent: boolean;
}

/** How far each effect takes a gift along `sent → opened → claimed → spent`. */
const reach: Partial<Record<SteeringEffect, number>> = { opened: 1, claimed: 2, spent: 3 };

/** Returns the state that a gift begins in: pending, null for a link, or further if its address steers it. */
export function initialState(
  ids: IdGenerator,
  now: Date,
  { method }: Destination,
  effect: SteeringEffect | undefined,
): InitialState {
  const steps = (effect && reach[effect]) ?? 0;
  const isDelivered = effect === 'delivered' || steps > 0;
  const delivery = isDelivered ? 'delivered' : effect === 'failed' ? 'failed' : 'pending';
  return {
    delivery_state: method === 'link' ? null : delivery,
    opened_at: steps >= 1 ? now : null,
    claimed_at: steps >= 2 ? now : null,
    card_id: steps >= 2 ? ids.next() : null,
    isSpent: steps >= 3,
  };
}

const SLOW_MS = 5_000;
/** Each slow answer holds a client connection; above this number, answers are not delayed. */
const MAX_SLOW = 500;

/**
 * Delays or drops the answer to a committed request.
 *
 * @throws OutcomeUnknown if an address asks to drop the connection
 */
type SteerAnswer = (effects: readonly (SteeringEffect | undefined)[]) => Promise<void>;

export function createAnswerSteering({ clock }: Pick<Deps, 'clock'>): SteerAnswer {
  let slow = 0;
  return async (effects) => {
    if (effects.includes('slow') && slow < MAX_SLOW) {
      slow += 1;
      await new Promise<void>((resolve) => {
        clock.setTimeout(resolve, SLOW_MS);
      });
      slow -= 1;
    }
    if (effects.includes('response_lost')) throw new OutcomeUnknown('The address asks for it.', { isSteered: true });
  };
}
