const LONGEST_NAME = 100;
/** Controls, and marks that hide or turn text. */
const HIDDEN = /[\p{Cc}\p{Cf}\p{Cs}\p{Zl}\p{Zp}]/gu;

/** What a program calls itself, as one line of at most 100 visible characters. */
export const visibleText = (said: string): string =>
  [...said.replace(HIDDEN, ' ').replace(/ {2,}/g, ' ').trim()].slice(0, LONGEST_NAME).join('');
