import { Type } from 'typebox';
import type { Deps } from '../../core/deps.ts';
import {
  changeCustomRole,
  createCustomRole,
  listCustomRoles,
  removeCustomRole,
} from '../../core/organizations/custom-roles.ts';
import type { Register } from '../../faces/portal-access/register.ts';
import { Name, nameRule, oneOf } from '../../platform/api/schema.ts';
import { type MemberPermission, memberPermissions, permissions } from '../../platform/authentication/permissions.ts';
import { RolePermissions } from '../../platform/authentication/role-schema.ts';
import { builtInRoles, roles } from '../../platform/authentication/roles.ts';

const RoleRow = Type.Object(
  {
    role: Type.String({ description: 'The name of a built-in role, or the id of an own one.' }),
    name: Type.String(),
    says: Type.String({ description: 'What it includes, for people.' }),
    permissions: RolePermissions,
    is_own: Type.Boolean(),
    members: Type.Integer({ description: 'Active members who have an own role; 0 for built-in ones.' }),
  },
  { $id: 'RoleRow' },
);

const RoleInput = Type.Object({
  name: Type.String({ ...Name, maxLength: 100, 'x-rule': nameRule(100) }),
  permissions: Type.Array(oneOf(...memberPermissions.filter((one) => one !== 'members')), {
    minItems: 1,
    maxItems: memberPermissions.length,
    'x-rule': 'must name at least one permission',
  }),
});

const PATH = '/organizations/{organization_id}/roles';
const ONE = `${PATH}/{role_id}` as const;

/** The roles of an organization's members: built-in ones, and its own. */
export function roleRoutes(register: Register, deps: Deps): void {
  register(
    {
      method: 'GET',
      path: PATH,
      operationId: 'listRoles',
      tag: 'Members',
      summary: 'The built-in roles, the organization’s own ones, and all permissions.',
      access: 'member',
      response: Type.Object({
        data: Type.Array(RoleRow),
        permissions: Type.Array(Type.Object({ permission: oneOf(...memberPermissions), says: Type.String() })),
      }),
    },
    async ({ member }) => ({
      data: [
        ...builtInRoles.map((role) => ({
          role,
          name: roles[role].name,
          says: roles[role].says,
          permissions: [...roles[role].permissions],
          is_own: false,
          members: 0,
        })),
        ...(await listCustomRoles(deps, member.organizationId)).map(({ role_id, created_at: _, ...role }) => ({
          ...role,
          role: role_id,
          says: role.permissions.map((one) => permissions[one]?.says ?? one).join('; '),
          is_own: true,
        })),
      ],
      permissions: memberPermissions.map((permission) => ({ permission, says: permissions[permission].says })),
    }),
  );

  addChanges(register, deps);
}

function addChanges(register: Register, deps: Deps): void {
  register(
    {
      method: 'POST',
      path: PATH,
      operationId: 'createRole',
      tag: 'Members',
      summary: 'Adds an own role: a named set of permissions.',
      access: 'member',
      needs: 'members',
      needsFreshSignIn: true,
      body: RoleInput,
      response: Type.Object({ role_id: Type.String() }),
    },
    ({ body, member }) => createCustomRole(deps, { ...inputOf(body), ...ownerOf(member) }),
  );

  register(
    {
      method: 'PUT',
      path: ONE,
      operationId: 'changeRole',
      tag: 'Members',
      summary: 'Changes an own role for all who have it, from their next request on.',
      access: 'member',
      needs: 'members',
      needsFreshSignIn: true,
      body: RoleInput,
    },
    async ({ params, body, member }) => {
      await changeCustomRole(deps, { ...inputOf(body), ...ownerOf(member), roleId: params.role_id });
    },
  );

  register(
    {
      method: 'DELETE',
      path: ONE,
      operationId: 'removeRole',
      tag: 'Members',
      summary: 'Removes an own role that no member has.',
      access: 'member',
      needs: 'members',
    },
    async ({ params, member }) => {
      await removeCustomRole(deps, { ...ownerOf(member), roleId: params.role_id });
    },
  );
}

const inputOf = ({ name, permissions: given }: { name: string; permissions: MemberPermission[] }) => ({
  name,
  permissions: [...new Set(given)],
});

const ownerOf = <Actor>({ organizationId, actor }: { organizationId: string; actor: Actor }) => ({
  organizationId,
  actor,
});
