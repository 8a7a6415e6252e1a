import type { IncomingHttpHeaders } from 'node:http';
import type { Environment } from '../../platform/base/environment.ts';
import type { Queryable } from '../../platform/database/statement.ts';
import type { Language } from '../../platform/languages/languages.ts';
import type { ChosenIssuer } from './chosen-issuer.ts';
import type { Offers } from './offers.ts';
import type { Requirements } from './requirements.ts';

/** All ids are UUIDs. */
interface OfGift {
  organizationId: string;
  environment: Environment;
  giftId: string;
}

/** The card of a claimed gift. */
export interface Card extends OfGift {
  cardId: string;
  valueCents: number;
  spentCents: number;
  claimedAt: Date;
  /** Undefined if the card is simulated. */
  issued: IssuedCard | undefined;
}

export interface IssuedCard {
  issuerId: string;
  /** The issuer's id of the card; null if the issuer has none. */
  providerId: string | null;
  state: 'inactive' | 'active' | 'closed';
  face: CardFace | null;
  /** What the issuer sealed when it made the card. */
  sealed: string | null;
}

/** Shown with the card. */
export interface CardFace {
  brand: string;
  lastFour: string;
  expires: { month: number; year: number };
}

/** Shown only on request, and never stored or logged. Only a simulated card's number may reach the server. */
export interface CardDetails extends CardFace {
  number: string;
  securityCode: string;
}

/** A code of a shop. Its fields are shown only on request. */
interface ShopCode {
  code: string;
  pin: string | null;
  valueCents: number;
  /** The last day on which the shop takes the code, as `2027-11-30`. */
  expires: string | null;
  shop: string;
  termsUrl: string | null;
  /** The code as tills scan it, an SVG; null: only the text. */
  barcode: string | null;
}

/** How the page shows a card. Details, codes and frames come only if the holder asked for them. */
export type Presentation =
  | { kind: 'card'; face: CardFace; details?: CardDetails | undefined }
  /** The issuer's page in a frame, whose address is a secret. */
  | { kind: 'frame'; face: CardFace; url?: string | undefined }
  /** The issuer's script fills the elements; `data` are `data-` attributes of `#issuer-card`. */
  | {
      kind: 'script';
      face: CardFace;
      elements?: { scripts: readonly string[]; hosts: readonly string[]; data: Record<string, string> } | undefined;
    }
  /** The recipient goes on to the issuer's page, whose address is a secret. `https://*.…` stands for all hosts below. */
  | { kind: 'redirect'; targets: readonly string[]; url?: string | undefined }
  | { kind: 'codes'; shop: string; codes?: readonly ShopCode[] | undefined };

export interface Capabilities {
  kind: 'card' | 'code' | 'link';
  /** Of its cards, ISO 4217, upper case; undefined: all. An issuer of other currencies cannot be chosen. */
  currencies?: readonly string[] | undefined;
  /** Whether the card buys anything. */
  isReal: boolean;
}

export interface NewCard extends OfGift {
  cardId: string;
  categoryId: string;
  valueCents: number;
  /** ISO 4217, upper case. */
  currency: string;
}

/** What the recipient entered and accepted, valid by the issuer's requirements. */
export interface Entered {
  fields: Record<string, string>;
  /** What the recipient chose of what the issuer offers. */
  offerId?: string;
  acceptance?: { termsVersion: string; at: string; address: string; userAgent: string } | undefined;
}

export interface IssueRequest extends NewCard {
  /** The same in each call for this card; another one after a refusal. */
  idempotencyKey: string;
  entered: Entered;
  giftCreatedAt: Date;
  /** Of the gift's page; undefined if only the recipient's browser tells it. */
  language: Language | undefined;
  /**
   * The time to which the database was restored since the gift was ordered. A claim after it may have made a card that nothing
   * here knows.
   */
  restoredTo: Date | undefined;
}

/** A card as the issuer lists it. */
export interface ListedCard {
  /** The issuer's id of the card. */
  providerId: string;
  /** UUID; undefined if the service did not make the card. */
  giftId: string | undefined;
  /** Whether it may still pay. */
  isOpen: boolean;
}

export type IssueOutcome =
  | {
      state: 'issued';
      providerId: string | null;
      face: CardFace | null;
      /** What opens the card, such as a link, sealed with the adapter's cipher. It is stored with the card. */
      sealed?: string;
    }
  /** The issuer needs more time; the same call is repeated. */
  | { state: 'pending' }
  /** There is no card, and will be none under this key. The reason is shown to the recipient. */
  | { state: 'refused'; reason: string };

interface AnyIssuer {
  capabilities: Capabilities;
  /** Without it, the recipient does not choose on our page. */
  offers?: Offers | undefined;
  /** What the recipient must enter and accept; undefined if nothing. @param language of its texts */
  requirements(language: Language): Requirements | undefined;
  /** @param isRevealed the holder asked for the number */
  present(card: Card, isRevealed: boolean): Promise<Presentation>;
  /** Finds out whether the settings work. @throws an error for people */
  test(signal: AbortSignal): Promise<void>;
}

/** Makes cards without a call to the outside, in the commit of the claim. */
export interface LocalIssuer extends AnyIssuer {
  isLocal: true;
  /** Undefined if nothing is written. */
  issue?(transaction: Queryable, card: NewCard): Promise<IssueOutcome>;
}

/** A request of the issuer. */
export interface IssuerCall {
  headers: IncomingHttpHeaders;
  /** Exactly as received, because signatures cover it. */
  body: string;
}

export interface CallAnswer {
  status: number;
  headers: Record<string, string>;
  body: string;
}

/** A purchase that waits for an answer. */
export interface Authorization {
  /** The issuer's id of this question; a repetition gets the same answer. */
  authorizationId: string;
  /** The issuer's id of the hold; several questions may raise one hold. */
  holdId: string;
  /** The issuer's id of the card. */
  providerId: string;
  /** Added to what is held. */
  amountCents: number;
  merchant: string;
  at: Date;
}

interface AnyFact {
  /** The issuer's id of the fact: the same however it is learned, and for one content only. */
  factId: string;
  /** The issuer's id of the card. */
  providerId: string;
  at: Date;
}

/**
 * What happened to a card. Facts may arrive twice, late and in any order; the latest `hold` or `hold_changed` counts.
 * Amounts are positive cents; that of a hold is all that was authorized, captured or not.
 */
export type Fact = AnyFact &
  (
    | { kind: 'hold' | 'hold_changed'; holdId: string; amountCents: number; merchant: string }
    /** Nothing more is held. */
    | { kind: 'released'; holdId: string }
    | { kind: 'captured'; holdId: string | null; amountCents: number; merchant: string; isFinal: boolean }
    | { kind: 'refunded'; amountCents: number; merchant: string }
    /** A dispute gives money back only if it is won. */
    | { kind: 'disputed'; disputeId: string; amountCents: number; outcome: 'open' | 'won' | 'lost' }
    /** What the issuer takes for the card beyond its value, such as a fee, or gives back of it; perhaps nothing. */
    | { kind: 'cost' | 'cost_returned'; amountCents: number }
    | { kind: 'closed' }
  );

export interface FundingBalance {
  /** The same for all issuers that are paid from this balance. */
  account: string;
  availableCents: number;
}

/**
 * Makes cards at a provider. Every call is safe to repeat. A call that throws may have had its effect.
 *
 * @see docs/issuers.md for the order of the calls
 */
export interface RemoteIssuer extends AnyIssuer {
  isLocal: false;
  /**
   * Creates the card, inactive, or finds the gift's card: the one that it created under this key before, however long ago, or
   * after the time to which the database was restored.
   */
  issue(request: IssueRequest, signal: AbortSignal): Promise<IssueOutcome>;
  /** Without it, a card works as soon as it exists. */
  activate?(card: CardAtIssuer, signal: AbortSignal): Promise<void>;
  /** Ends the card for good. @returns whether it is ended; one that the issuer does not end is found by the gift's next claim */
  close(card: CardAtIssuer, signal: AbortSignal): Promise<boolean>;
  /**
   * Ends what the issuer keeps of the recipient, as far as it allows. The card cannot be used any more. Without it, the issuer
   * allows nothing.
   */
  forgetHolder?(card: CardAtIssuer, signal: AbortSignal): Promise<void>;
  /**
   * Makes a key with which the issuer's script shows this card in the browser that made the nonce. Undefined: there is no
   * such nonce.
   */
  cardKey?(card: Card, nonce: string, signal: AbortSignal): Promise<string | undefined>;
  /** Makes a new link to the card and ends the earlier one. @returns it, sealed; undefined if the card has ended */
  reissue?(card: Card, signal: AbortSignal): Promise<string | undefined>;
  /** Without it, the issuer does not ask. Answers a purchase within the issuer's limit. @param judge never throws; no answer in time is false */
  decide?(call: IssuerCall, judge: (authorization: Authorization) => Promise<boolean>): Promise<CallAnswer>;
  /** Verifies a webhook event. @returns the issuer's id of the event; undefined if it is forged */
  verify(call: IssuerCall): Promise<string | undefined>;
  /** Reads the facts of a verified event; may ask the provider. */
  ingest(body: string, signal: AbortSignal): Promise<readonly Fact[]>;
  /** Asks for what happened since a time. */
  reconcile(since: Date, signal: AbortSignal): AsyncIterable<Fact>;
  /** Lists the cards that were made since a time. */
  listCards(since: Date, signal: AbortSignal): AsyncIterable<ListedCard>;
  /** Money that purchases are paid from; undefined if the provider does not tell. */
  fundingBalance(signal: AbortSignal): Promise<FundingBalance | undefined>;
}

export interface CardAtIssuer extends OfGift {
  providerId: string;
  valueCents: number;
}

export type Issuer = LocalIssuer | RemoteIssuer;

/** The issuers of all organizations. */
export interface Issuers {
  /** Of the sandbox, and of organizations without a choice. */
  simulated: LocalIssuer;
  /** The issuer of a row; the simulated one without a row. @throws if its settings cannot be read */
  open(organizationId: string, chosen: ChosenIssuer | null): Promise<Issuer>;
  /** The kinds whose balance pays when a gift is claimed, and not when a card pays. */
  paidAtClaim: readonly string[];
}
