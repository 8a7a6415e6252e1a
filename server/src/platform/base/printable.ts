/** Control characters, which could steer a terminal, and marks that change the direction of the text after them. */
const UNPRINTABLE = /[\p{Cc}\p{Cs}\u2028\u2029\u202a-\u202e\u2066-\u2069]/gu;

/** Escapes such characters as JSON does: a tab becomes `\u0009`. */
export const printable = (line: string): string =>
  line.replace(UNPRINTABLE, (character) => `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`);

/** Escapes each line. */
export const printableLines = (text: string): string => text.split('\n').map(printable).join('\n');
