import type { PoolClient } from 'pg';
import { recordEvent } from '../audit/record-event.ts';
import { type Actor, actorName } from '../base/actor.ts';
import type { Environment } from '../base/environment.ts';
import { encodeId } from '../base/ids.ts';
import { OperatorError } from '../base/operator-error.ts';
import type { Deps } from '../deps.ts';
import { lockOrganization } from '../organizations/lock-organization.ts';
import { openSandbox } from '../sandbox/create-sandbox.ts';
import { hashKey, keyHint } from './key-format.ts';
import * as queries from './queries.ts';

/** Both environments together (specification, part 8). */
export const MAX_ACTIVE_KEYS = 10;

interface NewKey {
  /** UUID. */
  organizationId: string;
  environment: Environment;
  /** 1 to 200 characters, for people. */
  name: string;
  key: string;
  actor: Actor;
}

export interface IssuedKey {
  key_id: string;
  organization_id: string;
  environment: Environment;
  name: string;
  hint: string;
  created_by: string;
  created_at: Date;
}

/**
 * Records a key and who made it, within the caller's transaction. The organization's first sandbox key brings its sandbox into being; a
 * sandbox that was deleted later does not come back by itself.
 *
 * @throws OperatorError where the organization has ten active keys
 */
export async function issueKey(
  client: PoolClient,
  deps: Pick<Deps, 'clock' | 'ids'>,
  action: 'key.created' | 'key.imported',
  { organizationId, environment, name, key, actor }: NewKey,
): Promise<IssuedKey> {
  await lockOrganization(client, organizationId);
  // A statement of its own after the lock: its snapshot holds the keys of whoever had the lock before.
  const [active] = await queries.countActiveKeys(client, [organizationId]);
  if (active === undefined || active.count >= MAX_ACTIVE_KEYS)
    throw new OperatorError(
      `${encodeId('org', organizationId)} has ${MAX_ACTIVE_KEYS} active keys, which is the most; revoke one first.`,
    );
  if (environment === 'sandbox') {
    const [earlier] = await queries.countSandboxKeys(client, [organizationId]);
    if (earlier?.count === 0) await openSandbox(client, deps, { organizationId, actor });
  }
  const keyId = deps.ids.next();
  const shownId = encodeId('key', keyId);
  const createdAt = new Date(deps.clock.now());
  const hint = keyHint(key);
  const createdBy = actorName(actor);
  await queries.insertKey(client, [organizationId, keyId, environment, name, hashKey(key), hint, createdBy, createdAt]);
  const details = { name, hint };
  await recordEvent(client, deps, actor, { organizationId, environment, action, target: shownId, details });
  return {
    key_id: shownId,
    organization_id: encodeId('org', organizationId),
    environment,
    name,
    hint,
    created_by: createdBy,
    created_at: createdAt,
  };
}
