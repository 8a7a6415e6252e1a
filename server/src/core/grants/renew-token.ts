import { createKey, hashKey, keyHint } from '../../platform/authentication/key-format.ts';
import { inOrganization } from '../../platform/database/in-organization.ts';
import type { Deps } from '../deps.ts';
import * as queries from './queries.ts';

/** Half an hour. */
export const TOKEN_SECONDS = 1_800;

/**
 * Gives an assistant that a member signed in its next token; the one before is refused from then on. The token stays one key,
 * so that orders, caps and the log know it as one.
 *
 * @param grant UUIDs
 * @returns undefined if the grant has ended
 */
export const renewToken = (
  { database, clock, ids }: Pick<Deps, 'database' | 'clock' | 'ids'>,
  { organizationId, grantId }: { organizationId: string; grantId: string },
): Promise<string | undefined> =>
  inOrganization(database, organizationId, async (client) => {
    const now = new Date(clock.now());
    const [locked] = await queries.lockActiveGrant(client, [organizationId, grantId, now]);
    const [grant] = await queries.selectActiveConnection(client, [organizationId, grantId, now]);
    if (locked === undefined || grant === undefined) return undefined;
    const token = createKey(grant.environment, organizationId, 'agent');
    const [hash, hint] = [hashKey(token), keyHint(token)];
    const expiresAt = new Date(now.getTime() + TOKEN_SECONDS * 1_000);
    const [renewed] = await queries.renewToken(client, [organizationId, grantId, hash, hint, expiresAt]);
    if (renewed === undefined) {
      const made = [hash, hint, grant.created_by, now, expiresAt] as const;
      await queries.insertToken(client, [organizationId, ids.next(), grantId, ...made]);
    }
    return token;
  });
