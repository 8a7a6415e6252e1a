import { Type } from 'typebox';
import { setCaps } from '../../core/caps/set-caps.ts';
import { EmailDelivery } from '../../core/gifts/gift/schema.ts';
import { createOrganization } from '../../core/organizations/create-organization.ts';
import { holdGifts, releaseGifts } from '../../core/organizations/hold-gifts.ts';
import { reinstateOrganization } from '../../core/organizations/reinstate-organization.ts';
import { renameOrganization } from '../../core/organizations/rename-organization.ts';
import { suspendOrganization } from '../../core/organizations/suspend-organization.ts';
import { Reason } from '../../faces/operator-acts/schemas.ts';
import { Name, nullable } from '../../platform/api/schema.ts';
import type { AllDeps } from '../deps.ts';
import type { OperatorRegister } from './register.ts';

const PATH = '/organizations';
const ONE = `${PATH}/{organization_id}` as const;

const Amount = Type.Union([Type.Integer({ minimum: 1, maximum: Number.MAX_SAFE_INTEGER }), Type.Null()], {
  'x-rule': 'must be an amount above zero, or left out for no cap',
});

/** Changes of organizations, as `bestow org` and `bestow cap` make them. */
export function organizationActs(register: OperatorRegister, deps: AllDeps): void {
  register(
    {
      method: 'POST',
      path: PATH,
      operationId: 'createOrganization',
      tag: 'Organizations',
      summary: 'Creates an organization with its first admin, who gets a mail.',
      body: Type.Object({
        name: Name,
        admin_email: Type.Unsafe<string>({ ...EmailDelivery.properties.email, description: 'The first admin.' }),
        shard: Type.Optional(Type.Integer({ minimum: 1, maximum: 999, description: 'Its server; else by chance.' })),
        reason: Reason,
      }),
      response: Type.Object({ organization_id: Type.String(), name: Type.String(), member_id: Type.String() }),
    },
    ({ body: { name, admin_email: adminEmail, shard }, actor }) =>
      createOrganization(deps, { name, adminEmail, shard, actor }),
    ({ body }) => ({ name: body.name, admin_email: body.admin_email }),
  );

  register(
    {
      method: 'PUT',
      path: `${ONE}/name`,
      operationId: 'renameOrganization',
      tag: 'Organizations',
      summary: 'Renames an organization, for members and recipients.',
      body: Type.Object({ name: Name, reason: Reason }),
    },
    async ({ params, body: { name }, actor }) => {
      await renameOrganization(deps, { organizationId: params.organization_id, name, actor });
    },
  );

  addStates(register, deps);
  addCaps(register, deps);
}

function addStates(register: OperatorRegister, deps: AllDeps): void {
  register(
    {
      method: 'POST',
      path: `${ONE}/suspend`,
      operationId: 'suspendOrganization',
      tag: 'Organizations',
      summary: 'Refuses all its keys at once and makes its portal read-only.',
      body: Type.Object({
        holds_gifts: Type.Boolean({ description: 'Whether its unclaimed gifts are put on hold too.' }),
        reason: Reason,
      }),
    },
    async ({ params, body: { holds_gifts: holdsGifts }, actor }) => {
      await suspendOrganization(deps, { organizationId: params.organization_id, holdsGifts, actor });
    },
  );

  register(
    {
      method: 'POST',
      path: `${ONE}/reinstate`,
      operationId: 'reinstateOrganization',
      tag: 'Organizations',
      summary: 'Ends a suspension.',
      body: Type.Object({
        releases_gifts: Type.Boolean({ description: 'Whether the hold of all its gifts ends too.' }),
        reason: Reason,
      }),
    },
    async ({ params, body: { releases_gifts: releasesGifts }, actor }) => {
      await reinstateOrganization(deps, { organizationId: params.organization_id, releasesGifts, actor });
    },
  );

  for (const [name, operationId, summary, act] of [
    ['hold-gifts', 'holdGifts', 'Puts all its unclaimed gifts on hold, and refuses its orders.', holdGifts],
    ['release-gifts', 'releaseGifts', 'Ends the hold of its gifts; those held one by one stay.', releaseGifts],
  ] as const)
    register(
      {
        method: 'POST',
        path: `${ONE}/${name}`,
        operationId,
        tag: 'Organizations',
        summary,
        body: Type.Object({ reason: Reason }),
      },
      async ({ params, actor }) => {
        await act(deps, { organizationId: params.organization_id, actor });
      },
    );
}

function addCaps(register: OperatorRegister, deps: AllDeps): void {
  register(
    {
      method: 'PUT',
      path: `${ONE}/{environment}/spending-caps`,
      operationId: 'setSpendingCaps',
      tag: 'Organizations',
      summary: 'Sets what orders may cost per hour and day. If a cap is raised, all admins get a mail.',
      body: Type.Object({
        key_id: nullable(Type.String({ maxLength: 60, description: 'Null: all orders of the environment.' })),
        hour: Amount,
        day: Amount,
        reason: Reason,
      }),
    },
    async ({ params, scope, body: { key_id: keyId, hour, day }, actor }) => {
      await setCaps(deps, {
        organizationId: params.organization_id,
        environment: scope.environment,
        keyId: keyId ?? undefined,
        amounts: { hour, day },
        actor,
      });
    },
  );
}
