import type { Deps } from '../../core/deps.ts';
import type { Caller } from '../../platform/authentication/caller.ts';
import { BestowError } from '../../platform/base/errors.ts';
import { actOnce, type OnceRequest } from '../../platform/idempotency/act-once.ts';
import * as queries from './delivery-queries.ts';
import { findEndpoint } from './find-endpoint.ts';

interface Resend {
  caller: Caller;
  /** UUID. */
  endpointId: string;
  once?: OnceRequest | undefined;
}

const SLICE = 50_000;

type ResendDeps = Pick<Deps, 'clock' | 'database'>;

/** Sends one event again, with ten tries. @throws BestowError `resource_missing`; as `actOnce` */
export async function resendDelivery(
  deps: ResendDeps,
  { caller, endpointId, once }: Resend,
  eventId: string,
): Promise<{ isReplay: boolean }> {
  const resent = await actOnce(deps, caller, once, async (client) => {
    await findEndpoint(client, caller, endpointId);
    const key = [caller.organizationId, caller.environment, endpointId] as const;
    await queries.endPause(client, [...key]);
    const [row] = await queries.resendDelivery(client, [...key, eventId, new Date(deps.clock.now())]);
    return row;
  });
  if (resent === undefined) throw new BestowError('resource_missing');
  return { isReplay: resent === 'replayed' };
}

/**
 * Sends all failed deliveries again, or all of a time on; returns how many.
 *
 * @throws BestowError `resource_missing`; as `actOnce`
 */
export async function resendDeliveries(
  deps: ResendDeps,
  { caller, endpointId, once }: Resend,
  from: Date | undefined,
): Promise<{ count: number; isReplay: boolean }> {
  const resent = await actOnce(deps, caller, once, async (client) => {
    await findEndpoint(client, caller, endpointId);
    const key = [caller.organizationId, caller.environment, endpointId] as const;
    await queries.endPause(client, [...key]);
    const now = new Date(deps.clock.now());
    let count = 0;
    for (let after: number | null = 0; after !== null; ) {
      const slice: Parameters<typeof queries.resendDeliveries>[1] = [...key, from ?? null, now, after, SLICE];
      const [row] = await queries.resendDeliveries(client, slice);
      count += row?.count ?? 0;
      after = row?.last_sequence ?? null;
    }
    return { count };
  });
  if (resent === 'replayed') return { count: 0, isReplay: true };
  return { count: resent?.count ?? 0, isReplay: false };
}
