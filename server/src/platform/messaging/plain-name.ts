/** Characters that reorder or hide text, except the joiners that scripts and emoji need. */
const INVISIBLE = /[\u00ad\u061c\u180e\u200b\u200e\u200f\u202a-\u202e\u2060-\u206f\ufeff\u{e0001}]/gu;
const BREAK = /[\p{Cc}\u2028\u2029]+/gu;
const WORD_JOINER = '\u2060';

/**
 * Makes a name safe to show: it cannot reorder the text around it or imitate another name with invisible characters, and
 * `=?` never starts an encoded word in a header.
 *
 * @param withoutName for a name of which nothing is left
 */
export function plainName(name: string, withoutName = 'Someone'): string {
  const plain = name.replace(BREAK, ' ').replace(INVISIBLE, '').replaceAll('=?', `=${WORD_JOINER}?`).trim();
  return plain === '' ? withoutName : plain;
}

/**
 * Makes the sender's message safe to show: no character reorders or hides text. Line breaks are kept, runs of empty lines
 * are one.
 *
 * @returns undefined if there is nothing to show
 */
export function plainMessage(message: string): string | undefined {
  const lines = message.replace(INVISIBLE, '').split(/\r?\n/);
  const plain = lines
    .map((line) => line.replace(BREAK, ' ').trimEnd())
    .join('\n')
    .replace(/\n{3,}/g, '\n\n')
    .replace(/^\n+|\n+$/g, '');
  return plain.trim() === '' ? undefined : plain;
}

const segmenter = new Intl.Segmenter('en');

/** Cuts a text to at most `max` graphemes, the ellipsis included. */
export function shorten(text: string, max: number, ellipsis = '…'): string {
  if (text.length <= max) return text;
  const characters = [...segmenter.segment(text)].map(({ segment }) => segment);
  if (characters.length <= max) return text;
  return (
    characters
      .slice(0, max - ellipsis.length)
      .join('')
      .trimEnd() + ellipsis
  );
}

/** Characters that let programs detect an address: a dot, its look-alikes, `@`, `:`, `/` or `\`, if more text follows. */
const ADDRESS_MARK = /([.@:/\\\u3002\uff0e\uff61])(?=[^\s.])/gu;

/**
 * Prevents mail programs and phones from turning a name into a link.
 *
 * @param separator goes after each address mark; the default is invisible
 */
export function unlinkable(text: string, separator = WORD_JOINER): string {
  return text.replace(ADDRESS_MARK, `$1${separator}`);
}
