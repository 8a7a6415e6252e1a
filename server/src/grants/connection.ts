import { hashKey } from '../authentication/key-format.ts';
import type { Deps } from '../deps.ts';
import * as queries from './queries.ts';

type ConnectionDeps = Pick<Deps, 'database' | 'clock'>;

/** Whether the grant of an assistant that a member signed in is still active. @param grant UUIDs */
export async function isConnected(
  { database, clock }: ConnectionDeps,
  { organizationId, grantId }: { organizationId: string; grantId: string },
): Promise<boolean> {
  const now = new Date(clock.now());
  return (await queries.selectActiveConnection(database.pool, [organizationId, grantId, now])).length > 0;
}

/** Ends a token of an assistant before its time; the grant stays. Does nothing for tokens of other clients. */
export async function endToken(
  { database, clock }: ConnectionDeps,
  { organizationId, token, clientId }: { organizationId: string; token: string; clientId: string },
): Promise<void> {
  await queries.endToken(database.pool, [organizationId, hashKey(token), clientId, new Date(clock.now())]);
}
