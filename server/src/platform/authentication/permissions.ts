export interface PermissionEntry {
  /** A noun phrase of what it allows. */
  says: string;
  /** It changes nothing, and shows nothing that is worth money. */
  isReading?: true;
  /** The permission of an agent's grant that includes it; `read`: every grant; left out: no grant. */
  ofAgents?: 'read' | 'links' | 'order' | 'manage' | 'events' | 'all';
}

/**
 * All that a person or an agent may do. API keys may do all that `/v1` offers. Routes declare what they need, roles and grants
 * are sets of these, and the portal’s menus and documents follow.
 */
export const permissions = {
  gifts: { says: 'gifts and orders', isReading: true, ofAgents: 'read' },
  others: { says: 'what others sent', isReading: true, ofAgents: 'all' },
  people: { says: 'whole names and addresses of recipients', isReading: true, ofAgents: 'links' },
  money: { says: 'the balance, statements and top-ups', isReading: true },
  activity: { says: 'the audit log', isReading: true },
  integrations: { says: 'keys, agents, webhooks and the API log', isReading: true, ofAgents: 'events' },
  request: { says: 'asking for gifts', ofAgents: 'order' },
  order: { says: 'sending gifts', ofAgents: 'order' },
  approve: { says: 'deciding requests for gifts' },
  manage: { says: 'resending, redirecting, holding and rescheduling gifts', ofAgents: 'manage' },
  cancel: { says: 'canceling gifts', ofAgents: 'manage' },
  links: { says: 'links of gifts', ofAgents: 'links' },
  pay: { says: 'paying into the balance' },
  test: { says: 'the sandbox and its simulations' },
  integrate: { says: 'changing keys, agents and webhooks' },
  settings: { says: 'settings, limits and the brand' },
  members: { says: 'members and their roles' },
} as const satisfies Record<string, PermissionEntry>;
export type MemberPermission = keyof typeof permissions;

/** Whether it shows only what every such role may see, and changes nothing. */
export const isReading = (permission: MemberPermission): boolean => 'isReading' in permissions[permission];

/** Says what a member’s role lacks, and who can change that. */
export const lackOfRole = (needed: readonly MemberPermission[]): string =>
  `Your role does not include ${needed.map((one) => permissions[one].says).join(' or ')}. Ask an admin of the organization.`;

export const memberPermissions = Object.keys(permissions) as MemberPermission[];

/**
 * What the grant of an agent may include besides reading: see links and whole addresses, place orders, manage gifts
 * (redirect, resend, cancel, reschedule, replace links), and follow events.
 */
export const PERMISSIONS = ['links', 'order', 'manage', 'events'] as const;
export type Permission = (typeof PERMISSIONS)[number];

/** What a statement needs of a grant: to exist (`read`), a permission, or that it reaches what others ordered (`all`). */
export type Need = 'read' | 'all' | Permission;

const INCLUDED: Record<Exclude<Need, 'read'>, string> = {
  links: 'links and addresses',
  order: 'placing orders',
  manage: 'managing gifts',
  events: 'following events',
  all: 'what others ordered',
};

/** Says what a grant lacks and who can give it. */
export const lackOf = (need: Exclude<Need, 'read'>): string => notIncluded(INCLUDED[need]);

/** @param what a noun phrase, such as `the category “books”` */
export const notIncluded = (what: string): string =>
  `This agent’s grant does not include ${what}. An admin can create a grant that does, in the portal under “Agents”.`;
