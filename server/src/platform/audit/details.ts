import type { Limits } from './limits-text.ts';

// Details that several audited actions share.

export type Nothing = Record<string, never>;

export interface Emptied {
  orders_deleted: number;
  gifts_deleted: number;
}

export interface BalanceChanged {
  amount_cents: number;
  reference: string | null;
  note: string | null;
}

export interface KeyDetails {
  name: string;
  /** Prefix and last four characters. */
  hint: string;
}

export interface GrantDetails {
  name: string;
  permissions: readonly string[];
  reach: 'own' | 'all';
  recipient_domains: readonly string[] | null;
  members_only: boolean;
  categories: readonly string[] | null;
  limits: Limits;
}

export const plural = (count: number, noun: string): string => `${count} ${noun}${count === 1 ? '' : 's'}`;
