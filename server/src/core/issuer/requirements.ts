/** A field of the claim's form, as a part of JSON Schema that plain HTML can show. */
export interface FieldSchema {
  type: 'string';
  /** The label. */
  title: string;
  /** A hint below the label. */
  description?: string;
  format?: 'date' | 'email' | 'tel';
  minLength?: number;
  maxLength?: number;
  /** Matches the whole text. */
  pattern?: string;
  /** Values to choose from. */
  enum?: readonly string[];
  /** What people read for each value of `enum`, in its order. */
  'x-labels'?: readonly string[];
  /** HTML's `autocomplete`, such as `address-line1`. */
  'x-autocomplete'?: string;
  /** What is wrong, for people; without it the label is named. */
  'x-error'?: string;
}

/** What an issuer needs of the recipient before it makes a card. */
export interface Requirements {
  schema: {
    type: 'object';
    properties: Record<string, FieldSchema>;
    required: readonly string[];
  };
  /** ISO 3166, of the only addresses that the issuer takes. */
  country?: string;
  /** Terms to accept by a checkbox. */
  terms?: { version: string; text: string; url: string } | undefined;
}
