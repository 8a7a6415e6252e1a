import { Type } from 'typebox';
import type { Deps } from '../../core/deps.ts';
import { createKey } from '../../core/keys/create-key.ts';
import { MAX_ACTIVE_KEYS, MAX_NETWORKS } from '../../core/keys/issue-key.ts';
import { listKeys, type PresentedKey } from '../../core/keys/list-keys.ts';
import { revokeKey } from '../../core/keys/revoke-key.ts';
import { rollKey } from '../../core/keys/roll-key.ts';
import { Moment, readParameter } from '../../faces/portal-access/list-schema.ts';
import { Overlap } from '../../faces/portal-access/overlap-schema.ts';
import type { Register } from '../../faces/portal-access/register.ts';
import { Environment, Name, nullable, Time } from '../../platform/api/schema.ts';
import { BestowError } from '../../platform/base/errors.ts';
import { isNetwork } from '../../platform/base/network.ts';
import type { Scope } from '../../platform/base/principal.ts';

const Key = Type.Object(
  {
    key_id: Type.String(),
    environment: Environment,
    name: Type.String(),
    hint: Type.String({ description: 'Prefix and last four characters.' }),
    created_by: nullable(Type.String()),
    created_at: Time,
    last_used_at: nullable(Time),
    revoked_at: nullable(Time),
    expires_at: nullable(Time),
    networks: nullable(Type.Array(Type.String({ description: 'Such as `192.0.2.0/24`.' }))),
    is_active: Type.Boolean({ description: 'Neither revoked nor expired.' }),
  },
  { $id: 'Key' },
);

const KeyList = Type.Object({
  data: Type.Array(Key),
  active: Type.Integer({ description: 'Active keys of both environments.' }),
  most_active: Type.Integer({ description: 'The limit.' }),
});

const CreatedKey = Type.Object({
  key_id: Type.String(),
  key: Type.String({ description: 'The full key. No other answer shows it.' }),
});

const Networks = Type.Array(Type.String({ maxLength: 50 }), {
  maxItems: MAX_NETWORKS,
  'x-rule': `must be at most ${MAX_NETWORKS} networks such as 192.0.2.0/24`,
});

const PATH = '/organizations/{organization_id}/{environment}/keys';

/** API keys (docs/decisions.md#keys-and-environments). */
export function keyRoutes(register: Register, deps: Deps): void {
  register(
    {
      method: 'GET',
      path: PATH,
      operationId: 'listKeys',
      tag: 'Keys',
      summary: 'The keys of an environment: active first, newest first.',
      access: 'member',
      needs: 'integrations',
      response: KeyList,
    },
    async ({ params, scope }) => {
      const keys = (await listKeys(deps, params.organization_id)).map((key) => withActivity(deps, key));
      const shown = keys.filter(({ environment }) => environment === scope.environment).reverse();
      return {
        data: [...shown.filter((key) => key.is_active), ...shown.filter((key) => !key.is_active)],
        active: keys.filter((key) => key.is_active).length,
        most_active: MAX_ACTIVE_KEYS,
      };
    },
  );

  register(
    {
      method: 'POST',
      path: PATH,
      operationId: 'createKey',
      tag: 'Keys',
      summary: 'Creates a key and returns its value. All admins get an email.',
      access: 'member',
      needs: 'integrate',
      needsFreshSignIn: true,
      body: Type.Object({ name: Name, expires_at: Type.Optional(Moment), networks: Type.Optional(Networks) }),
      response: CreatedKey,
    },
    ({ params, scope, body, member }) =>
      createKey(deps, {
        organizationId: params.organization_id,
        environment: scope.environment,
        name: body.name,
        limits: { expiresAt: readParameter('expires_at', body.expires_at), networks: readNetworks(body.networks) },
        actor: member.actor,
      }),
  );

  addRollRoute(register, deps);
  addRevokeRoute(register, deps);
}

function addRollRoute(register: Register, deps: Deps): void {
  register(
    {
      method: 'POST',
      path: `${PATH}/{key_id}/roll`,
      operationId: 'rollKey',
      tag: 'Keys',
      summary: 'Replaces a key; the old one works for so many hours more. All admins get an email.',
      access: 'member',
      needs: 'integrate',
      needsFreshSignIn: true,
      body: Overlap,
      response: CreatedKey,
    },
    async ({ params, scope, body, member }) => {
      const owner = { organizationId: params.organization_id, keyId: params.key_id };
      await requireKey(deps, owner, scope);
      return rollKey(deps, { ...owner, overlapHours: body.overlap_hours, actor: member.actor });
    },
  );
}

function withActivity({ clock }: Pick<Deps, 'clock'>, key: PresentedKey) {
  const isExpired = key.expires_at !== null && key.expires_at.getTime() <= clock.now();
  return { ...key, is_active: key.revoked_at === null && !isExpired };
}

/** @throws BestowError `parameter_invalid` */
function readNetworks(networks: readonly string[] = []): readonly string[] {
  const wrong = networks.findIndex((network) => !isNetwork(network));
  if (wrong === -1) return networks;
  const param = `networks[${wrong}]`;
  const message = `${param} must be an address or a range such as 192.0.2.0/24.`;
  throw new BestowError('parameter_invalid', { param, message });
}

/** @throws BestowError `not_found` unless the key is of this organization and mode */
async function requireKey(
  deps: Pick<Deps, 'database'>,
  { organizationId, keyId }: { organizationId: string; keyId: string },
  { environment }: Scope,
): Promise<void> {
  const keys = await listKeys(deps, organizationId);
  if (!keys.some((key) => key.key_id === keyId && key.environment === environment)) throw new BestowError('not_found');
}

function addRevokeRoute(register: Register, deps: Deps): void {
  register(
    {
      method: 'POST',
      path: `${PATH}/{key_id}/revoke`,
      operationId: 'revokeKey',
      tag: 'Keys',
      summary: 'Revokes a key permanently. All admins get an email.',
      access: 'member',
      needs: 'integrate',
      // A stolen key would work again after the suspension.
      isPossibleWhileSuspended: true,
      response: Key,
    },
    async ({ params, scope, member }) => {
      const owner = { organizationId: params.organization_id, keyId: params.key_id };
      await requireKey(deps, owner, scope);
      return withActivity(deps, await revokeKey(deps, { ...owner, actor: member.actor }));
    },
  );
}
