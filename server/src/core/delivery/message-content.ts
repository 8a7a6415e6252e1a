import type { Words } from '../../platform/languages/words.ts';
import type { MailLook } from '../../platform/messaging/email-palette.ts';

/** The data of a message. Names and the note are cleaned (`plain-name.ts`), but still untrusted text. */
export interface MessageContent {
  /** English if absent. */
  words?: Words;
  senderName: string;
  recipientName: string | undefined;
  /** The organization that paid, unless the sender bears the same name. */
  organizationName: string | undefined;
  /** What the sender writes, in lines. */
  note: string | undefined;
  /** Undefined if it stays a surprise until the gift is opened. */
  value: { amount: string; categoryName: string } | undefined;
  /** An absolute URL of a format that mail programs show; null if the category has no picture. */
  pictureUrl: string | null;
  /** The last day on which the gift can be claimed, if it expires. */
  lastDay: string | undefined;
  /** What the program of the organization has to tell, as one paragraph. */
  disclosure: string;
  /** The redemption link. */
  link: string;
  /** Of a reminder: the page that ends reminders. */
  stopLink: string | undefined;
  /** What the organization chose instead of the service's subject. */
  subject: string | undefined;
  look: MailLook;
  /** Of the organization, in lines. */
  footer: string | undefined;
}
