import { decodeId } from '../../../server/src/platform/base/ids.ts';
import { createApiClient, linkGift } from '../../../server/test/harness/api-client.ts';
import type { LoadOrganization } from '../../load/state.ts';
import { pick } from '../random.ts';
import type { IssuerCall, Operation } from './fake-issuer.ts';
import { type Lie, lies, quickLies } from './lies.ts';

/**
 * When the server of a claim is killed, in the order of a claim. A `lock` holds a row, so that the statement after the call
 * is waiting when the server dies.
 */
export const steps = [
  { name: 'before claiming is committed', operation: undefined, lock: 'gifts' },
  { name: 'claiming', operation: 'holder', moment: 'before' },
  { name: 'holder created', operation: 'holder', moment: 'after' },
  { name: 'before the card', operation: 'card', moment: 'before' },
  { name: 'card created', operation: 'card', moment: 'after' },
  { name: 'before claimed is committed', operation: 'card', lock: 'gifts' },
  { name: 'claimed', operation: 'activate', moment: 'before' },
  { name: 'activated', operation: 'activate', moment: 'after' },
  { name: 'before active is committed', operation: 'activate', lock: 'cards' },
  { name: 'active', operation: 'activate' },
] as const satisfies readonly {
  name: string;
  operation: Operation | undefined;
  moment?: 'before' | 'after';
  lock?: 'gifts' | 'cards';
}[];

export type Step = (typeof steps)[number];

export interface Claim {
  /** UUID. */
  giftId: string;
  token: string;
  step: Step;
  /** Each is used once, after the kill. */
  lies: { operation: Operation; lie: Lie }[];
  /** Resolves when the claim is at its step. */
  reached: PromiseWithResolvers<void>;
  /** Resolves when its server was killed. */
  killed: PromiseWithResolvers<void>;
  isKilled: boolean;
  killedAtMs: number;
  /** Holds the gift's row until its server was killed. */
  lock?: (table: 'gifts' | 'cards') => Promise<void>;
}

export const VALUE_CENTS = 2_500;
const GIFTS_OF_AN_ORDER = 10;

interface Plan {
  random: () => number;
  isQuick: boolean;
  /** Calls that a claim makes. */
  operations: readonly Operation[];
}

/** Buys the gifts, and draws which claim is killed at which step and what the provider does afterwards. */
export async function planClaims(
  url: string,
  { key }: LoadOrganization,
  { count, random, isQuick, operations }: Plan & { count: number },
): Promise<Claim[]> {
  const api = createApiClient(url, key);
  const claims: Claim[] = [];
  const possible = steps.filter(({ operation }) => operation === undefined || operations.includes(operation));
  while (claims.length < count) {
    const gifts = Array.from({ length: Math.min(GIFTS_OF_AN_ORDER, count - claims.length) }, () =>
      linkGift(VALUE_CENTS),
    );
    const { status, body } = await api.order(gifts);
    if (status !== 201) throw new Error(`An order was answered with ${status}.`);
    for (const { gift_id, delivery } of body.gifts)
      claims.push({
        giftId: decodeId('gift', gift_id) ?? '',
        token: delivery.link.slice(delivery.link.indexOf('/g/') + 3),
        ...planClaim(possible[claims.length % possible.length] as Step, { random, isQuick, operations }),
      });
  }
  return claims;
}

function planClaim(step: Step, { random, isQuick, operations }: Plan): Omit<Claim, 'giftId' | 'token'> {
  const told = isQuick ? quickLies : lies;
  const next = step.operation === undefined ? 0 : operations.indexOf(step.operation);
  const count = Math.floor(random() * (isQuick ? 2 : 4));
  return {
    step,
    lies: Array.from({ length: count }, () => ({
      operation: pick(random, operations.slice(next)),
      lie: pick(random, told),
    })),
    reached: Promise.withResolvers(),
    killed: Promise.withResolvers(),
    isKilled: false,
    killedAtMs: 0,
  };
}

/** Takes the next lie for this call. */
export function takeLie({ lies: left }: Claim, { operation }: IssuerCall): Lie | undefined {
  const index = left.findIndex((one) => one.operation === operation);
  return index < 0 ? undefined : left.splice(index, 1)[0]?.lie;
}
