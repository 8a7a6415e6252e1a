import { type MemberPermission, memberPermissions } from './permissions.ts';

interface RoleEntry {
  /** For people, such as `Support`. */
  name: string;
  /** In a sentence, such as `an admin`. */
  words: string;
  /** What its people do: `You can … `. */
  says: string;
  permissions: readonly MemberPermission[];
}

/** The roles that every organization has. */
export const roles = {
  admin: {
    name: 'Admin',
    words: 'an admin',
    says: 'In the portal you can view and change its gifts, balance and API keys.',
    permissions: memberPermissions,
  },
  member: {
    name: 'Member',
    words: 'a member',
    says: 'In the portal you can view its gifts, balance and API keys.',
    permissions: ['gifts', 'others', 'people', 'money', 'activity', 'integrations', 'request'],
  },
  sender: {
    name: 'Sender',
    words: 'a sender',
    says: 'In the portal you can send gifts within limits, and see what you or your team sent.',
    permissions: ['gifts', 'people', 'request', 'order', 'links'],
  },
  approver: {
    name: 'Approver',
    words: 'an approver',
    says: 'In the portal you can decide requests for gifts.',
    permissions: ['gifts', 'others', 'people', 'money', 'approve'],
  },
  support: {
    name: 'Support',
    words: 'a member of support',
    says: 'In the portal you can find, resend, redirect and hold its gifts.',
    permissions: ['gifts', 'others', 'people', 'manage'],
  },
  finance: {
    name: 'Finance',
    words: 'a member of finance',
    says: 'In the portal you can see its balance and statements, and top up.',
    permissions: ['gifts', 'others', 'money', 'activity', 'pay'],
  },
  viewer: {
    name: 'Viewer',
    words: 'a viewer',
    says: 'In the portal you can view its gifts and balance, without recipients’ addresses.',
    permissions: ['gifts', 'others', 'money', 'activity'],
  },
} as const satisfies Record<string, RoleEntry>;
export type BuiltInRole = keyof typeof roles;

export const builtInRoles = Object.keys(roles) as BuiltInRole[];

/** The roles that include a permission. */
export const rolesWith = (permission: MemberPermission): BuiltInRole[] =>
  builtInRoles.filter((role) => (roles[role].permissions as readonly MemberPermission[]).includes(permission));

/** A built-in role by its name, or an organization's own by its id (`role_…`). */
export type RoleId = BuiltInRole | `role_${string}`;

/** As the database has it. */
export type StoredRole = BuiltInRole | 'custom';

export const isBuiltInRole = (role: string): role is BuiltInRole => Object.hasOwn(roles, role);
