import type { CategoryRow } from '../../core/catalog/queries.ts';
import type { OperatorContact } from '../../platform/configuration/operator-contact.ts';
import type { Words } from '../../platform/languages/words.ts';
import type { PageFace } from '../../platform/pages/layout.ts';
import type { BasePath } from './base-path.ts';
import type { ShownOffers } from './read-offers.ts';

/** What every page of a gift shows. */
export interface ShownGift {
  basePath: BasePath;
  /** English if absent. */
  words?: Words;
  /** Whether it is only tried, so that its language cannot be changed. */
  isTried?: boolean;
  /** `gift_…`. */
  giftId: string;
  senderName: string;
  /** Of the organization that paid. */
  organizationName: string;
  recipientName: string | undefined;
  /** What the sender writes, in lines. */
  note: string | undefined;
  amountCents: number;
  categoryName: string;
  /** The absolute URL of the picture that chats show with the link. */
  pictureUrl?: string;
  /** Of a gift whose recipient chooses. */
  choice?: Choice | undefined;
  /** Of an issuer that lets the recipient choose before the claim. */
  offers?: ShownOffers | undefined;
  /** The category's picture, if any. */
  artwork: string | null;
  currency: string;
  isSandbox: boolean;
  /** The last day on which the gift can be claimed, if it expires. */
  lastDay?: string | undefined;
  /** What the program of the organization has to tell. */
  disclosure?: string;
  /** Whether the claim asks how the card can come back if its browser is lost. */
  asksWayBack?: boolean;
  /** What was typed as its way back, if the claim was refused. */
  typedWayBack?: TypedWayBack | undefined;
  /** Whether the recipient said that they do not want it. */
  isDeclined?: boolean;
  /** A live gift whose card buys nothing. */
  isSimulatedLive?: boolean;
  /** The form that replaces the button to claim, if the issuer needs to know more. */
  claimForm?: string | undefined;
  /** An error message. */
  notice?: string | undefined;
  /** How the organization looks. */
  face?: PageFace | undefined;
  /** Of the service. */
  operator?: OperatorContact | undefined;
}

/** Of a gift of the category `any`. */
export interface Choice {
  /** What can be chosen, in the catalog's order. */
  offered: readonly Pick<CategoryRow, 'category_id' | 'name' | 'description' | 'artwork'>[];
  /** A category's id; null until the recipient chooses. */
  chosenId: string | null;
}

/** As typed, to be shown again. */
export interface TypedWayBack {
  address: string;
  pin: string;
  error?: 'email' | 'pin' | 'easy_pin' | 'nothing';
}
