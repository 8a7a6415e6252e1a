import type { Section } from './render-markdown.ts';

/** A section and the page that it is on. */
export interface SearchEntry extends Section {
  path: string;
  title: string;
}

export interface SearchResult {
  /** Path with the anchor. */
  address: string;
  title: string;
  heading: string;
  /** Text around the first match; every second part is a match. */
  excerpt: string[];
}

const MAX_WORDS = 8;
const MAX_RESULTS = 20;
const EXCERPT_BEFORE = 60;
const EXCERPT_LENGTH = 220;

/** Longer queries are cut. */
const MAX_QUERY_CHARACTERS = 200;

/** Matches at the beginning of a word: `key` finds `keys` and `Idempotency-Key`, not `monkey`. */
const beginningOf = (word: string, flags: string) => new RegExp(`(?<![\\p{L}\\p{N}])${RegExp.escape(word)}`, flags);

/** Returns the sections that contain every word of the query, best first. */
export function search(entries: readonly SearchEntry[], query: string): SearchResult[] {
  const words = query
    .slice(0, MAX_QUERY_CHARACTERS)
    .toLowerCase()
    .split(/[^\p{L}\p{N}_+./-]+/u);
  const wanted = words.filter((word) => word !== '').slice(0, MAX_WORDS);
  if (wanted.length === 0) return [];
  return entries
    .map((entry) => ({ entry, score: scoreOf(entry, wanted) }))
    .filter(({ score }) => score > 0)
    .sort((one, other) => other.score - one.score)
    .slice(0, MAX_RESULTS)
    .map(({ entry }) => present(entry, wanted));
}

function scoreOf({ title, heading, text }: SearchEntry, words: readonly string[]): number {
  let score = 0;
  for (const word of words) {
    const inHeading = beginningOf(word, 'iu').test(heading) ? 12 : 0;
    const inTitle = beginningOf(word, 'iu').test(title) ? 5 : 0;
    const inText = Math.min(4, text.match(beginningOf(word, 'giu'))?.length ?? 0);
    if (inHeading + inTitle + inText === 0) return 0;
    score += inHeading + inTitle + inText;
  }
  return score;
}

function present({ path, id, title, heading, text }: SearchEntry, words: readonly string[]): SearchResult {
  const any = `(?<![\\p{L}\\p{N}])(${words.map((word) => RegExp.escape(word)).join('|')})`;
  const together = text.search(beginningOf(words.join(' '), 'iu'));
  const at = together >= 0 ? together : text.search(new RegExp(any, 'iu'));
  const start = at <= EXCERPT_BEFORE ? 0 : text.lastIndexOf(' ', at - EXCERPT_BEFORE) + 1;
  const longest = start + EXCERPT_LENGTH;
  const space = text.lastIndexOf(' ', longest);
  const end = text.length <= longest ? text.length : space > start ? space : longest;
  const cut = text.slice(start, end);
  const shown = `${start > 0 ? '… ' : ''}${cut}${end < text.length ? ' …' : ''}`;
  return {
    address: id === undefined ? path : `${path}#${id}`,
    title,
    heading,
    excerpt: shown.split(new RegExp(any, 'giu')),
  };
}
