import type { Permission } from '../../platform/authentication/permissions.ts';
import type { CapAmounts } from '../caps/change-caps.ts';

declare module '../../platform/base/ids.ts' {
  interface IdPrefixes {
    /** agent’s grant */
    grant: true;
  }
}

/** What an agent may do besides reading, and for whom. They never change: who needs others makes another grant. */
export interface GrantTerms {
  permissions: readonly Permission[];
  /** `own`: only orders and gifts that this grant ordered. */
  reach: 'own' | 'all';
  /** The only domains of recipients' email addresses; null: any recipient. */
  recipient_domains: readonly string[] | null;
  /** Whether recipients must be active members of the organization. */
  members_only: boolean;
  /** Ids of the only categories; null: all. */
  categories: readonly string[] | null;
}

/**
 * What its orders may cost, in cents; null: no limit. `order`: each; `recipient`: to one recipient a day; `hour` and `day`:
 * in the clock hour and the day that have begun, in UTC; `life`: in all.
 */
export interface GrantLimits extends Omit<CapAmounts, 'month'> {
  /** An order above it waits until an admin approves it; 0: each order; null: none. */
  ask_above: number | null;
}

export const NO_LIMITS: GrantLimits = {
  order: null,
  recipient: null,
  hour: null,
  day: null,
  life: null,
  ask_above: null,
};

/** Ready choices, with limits in cents for an organization that begins. */
export const PRESETS = {
  buyer: {
    title: 'Buys for people I name',
    permissions: ['order'],
    reach: 'own',
    limits: { ...NO_LIMITS, order: 10_000, recipient: 10_000, day: 50_000 },
  },
  own_gifts: {
    title: 'Own gifts',
    permissions: ['links', 'order', 'manage', 'events'],
    reach: 'own',
    limits: { ...NO_LIMITS, order: 10_000, day: 50_000 },
  },
  reader: { title: 'Read only', permissions: [], reach: 'all', limits: NO_LIMITS },
} as const satisfies Record<string, Pick<GrantTerms, 'permissions' | 'reach'> & { title: string; limits: GrantLimits }>;

/** Of both environments together. */
export const MAX_ACTIVE_GRANTS = 50;
