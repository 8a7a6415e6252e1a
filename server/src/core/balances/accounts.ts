import type { EntryKind } from './portal-schema.ts';

/**
 * The accounts of an organization's books, in each environment. Together they are zero: what is positive is held for the
 * organization and its recipients, or was spent for them; what is negative is where it came from, or who owes it.
 */
export const accounts = {
  available: 'The balance: what orders can spend.',
  receivable: 'What the organization owes, below zero.',
  gifts_outstanding: 'The value of unclaimed gifts.',
  gifts_on_cards: 'What is left on the cards of claimed gifts.',
  spent: 'What recipients bought.',
  refunds: 'What shops returned to cards, below zero.',
  issuer_clearing: 'What the issuers of cards took beyond the value of gifts.',
  issuer_overspend: 'What a card network took beyond the value of a gift.',
  payment_clearing: 'Where funds came from, below zero: the bank or the payment provider.',
  fees: 'Fees that organizations paid for payments, less what payment providers and issuers kept.',
  expired: 'Value of expired gifts that was not returned.',
  adjustments: 'Corrections by the operator.',
} as const;
export type Account = keyof typeof accounts;

/** The other account that an entry of a kind moves, or null if every entry of the kind stores its legs. */
export const counterAccounts = {
  funding: 'payment_clearing',
  adjustment: 'adjustments',
  order: 'gifts_outstanding',
  refund: 'gifts_outstanding',
} as const satisfies Record<EntryKind, Exclude<Account, 'available'> | null>;

/** What an entry moves on another account than the available balance, in signed cents. */
export interface Leg {
  account: Exclude<Account, 'available'>;
  amountCents: number;
}

/** The legs of an entry, without accounts that do not move. @param moved signed cents by account */
export const legsOf = (moved: Partial<Record<Leg['account'], number>>): Leg[] =>
  (Object.keys(moved) as Leg['account'][]).flatMap((account) => {
    const amountCents = moved[account] ?? 0;
    return amountCents === 0 ? [] : [{ account, amountCents }];
  });
