import { isDeepStrictEqual } from 'node:util';
import type { PoolClient } from 'pg';
import { type MemberPermission, memberPermissions } from '../../platform/authentication/permissions.ts';
import { builtInRoles, roles } from '../../platform/authentication/roles.ts';
import type { Actor } from '../../platform/base/actor.ts';
import { BestowError } from '../../platform/base/errors.ts';
import { decodeId, encodeId } from '../../platform/base/ids.ts';
import { OperatorError } from '../../platform/base/operator-error.ts';
import { plainName } from '../../platform/base/visible-text.ts';
import { inOrganization } from '../../platform/database/in-organization.ts';
import type { Deps } from '../deps.ts';
import { recordEvent, type TakenOrganizationAction } from './actions.ts';
import { alertAdmins } from './alert-admins.ts';
import { lockOrganization } from './lock-organization.ts';
import * as queries from './role-queries.ts';

declare module '../../platform/base/ids.ts' {
  interface IdPrefixes {
    /** organization’s own role */
    role: true;
  }
}

type RoleDeps = Pick<Deps, 'clock' | 'database' | 'ids' | 'tracer'>;

const MOST_ROLES = 50;

/** An organization's own role. */
interface CustomRole {
  role_id: string;
  name: string;
  permissions: MemberPermission[];
  created_at: Date;
}

interface RoleInput {
  /** UUID. */
  organizationId: string;
  /** One line of 1 to 100 characters. */
  name: string;
  permissions: readonly MemberPermission[];
  actor: Actor;
}

/** Lists an organization's own roles by name, and how many active members have each. @param organizationId UUID */
export async function listCustomRoles({ database }: Pick<Deps, 'database'>, organizationId: string) {
  const rows = await queries.selectCustomRoles(database.read, [organizationId]);
  return rows.map((row) => ({ ...present(row), members: row.members }));
}

/** Adds a role. @throws OperatorError if another one, or a built-in one, has the name, it includes too much, or there are fifty */
export const createCustomRole = (deps: RoleDeps, input: RoleInput): Promise<CustomRole> =>
  change(deps, input, async (client, { organizationId, name, permissions }) => {
    if ((await queries.selectCustomRoles(client, [organizationId])).length >= MOST_ROLES)
      throw new OperatorError(`An organization has at most ${MOST_ROLES} own roles. Remove one first.`);
    const now = new Date(deps.clock.now());
    const [added] = await queries.insertCustomRole(client, [organizationId, deps.ids.next(), name, permissions, now]);
    if (added === undefined) throw nameTaken(name);
    return { row: added, event: { action: 'role.created', details: { name, permissions: [...permissions] } } };
  });

/** Changes a role for all who have it, from their next request on, and emails all admins. @throws BestowError `resource_missing` @throws OperatorError as above */
export const changeCustomRole = (deps: RoleDeps, { roleId, ...input }: RoleInput & { roleId: string }) =>
  change(deps, input, async (client, { organizationId, name, permissions }) => {
    const uuid = requireRole(roleId);
    const [before] = await queries.selectCustomRole(client, [organizationId, uuid]);
    if (before === undefined) throw missing();
    if (before.name === name && isDeepStrictEqual(before.permissions, permissions)) return { row: before };
    const [row] = await queries.updateCustomRole(client, [organizationId, uuid, name, permissions]);
    if (row === undefined) throw nameTaken(name);
    return { row, event: { action: 'role.changed', details: { name, permissions: [...permissions] } } };
  });

/** Removes a role that no member has. @throws BestowError `resource_missing` @throws OperatorError if one has it */
export const removeCustomRole = (
  deps: RoleDeps,
  { roleId, organizationId, actor }: Pick<RoleInput, 'organizationId' | 'actor'> & { roleId: string },
) =>
  change(deps, { organizationId, actor, name: '', permissions: [] }, async (client) => {
    const uuid = requireRole(roleId);
    const [before] = await queries.selectCustomRole(client, [organizationId, uuid]);
    if (before === undefined) throw missing();
    const [row] = await queries.deleteCustomRole(client, [organizationId, uuid]);
    if (row === undefined)
      throw new OperatorError(`Members have the role “${before.name}”. Give them another one first.`);
    return { row, event: { action: 'role.removed', details: { name: row.name } } };
  });

/** Without an event nothing changed. */
type Changed = { row: queries.CustomRoleRow; event?: TakenOrganizationAction };

async function change(
  deps: RoleDeps,
  input: RoleInput,
  act: (client: PoolClient, input: RoleInput) => Promise<Changed>,
): Promise<CustomRole> {
  const { organizationId, permissions, actor } = input;
  // A person who decides about members could make themselves an admin.
  if (isNameOfBuiltIn(input.name))
    throw new OperatorError(`“${input.name}” is the name of a role that every organization has. Choose another one.`);
  if (permissions.includes('members')) throw new OperatorError('Only admins decide about members and their roles.');
  if (!permissions.every((one) => memberPermissions.includes(one))) throw new Error('There is no such permission.');
  return inOrganization(deps.database, organizationId, async (client) => {
    await lockOrganization(client, organizationId);
    const { row, event } = await act(client, input);
    if (event !== undefined)
      await recordEvent(client, deps, actor, { organizationId, target: encodeId('role', row.role_id), ...event });
    if (event?.action === 'role.changed') {
      const organization = { organization_id: organizationId };
      await alertAdmins(client, deps, { organization, change: 'own_role_changed', about: row.name, actor });
    }
    return present(row);
  });
}

function requireRole(id: string): string {
  const uuid = decodeId('role', id);
  if (uuid === undefined) throw missing();
  return uuid;
}

/** Also with other blanks, signs or forms of its letters. */
const isNameOfBuiltIn = (name: string) => builtInRoles.some((role) => plainName(roles[role].name) === plainName(name));

const missing = () => new BestowError('resource_missing');
const nameTaken = (name: string) => new OperatorError(`A role is called “${name}” already.`);

const present = ({ role_id, name, permissions, created_at }: queries.CustomRoleRow): CustomRole => ({
  role_id: encodeId('role', role_id),
  name,
  permissions,
  created_at,
});
