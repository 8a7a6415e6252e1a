import type { Words } from '../../platform/languages/words.ts';
import type { MailText } from './mail-text.ts';

/** The content of a notice, for its HTML and its plain text. */
export interface Mail {
  /** English if absent. */
  words?: Words;
  subject: string;
  /** Mail programs show it next to the subject. */
  preheader: string;
  title: MailText;
  lead: MailText;
  /** The digits of a sign-in code. */
  code?: string;
  /** A large amount and the words after it. */
  figure?: { amount: string; words: string };
  facts?: readonly (readonly [label: string, value: MailText])[];
  action?: { label: string; link: string };
  notes: { title: string; points: readonly MailText[] };
  /** Why this person gets the mail. */
  reason: MailText;
}
