import { Type } from 'typebox';
import { Environment, Name, nullable, Time } from '../api/schema.ts';
import type { Deps } from '../deps.ts';
import { BestowError } from '../errors.ts';
import { createKey } from '../keys/create-key.ts';
import { MAX_ACTIVE_KEYS } from '../keys/issue-key.ts';
import { listKeys } from '../keys/list-keys.ts';
import { revokeKey } from '../keys/revoke-key.ts';
import type { Register } from './register.ts';

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
      response: KeyList,
    },
    async ({ params, scope }) => {
      const keys = await listKeys(deps, params.organization_id);
      const shown = keys.filter(({ environment }) => environment === scope.environment).reverse();
      const isActive = ({ revoked_at }: { revoked_at: Date | null }) => revoked_at === null;
      return {
        data: [...shown.filter(isActive), ...shown.filter((key) => !isActive(key))],
        active: keys.filter(isActive).length,
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
      access: 'admin',
      body: Type.Object({ name: Name }),
      response: CreatedKey,
    },
    ({ params, scope, body, member }) =>
      createKey(deps, {
        organizationId: params.organization_id,
        environment: scope.environment,
        name: body.name,
        actor: member.actor,
      }),
  );

  addRevokeRoute(register, deps);
}

function addRevokeRoute(register: Register, deps: Deps): void {
  register(
    {
      method: 'POST',
      path: `${PATH}/{key_id}/revoke`,
      operationId: 'revokeKey',
      tag: 'Keys',
      summary: 'Revokes a key permanently. All admins get an email.',
      access: 'admin',
      // A stolen key would work again after the suspension.
      isPossibleWhileSuspended: true,
      response: Key,
    },
    async ({ params, scope, member }) => {
      const { organization_id: organizationId, key_id: keyId } = params;
      const keys = await listKeys(deps, organizationId);
      if (!keys.some((key) => key.key_id === keyId && key.environment === scope.environment))
        throw new BestowError('not_found');
      return revokeKey(deps, { organizationId, keyId, actor: member.actor });
    },
  );
}
