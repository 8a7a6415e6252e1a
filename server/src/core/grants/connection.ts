import { hashKey } from '../../platform/authentication/key-format.ts';
import type { Environment } from '../../platform/base/environment.ts';
import type { Deps } from '../deps.ts';
import * as queries from './queries.ts';

type ConnectionDeps = Pick<Deps, 'database' | 'clock'>;

/** Finds the environment of an assistant’s grant; undefined if it has ended. @param grant UUIDs */
export async function findConnection(
  { database, clock }: ConnectionDeps,
  { organizationId, grantId }: { organizationId: string; grantId: string },
): Promise<Environment | undefined> {
  const now = new Date(clock.now());
  const [grant] = await queries.selectActiveConnection(database.pool, [organizationId, grantId, now]);
  return grant?.environment;
}

/** Ends a token of an assistant before its time; the grant stays. Does nothing for tokens of other clients. */
export async function endToken(
  { database, clock }: ConnectionDeps,
  { organizationId, token, clientId }: { organizationId: string; token: string; clientId: string },
): Promise<void> {
  await queries.endToken(database.pool, [organizationId, hashKey(token), clientId, new Date(clock.now())]);
}
