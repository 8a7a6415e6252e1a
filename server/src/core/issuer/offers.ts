/** One of the things that a gift can become. Its texts are the provider's, plain, in lines. */
export interface Offer {
  offerId: string;
  name: string;
  description: string;
  howToUse: string;
  terms: string;
  /** Of the picture that this service serves; undefined without a picture. */
  pictureId: string | undefined;
  kind: 'gift_card' | 'prepaid_card' | 'bank' | 'wallet' | 'charity';
}

/** The gift that an offer must take as a whole. */
export interface OfferedGift {
  valueCents: number;
  /** ISO 4217, upper case. */
  currency: string;
  /** Where the recipient uses it, ISO 3166; undefined: anywhere. */
  country: string | undefined;
}

export interface OfferQuery extends OfferedGift {
  /** Words that the name must have. */
  search: string;
  /** From 1 on. */
  page: number;
}

/** A page of what can be chosen. */
export interface OfferList {
  offers: readonly Offer[];
  total: number;
  /** The number of pages; at least 1. */
  pages: number;
  /** Countries in which a gift of this value and currency has offers. */
  countries: readonly string[];
}

/** What recipients choose from before the claim. */
export interface Offers {
  list(query: OfferQuery): Promise<OfferList>;
  /** Returns undefined if it is not offered for such a gift, or not any more. */
  find(offerId: string, gift: OfferedGift): Promise<Offer | undefined>;
  /** Reads again what the provider offers. */
  refresh(signal: AbortSignal): Promise<void>;
}
