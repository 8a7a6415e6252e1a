import { storable } from '../../../platform/base/storable.ts';

const entities: Readonly<Record<string, string>> = {
  amp: '&',
  lt: '<',
  gt: '>',
  quot: '"',
  apos: '’',
  nbsp: '\u00a0',
  copy: '©',
  reg: '®',
  trade: '™',
  hellip: '…',
  ndash: '–',
  mdash: '—',
  lsquo: '‘',
  rsquo: '’',
  ldquo: '“',
  rdquo: '”',
  bull: '•',
};

/** Of one field: a provider can send any number of any length. */
const MOST_LETTERS = 20_000;

/** Within one tag or one text, so that each letter is read a fixed number of times. */
const LINK = /<a\s([^<>]*)>([^<]*)<\/a>/gi;
const ADDRESS = /\bhref\s*=\s*["'](https?:[^"'<>\s]+)["']/i;

/** Returns the text of a provider's HTML, or text, in lines. A link is followed by its address. */
export function plainText(html: string | undefined, mostLetters: number): string {
  const text = (html ?? '')
    .slice(0, Math.min(4 * mostLetters, MOST_LETTERS))
    .replaceAll(/<(script|style)\b[\s\S]*?(?:<\/\1\s*>|$)/gi, ' ')
    .replaceAll(LINK, (whole, tag: string, label: string) => {
      const [, address] = ADDRESS.exec(tag) ?? [];
      if (address === undefined) return whole;
      return label.trim() === address ? ` ${address} ` : ` ${label} (${address})`;
    })
    .replaceAll(/<li\b[^<>]*>/gi, '\n• ')
    .replaceAll(/<(?:br|\/?(?:p|div|ul|ol|tr|h[1-6]|table))\b[^<>]*>/gi, '\n')
    .replaceAll(/<\/?[a-z!][^<>]*>/gi, ' ')
    .replaceAll(/&(?:#(\d{1,7})|#x([0-9a-f]{1,6})|(\w{2,8}));/gi, (whole, decimal, hexadecimal, name) =>
      name === undefined ? letterOf(decimal, hexadecimal) : (entities[name.toLowerCase()] ?? whole),
    );
  return storable(text)
    .replaceAll(/[^\S\n\u00a0]+/g, ' ')
    .replaceAll(/ ?\n\s*/g, '\n')
    .replaceAll(/ ([.,)])/g, '$1')
    .trim()
    .slice(0, mostLetters)
    .toWellFormed();
}

function letterOf(decimal: string | undefined, hexadecimal: string | undefined): string {
  const code = decimal === undefined ? Number.parseInt(hexadecimal ?? '', 16) : Number(decimal);
  return code > 0 && code <= 0x10ffff ? String.fromCodePoint(code) : ' ';
}
