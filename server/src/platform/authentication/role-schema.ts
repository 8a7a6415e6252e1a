import { Type } from 'typebox';
import { oneOf } from '../api/schema.ts';
import { memberPermissions } from './permissions.ts';
import { builtInRoles, type RoleId } from './roles.ts';

/** A member's role. */
export const Role = Type.Unsafe<RoleId>({
  type: 'string',
  pattern: `^(?:${builtInRoles.join('|')}|role_[0-9a-z]{26})$`,
  description: `One of ${builtInRoles.join(', ')}, or the id of an own role.`,
  'x-rule': `must be one of ${builtInRoles.join(', ')}, or the id of an own role`,
});

/** What a role includes. */
export const RolePermissions = Type.Array(oneOf(...memberPermissions));
