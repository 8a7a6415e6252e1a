import { destination } from '../../platform/base/destination.ts';
import type { Scope } from '../../platform/base/principal.ts';
import type { Deps } from '../deps.ts';
import type { GiftInputBody } from '../gifts/gift/schema.ts';
import { recordFirstTry } from './record-first-try.ts';
import { initialState, type SteeringEffect, steer } from './steering.ts';

/** Only the first try of a key meets these. */
const PASSING = ['rate_limit_exceeded', 'resource_locked', 'idempotency_in_progress'] as const;
const FAILURES = ['insufficient_balance', 'internal_error', ...PASSING] as const;
type Failure = (typeof FAILURES)[number];

/**
 * Reads how the addresses of a sandbox order want it to begin: refused, with gifts in a later state, or with gifts that are
 * created later. Undefined for a live order, or if no address asks for anything.
 */
export function steerOrder(
  deps: Pick<Deps, 'clock' | 'config' | 'database' | 'ids'>,
  { organizationId, environment }: Scope,
  idempotencyKey: string,
  gifts: readonly Pick<GiftInputBody, 'delivery'>[],
) {
  if (environment === 'live') return undefined;
  const targets = gifts.map(({ delivery }) => destination(delivery));
  const effects = targets.map((target) => steer(environment, deps.config.sandboxMailDomain, target));
  if (effects.every((effect) => effect === undefined)) return undefined;
  const failures = effects.filter(isFailure);
  const firstLaterGift = effects.indexOf('processing');

  /** The first failure. The first try of a key counts once nothing else refuses it. */
  async function refusal(): Promise<Failure | undefined> {
    const [first] = failures;
    const isFirstTry = isPassing(first) && (await recordFirstTry(deps, organizationId, idempotencyKey));
    return isFirstTry ? first : failures.find((failure) => !isPassing(failure));
  }

  return {
    effects,
    refusal: failures.length === 0 ? undefined : refusal,
    firstLaterGift: firstLaterGift === -1 ? undefined : firstLaterGift,
    stateOf: (position: number, now: Date) =>
      initialState(deps.ids, now, targets[position] ?? { method: 'link', address: null }, effects[position]),
  };
}

const isPassing = (failure: Failure | undefined) => PASSING.some((one) => one === failure);
const isFailure = (effect: SteeringEffect | undefined): effect is Failure => FAILURES.some((one) => one === effect);
