/** Controls, marks that turn text, and letters that take no place; but not the mark that makes a sign a picture. */
const HIDDEN = '(?!\\ufe0f)[\\p{Cc}\\p{Cf}\\p{Cs}\\p{Zl}\\p{Zp}\\p{Default_Ignorable_Code_Point}\\u2800]';
const hidden = new RegExp(HIDDEN, 'u');
const eachHidden = new RegExp(HIDDEN, 'gu');

/** One line without blanks at its ends, that shows something and hides nothing; a pattern of JSON Schema. */
export const VISIBLE_NAME = `^(?=.*[\\p{L}\\p{N}\\p{P}\\p{S}])(?!\\s)(?:(?!${HIDDEN}).)+(?<!\\s)$`;

const visibleName = new RegExp(VISIBLE_NAME, 'u');
export const isVisibleName = (text: string): boolean => visibleName.test(text);

export const hasHidden = (text: string): boolean => hidden.test(text);

/** What someone calls themselves, as one line of at most 100 visible characters. */
export const visibleText = (said: string, most = 100): string =>
  [...said.replace(eachHidden, ' ').replace(/ {2,}/g, ' ').trim()].slice(0, most).join('');

/** Letters and digits only, so that names that look alike are equal: without case, blanks, signs and forms of a letter. */
export const plainName = (name: string): string =>
  name
    .normalize('NFKC')
    .toLowerCase()
    .replace(/[^\p{L}\p{N}]/gu, '');
