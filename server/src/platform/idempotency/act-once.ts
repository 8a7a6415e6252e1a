import type { PoolClient } from 'pg';
import { type Caller, parametersOf, requireAdmitted } from '../authentication/caller.ts';
import { errorCode } from '../base/error-code.ts';
import { BestowError } from '../base/errors.ts';
import { LOCK_TIMEOUT_MS } from '../database/connections.ts';
import { inOrganization } from '../database/in-organization.ts';
import type { PlatformDeps } from '../deps.ts';
import * as queries from './queries.ts';

const LOCK_NOT_AVAILABLE = '55P03';

/** A request that may have an `Idempotency-Key`. */
export interface OnceRequest {
  /** Undefined: the request had none, and the act runs. */
  key: string | undefined;
  /** Method and path with ids, such as `POST /v1/gifts/gift_…/cancel`. */
  operation: string;
  /** SHA-256 of the body. */
  fingerprint: Buffer;
  /** UUID of what the act creates. */
  resourceId?: string;
}

/** Rolls the transaction back, and with it the record of the key. */
class NothingDone extends Error {}

/**
 * Runs the act in a transaction on the organization's server, unless a request with the same key did so before: then the
 * answer is the resource as it is now. An act that fails or returns undefined does not use up the key.
 *
 * @throws BestowError as `requireAdmitted`; `idempotency_key_reused` for another path or body; `idempotency_in_progress` if
 *   the first request takes longer than the lock time-out
 */
export async function actOnce<Result extends object>(
  deps: Pick<PlatformDeps, 'clock' | 'database'>,
  caller: Caller,
  once: OnceRequest | undefined,
  act: (client: PoolClient) => Promise<Result | undefined>,
): Promise<Result | 'replayed' | undefined> {
  const run = async (client: PoolClient) => {
    if (once?.key === undefined) return await act(client);
    if (await wasDone(client, deps, caller, once)) return 'replayed';
    const result = await act(client);
    if (result === undefined) throw new NothingDone();
    return result;
  };
  try {
    return await inOrganization(deps.database, caller.organizationId, run, { lockWaitMs: LOCK_TIMEOUT_MS });
  } catch (error) {
    if (error instanceof NothingDone) return undefined;
    throw error;
  }
}

/** Records the key, or finds the request that recorded it before. */
async function wasDone(
  client: PoolClient,
  { clock }: Pick<PlatformDeps, 'clock'>,
  caller: Caller,
  { key = '', operation, fingerprint, resourceId }: OnceRequest,
): Promise<boolean> {
  const now = new Date(clock.now());
  const [row] = await queries
    .insertRequest(client, [...parametersOf(caller), key, operation, fingerprint, now, resourceId ?? null])
    .catch((error: unknown) => {
      if (errorCode(error) === LOCK_NOT_AVAILABLE) throw new BestowError('idempotency_in_progress');
      throw error;
    });
  requireAdmitted(caller, row);
  if (row.is_new) return false;
  const [earlier] = await queries.selectRequest(client, [caller.organizationId, caller.environment, key]);
  if (earlier === undefined) throw new BestowError('idempotency_in_progress');
  if (earlier.operation !== operation || !earlier.fingerprint.equals(fingerprint))
    throw new BestowError('idempotency_key_reused', {
      param: 'Idempotency-Key',
      message: 'This Idempotency-Key belongs to an earlier request with another path or body.',
    });
  return true;
}

/** Returns the UUID of what the first request with this key created; for an act that was `replayed`. */
export async function earlierResource(
  { database }: Pick<PlatformDeps, 'database'>,
  { organizationId, environment }: Caller,
  once: OnceRequest | undefined,
): Promise<string | undefined> {
  const [earlier] = await queries.selectRequest(database.pool, [organizationId, environment, once?.key ?? '']);
  return earlier?.resource_id ?? undefined;
}
