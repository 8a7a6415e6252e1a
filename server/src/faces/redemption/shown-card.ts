import type { Proof } from '../../core/card-proofs/prove.ts';
import type { Purchases } from '../../core/cards/list-purchases.ts';
import type { Presentation } from '../../core/issuer/port.ts';
import type { Thanks } from './thanks-form.ts';

export type AmountError = 'unreadable' | 'too_much';

/** The amount that a person typed for a test purchase, and its error. */
export interface RefusedAmount {
  typed: string;
  error: AmountError;
}

export interface ShownCard {
  presentation: Presentation;
  /** Whether the person asked for the number. */
  isRevealed: boolean;
  spentCents: number;
  purchases: Purchases;
  /** The id of the next test purchase; undefined if none is possible. */
  purchaseId: string | undefined;
  refusedAmount?: RefusedAmount | undefined;
  /** How other browsers can show the card of a link gift; undefined for everyone except the holder. */
  wayBack?: Pick<Proof, 'address' | 'hasPin' | 'isPinEnded'> | undefined;
  /** Undefined for everyone except the holder. */
  thanks?: Thanks | undefined;
  /** Whether this browser can get a new link to the issuer's page. */
  canReissue?: boolean;
}
