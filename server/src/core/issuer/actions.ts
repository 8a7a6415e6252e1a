import { type RecordEvent, recordAction, type Sentences } from '../../platform/audit/record-event.ts';

/** What is recorded of the choice of issuers. */
interface IssuerActions {
  /** Null: all categories without an own issuer. */
  'issuer.added': { kind: string; category: string | null };
  'issuer.removed': { kind: string; category: string | null };
}

export const issuerSentences: Sentences<IssuerActions> = {
  'issuer.added': ({ kind, category }) => `Chose ${kind} as the issuer of ${category ?? 'all other categories'}`,
  'issuer.removed': ({ kind, category }) => `Removed ${kind} as the issuer of ${category ?? 'all other categories'}`,
};

export const recordEvent: RecordEvent<IssuerActions> = recordAction;
