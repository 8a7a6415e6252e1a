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
