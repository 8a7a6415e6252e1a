import { html } from 'ghtml';
import { name } from '../messaging/email-frame.ts';
import { plainName, unlinkable } from '../messaging/plain-name.ts';

/** A part of a letter, for both its forms. */
export interface Phrase {
  /** Markup. */
  html: string;
  text: string;
}

/** What we say ourselves, such as an amount: shown as it is. */
export const plain = (text: string): Phrase => ({ html: html`${text}`, text });

/** What somebody else chose: text that is never a link or markup. */
const strange = (text: string): Phrase => ({ html: name(plainName(text)), text: unlinkable(plainName(text)) });

/**
 * A tag: our own words, and what is set into them. A bare string is taken for somebody else's.
 *
 * @example phrase`You are ${plain('an admin')} of ${organizationName}.`
 */
export function phrase(words: TemplateStringsArray, ...values: readonly (string | Phrase)[]): Phrase {
  const phrases = values.map((value) => (typeof value === 'string' ? strange(value) : value));
  return {
    html: String.raw({ raw: words.map((word) => html`${word}`) }, ...phrases.map((part) => part.html)),
    text: String.raw({ raw: words }, ...phrases.map(({ text }) => text)),
  };
}
