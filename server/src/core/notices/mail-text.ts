import { html } from 'ghtml';
import { name } from '../../platform/messaging/email-frame.ts';
import { plainName, unlinkable } from '../../platform/messaging/plain-name.ts';

/** A part of a mail, as HTML and as plain text. */
export interface MailText {
  /** Markup. */
  html: string;
  text: string;
}

/** Our own text, such as an amount. Mail programs may turn it into a link. */
export const trusted = (text: string): MailText => ({ html: html`${text}`, text });

/** Text that a person chose. It is never markup, and never a link in a mail program. */
const untrusted = (text: string): MailText => ({ html: name(plainName(text)), text: unlinkable(plainName(text)) });

/**
 * Template tag: our words with values in them. A plain string counts as untrusted.
 *
 * @example mailText`You are ${trusted('an admin')} of ${organizationName}.`
 */
export function mailText(words: TemplateStringsArray, ...values: readonly (string | MailText)[]): MailText {
  const parts = values.map((value) => (typeof value === 'string' ? untrusted(value) : value));
  return {
    html: String.raw({ raw: words.map((word) => html`${word}`) }, ...parts.map((part) => part.html)),
    text: String.raw({ raw: words }, ...parts.map(({ text }) => text)),
  };
}
