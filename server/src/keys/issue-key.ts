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

/** Both environments together (docs/decisions.md#keys-and-environments). */
export const MAX_ACTIVE_KEYS = 10;

interface NewKey {
  /** UUID. */
  organizationId: string;
  environment: Environment;
  /** 1 to 200 characters. */
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
 * Records a key and its creator in the caller's transaction. The organization's first sandbox key also creates the
 * sandbox; later keys do not restore a deleted sandbox.
 *
 * @throws OperatorError if the organization has ten active keys
 */
export async function issueKey(
  client: PoolClient,
  deps: Pick<Deps, 'clock' | 'ids'>,
  action: 'key.created' | 'key.imported',
  { organizationId, environment, name, key, actor }: NewKey,
): Promise<IssuedKey> {
  await lockOrganization(client, organizationId);
  // A separate statement after the lock, so that its snapshot includes the keys of the previous lock holder.
  const [active] = await queries.countActiveKeys(client, [organizationId]);
  if (active === undefined || active.count >= MAX_ACTIVE_KEYS)
    throw new OperatorError(
      `${encodeId('org', organizationId)} already has ${MAX_ACTIVE_KEYS} active keys, the maximum. Revoke one first.`,
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
