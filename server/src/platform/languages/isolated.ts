import { withoutTurns } from 'bestow-readers/direction.ts';
import { html } from 'ghtml';

/** A name or address of a person in a page: it never turns or moves the text around it. */
export const isolated = (text: string) => html`<bdi>${withoutTurns(text)}</bdi>`;

/** An address, which breaks anywhere. */
export const isolatedAddress = (text: string) => html`<bdi class="address">${withoutTurns(text)}</bdi>`;

const RIGHT_TO_LEFT = /[\p{Script=Arabic}\p{Script=Hebrew}\p{Script=Syriac}\p{Script=Thaana}]/u;

/** The direction of a text by its first letter, as `dir="auto"` decides; undefined without letters. */
export function directionOf(text: string): 'ltr' | 'rtl' | undefined {
  const letter = /\p{L}/u.exec(text)?.[0];
  return letter === undefined ? undefined : RIGHT_TO_LEFT.test(letter) ? 'rtl' : 'ltr';
}
