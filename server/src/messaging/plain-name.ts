/**
 * What reorders or hides text (marks of direction, blanks without width) but for the joiners that scripts and emoji need,
 * and line breaks, which the interface refuses anyway.
 */
const INVISIBLE = /[\u00ad\u061c\u180e\u200b\u200e\u200f\u202a-\u202e\u2060-\u206f\ufeff\u{e0001}]/gu;
const BREAK = /[\p{Cc}\u2028\u2029]+/gu;
const WORD_JOINER = '\u2060';

/**
 * A name as a message may show it: it cannot turn the words around it about, nor look like another one by what nobody
 * sees. What would be read as a word in a header's encoding stays text.
 */
export function plainName(name: string): string {
  const plain = name.replace(BREAK, ' ').replace(INVISIBLE, '').replaceAll('=?', `=${WORD_JOINER}?`).trim();
  return plain === '' ? 'Someone' : plain;
}

const segmenter = new Intl.Segmenter('en');

/** At most so many characters as a reader counts them; the rest is an ellipsis. */
export function shorten(text: string, most: number, ellipsis = '…'): string {
  if (text.length <= most) return text;
  const characters = [...segmenter.segment(text)].map(({ segment }) => segment);
  if (characters.length <= most) return text;
  return (
    characters
      .slice(0, most - ellipsis.length)
      .join('')
      .trimEnd() + ellipsis
  );
}

/** What makes programs take text for an address: a dot, its look-alikes, an @, or a slash or colon, with more behind it. */
const ADDRESS_MARK = /([.@:/\\\u3002\uff0e\uff61])(?=[^\s.])/gu;

/**
 * The text with something behind each mark that an address needs: mail programs and phones make a link of whatever looks
 * like one, and a name must never be a link to somewhere else.
 *
 * @param behind by default a joiner without width, so that the text looks the same
 */
export function unlinkable(text: string, behind = WORD_JOINER): string {
  return text.replace(ADDRESS_MARK, `$1${behind}`);
}
