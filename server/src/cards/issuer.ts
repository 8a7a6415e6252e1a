import type { Environment } from '../base/environment.ts';

/** All ids are UUIDs. */
interface CardReference {
  organizationId: string;
  environment: Environment;
  giftId: string;
  cardId: string;
}

interface NewCard extends CardReference {
  valueCents: number;
}

export interface Card extends NewCard {
  spentCents: number;
  claimedAt: Date;
}

/** Shown with the card. */
export interface CardFace {
  brand: string;
  lastFour: string;
  expires: { month: number; year: number };
}

/** Shown only on request, and never stored or logged. */
export interface CardDetails extends CardFace {
  number: string;
  securityCode: string;
}

interface Purchase {
  /** UUID; recording the same id again changes nothing. */
  purchaseId: string;
  merchant: string;
  /** 1 or more; `rest` spends the card's rest. */
  amountCents: number | 'rest';
  madeAt: Date;
}

/** `too_much`: more than is left; nothing was spent. */
export type SpendOutcome = 'recorded' | 'repeated' | 'too_much';

/** Issues cards. Each call is safe to repeat, ends within seconds, and throws if a retry may help. */
export interface CardIssuer {
  /** Issues the card with this id; does nothing if it exists. */
  issue(card: NewCard): Promise<void>;
  face(card: Card): Promise<CardFace>;
  reveal(card: Card): Promise<CardDetails>;
  /** Spends from the card; never more than is left, even with concurrent purchases. */
  recordSpend(card: Card, purchase: Purchase): Promise<SpendOutcome>;
}

/** A real issuer can replace the live one; the sandbox always has the simulated one. */
export type CardIssuers = Record<Environment, CardIssuer>;
