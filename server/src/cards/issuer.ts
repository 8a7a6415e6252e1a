import type { Environment } from '../base/environment.ts';

/** Whose card, and which; the ids are UUIDs. */
interface CardReference {
  organizationId: string;
  environment: Environment;
  giftId: string;
  cardId: string;
}

/** A card to be issued. */
interface NewCard extends CardReference {
  valueCents: number;
}

/** A card that a gift was claimed onto. */
export interface Card extends NewCard {
  spentCents: number;
  claimedAt: Date;
}

/** What anyone who may look at the card sees at once. */
export interface CardFace {
  brand: string;
  lastFour: string;
  expires: { month: number; year: number };
}

/** What is shown only when it is asked for, and never stored or logged. */
export interface CardDetails extends CardFace {
  /** Digits only. */
  number: string;
  securityCode: string;
}

interface Purchase {
  /** UUID: recording a purchase again under the same id changes nothing. */
  purchaseId: string;
  merchant: string;
  /** 1 or more; `rest`: whatever is left on the card. */
  amountCents: number | 'rest';
  madeAt: Date;
}

/** `too_much`: the card does not hold as much, and nothing was spent. */
export type SpendOutcome = 'recorded' | 'repeated' | 'too_much';

/**
 * Whoever issues the cards that gifts are claimed onto. Each call is safe to repeat, ends within seconds, and throws
 * where trying again later may help.
 */
export interface CardIssuer {
  /** Issues the card of this id: the first time; after that it is there, and stays the same. */
  issue(card: NewCard): Promise<void>;
  face(card: Card): Promise<CardFace>;
  reveal(card: Card): Promise<CardDetails>;
  /** Spends from the card; never more than is left, however many purchases come at once. */
  recordSpend(card: Card, purchase: Purchase): Promise<SpendOutcome>;
}

/** A real issuer takes the place of the live one; the sandbox's is always the simulated one. */
export type CardIssuers = Record<Environment, CardIssuer>;
