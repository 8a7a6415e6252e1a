import type { Phrase } from './phrase.ts';

/** What a notice says, from which both its forms are made. */
export interface Letter {
  subject: string;
  /** What mail programs show beside the subject. */
  preheader: string;
  title: Phrase;
  lead: Phrase;
  /** The digits of a sign-in code. */
  code?: string;
  /** An amount that is seen first, and words after it. */
  figure?: { amount: string; words: string };
  /** Label and value, one to a line. */
  facts?: readonly (readonly [label: string, value: Phrase])[];
  action?: { label: string; link: string };
  /** What else to know, or to do. */
  notes: { title: string; points: readonly Phrase[] };
  /** Why this person gets it. */
  reason: Phrase;
}
