import { Type } from 'typebox';
import { listCaps } from '../../core/caps/list-caps.ts';
import { setCaps } from '../../core/caps/set-caps.ts';
import type { Deps } from '../../core/deps.ts';
import { listKeys } from '../../core/keys/list-keys.ts';
import type { Register } from '../../faces/portal-access/register.ts';
import { Cents, nullable } from '../../platform/api/schema.ts';
import { BestowError } from '../../platform/base/errors.ts';

const Cap = Type.Object({
  cap: Cents,
  spent: Type.Integer({ description: 'Cents in the clock hour or day that has begun, in UTC.' }),
});

const SpendingCaps = Type.Object(
  {
    key_id: nullable(Type.String({ description: 'Null: all orders of the mode.' })),
    name: nullable(Type.String()),
    hint: nullable(Type.String()),
    hour: nullable(Cap),
    day: nullable(Cap),
  },
  { $id: 'SpendingCaps' },
);

const Amount = Type.Union([Type.Integer({ minimum: 1, maximum: Number.MAX_SAFE_INTEGER }), Type.Null()], {
  'x-rule': 'must be an amount above zero, or left out for no cap',
});

const PATH = '/organizations/{organization_id}/{environment}/spending-caps';

/** Caps on what orders may cost (docs/limits.md). */
export function capRoutes(register: Register, deps: Deps): void {
  register(
    {
      method: 'GET',
      path: PATH,
      operationId: 'listSpendingCaps',
      tag: 'Balance',
      summary: 'The caps of all orders, then of each active key, with what was spent.',
      access: 'member',
      needs: 'money',
      response: Type.Object({ data: Type.Array(SpendingCaps) }),
    },
    async ({ scope }) => ({ data: await listCaps(deps, scope) }),
  );

  register(
    {
      method: 'PUT',
      path: PATH,
      operationId: 'setSpendingCaps',
      tag: 'Balance',
      summary: 'Sets the caps of all orders or of a key. If one is raised, all admins get an email.',
      access: 'member',
      needs: 'settings',
      needsFreshSignIn: true,
      body: Type.Object({ key_id: nullable(Type.String({ maxLength: 60 })), hour: Amount, day: Amount }),
      response: Type.Object({ data: Type.Array(SpendingCaps) }),
    },
    async ({ params, scope, body: { key_id: keyId, hour, day }, member }) => {
      const organizationId = params.organization_id;
      if (keyId !== null && !(await listKeys(deps, organizationId)).some((key) => isOf(key, keyId, scope.environment)))
        throw new BestowError('not_found');
      await setCaps(deps, {
        organizationId,
        environment: scope.environment,
        keyId: keyId ?? undefined,
        amounts: { hour, day },
        actor: member.actor,
      });
      return { data: await listCaps(deps, scope) };
    },
  );
}

const isOf = (key: { key_id: string; environment: string }, keyId: string, environment: string) =>
  key.key_id === keyId && key.environment === environment;
