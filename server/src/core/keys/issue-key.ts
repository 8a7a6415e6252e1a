import type { PoolClient } from 'pg';
import { hashKey, keyHint } from '../../platform/authentication/key-format.ts';
import { type Actor, actorName } from '../../platform/base/actor.ts';
import type { Environment } from '../../platform/base/environment.ts';
import { encodeId } from '../../platform/base/ids.ts';
import { isNetwork } from '../../platform/base/network.ts';
import { OperatorError } from '../../platform/base/operator-error.ts';
import type { Deps } from '../deps.ts';
import { lockOrganization } from '../organizations/lock-organization.ts';
import { openSandbox } from '../sandbox/create-sandbox.ts';
import { recordEvent, type TakenKeyAction } from './actions.ts';
import * as queries from './queries.ts';

/** Both environments together (docs/decisions.md#keys-and-environments). */
export const MAX_ACTIVE_KEYS = 10;
export const MAX_NETWORKS = 20;

interface NewKey {
  /** UUID. */
  organizationId: string;
  environment: Environment;
  /** 1 to 200 characters. */
  name: string;
  key: string;
  actor: Actor;
  limits?: KeyLimits | undefined;
  /** The key that this one replaces: with the UUID of the first of all that were replaced. */
  replaced?: { firstKeyId: string; hint: string; overlapHours: number };
}

/** What an admin may ask of a key; nothing by default. */
export interface KeyLimits {
  /** From then on the key is refused. */
  expiresAt?: Date | undefined;
  /** The only networks that may use the key, such as `192.0.2.0/24` or `2001:db8::1`. */
  networks?: readonly string[] | undefined;
}

export interface IssuedKey {
  key_id: string;
  organization_id: string;
  environment: Environment;
  name: string;
  hint: string;
  created_by: string;
  created_at: Date;
  expires_at: Date | null;
  networks: string[] | null;
  /** True if the sandbox of a sandbox key was deleted. */
  sandbox_missing: boolean;
}

/**
 * Records a key and its creator in the caller's transaction. The organization's first sandbox key also creates the
 * sandbox; later keys do not restore a deleted sandbox.
 *
 * @throws OperatorError if the organization has ten active keys, or the limits cannot be
 */
export async function issueKey(
  client: PoolClient,
  deps: Pick<Deps, 'clock' | 'ids'>,
  action: 'key.created' | 'key.imported',
  { organizationId, environment, name, key, actor, limits = {}, replaced }: NewKey,
): Promise<IssuedKey> {
  const createdAt = new Date(deps.clock.now());
  const { expiresAt, networks } = readLimits(limits, createdAt);
  await lockOrganization(client, organizationId);
  // A separate statement after the lock, so that its snapshot includes the keys of the previous lock holder.
  const [active] = await queries.countActiveKeys(client, [organizationId, createdAt]);
  if (active === undefined || active.count >= MAX_ACTIVE_KEYS)
    throw new OperatorError(
      `${encodeId('org', organizationId)} already has ${MAX_ACTIVE_KEYS} active keys, the maximum. Revoke one first.`,
    );
  const sandboxMissing = environment === 'sandbox' && !(await hasSandbox(client, deps, { organizationId, actor }));
  const keyId = deps.ids.next();
  const shownId = encodeId('key', keyId);
  const hint = keyHint(key);
  const createdBy = actorName(actor);
  const values = [environment, name, hashKey(key), hint, createdBy, createdAt] as const;
  const more = [expiresAt, networks, replaced?.firstKeyId ?? null, shownId] as const;
  const [inserted] = await queries.insertKey(client, [organizationId, keyId, ...values, ...more]);
  const event: TakenKeyAction =
    replaced === undefined
      ? { action, details: { name, hint } }
      : {
          action: 'key.rolled',
          details: { name, hint, replaced_hint: replaced.hint, overlap_hours: replaced.overlapHours },
        };
  await recordEvent(client, deps, actor, { organizationId, environment, target: shownId, ...event });
  return {
    key_id: shownId,
    organization_id: encodeId('org', organizationId),
    environment,
    name,
    hint,
    created_by: createdBy,
    created_at: createdAt,
    expires_at: expiresAt,
    networks: inserted?.networks ?? null,
    sandbox_missing: sandboxMissing,
  };
}

/** @throws OperatorError */
function readLimits({ expiresAt, networks = [] }: KeyLimits, now: Date) {
  if (expiresAt !== undefined && !(expiresAt > now))
    throw new OperatorError('The key would be expired already. Name a time in the future.');
  if (networks.length > MAX_NETWORKS) throw new OperatorError(`A key has at most ${MAX_NETWORKS} networks.`);
  for (const network of networks)
    if (!isNetwork(network))
      throw new OperatorError(`“${network}” is not a network. Write an address or a range such as 192.0.2.0/24.`);
  return { expiresAt: expiresAt ?? null, networks: networks.length === 0 ? null : [...networks] };
}

/** Whether the organization has a sandbox; its first sandbox key, or the first grant before one, creates it. */
export async function hasSandbox(
  client: PoolClient,
  deps: Pick<Deps, 'clock' | 'ids'>,
  owner: { organizationId: string; actor: Actor },
): Promise<boolean> {
  const [keys] = await queries.countSandboxKeys(client, [owner.organizationId]);
  if (keys?.count === 0) await openSandbox(client, deps, owner);
  return keys?.count === 0 || keys?.has_sandbox === true;
}
