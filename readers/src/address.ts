/** Characters without a picture: zero-width, soft hyphen, directions, joiners, byte order mark. */
const INVISIBLE = /[\u00ad\u061c\u180e\u200b-\u200f\u202a-\u202e\u2060-\u2069\ufeff]/g;

/** An address that a person copied, as it was meant. */
export interface CleanAddress {
  address: string;
  /** What was taken away or replaced, for people; empty if nothing was. */
  removed: string[];
}

type Step = [what: string, clean: (text: string) => string];

/** Google's file has all addresses of a kind in one cell. */
const OTHER_VALUES: Step = ['the addresses after the first', (text) => text.split(' ::: ', 1).join('')];

const steps: Record<'email' | 'phone', Step[]> = {
  email: [
    OTHER_VALUES,
    ['invisible characters', (text) => text.replace(INVISIBLE, '')],
    ['“mailto:”', (text) => text.replace(/^mailto:\s*/i, '')],
    ['the name around the address', (text) => /^[^<>@]*<([^<>\s]+@[^<>\s]+)>$/.exec(text)?.[1] ?? text],
    ['the full stop at the end', (text) => text.replace(/(?<=[A-Za-z])\.$/, '')],
  ],
  phone: [
    OTHER_VALUES,
    ['invisible characters', (text) => text.replace(INVISIBLE, '')],
    ['“tel:”', (text) => text.replace(/^tel:\s*/i, '')],
    ['wide characters', (text) => text.replace(/[\uff0b\uff0d\uff10-\uff19]/g, (sign) => sign.normalize('NFKC'))],
    [
      'special spaces and dashes',
      (text) => text.replace(/[\u00a0\u2009\u202f]/g, ' ').replace(/[\u2010-\u2015\u2212]/g, '-'),
    ],
    ['dots between digits', (text) => (/^\+[\d\s().-]+$/.test(text) ? text.replace(/(?<=\d)\.(?=\d)/g, '-') : text)],
  ],
};

/** Takes away what copying adds to an address. The server checks what is left. */
export function cleanAddress(kind: 'email' | 'phone', text: string): CleanAddress {
  let address = text.trim();
  const removed: string[] = [];
  for (const [what, clean] of steps[kind]) {
    const next = clean(address).trim();
    if (next !== address) removed.push(what);
    address = next;
  }
  return { address, removed };
}
