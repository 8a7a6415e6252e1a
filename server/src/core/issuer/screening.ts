/** What the screening service learns of a claim. Entered details are sent, but not stored. */
export interface ClaimQuestion {
  /** `gift_…`. */
  gift_id: string;
  /** `org_…`. */
  organization_id: string;
  /** Cents. */
  amount: number;
  /** ISO 4217. */
  currency: string;
  category: string;
  /** What the recipient entered for the issuer; null if nothing. */
  entered: Readonly<Record<string, string>> | null;
  /** ISO 3166, two letters; null if unknown. */
  country: string | null;
}

/** The operator's service that screens claims. */
export interface Screening {
  /** @throws without a valid answer in time */
  ask(question: ClaimQuestion): Promise<'allow' | 'hold'>;
}
