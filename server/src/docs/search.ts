import MiniSearch from 'minisearch';
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

/** Letters and digits, and what names of fields, settings and files have in them. */
const BETWEEN_WORDS = /[^\p{L}\p{N}_+./-]+/u;

/** Matches at the beginning of a word: `key` finds `keys` and `Idempotency-Key`, not `monkey`. */
const beginningOf = (word: string, flags: string) => new RegExp(`(?<![\\p{L}\\p{N}])${RegExp.escape(word)}`, flags);

/** A word, and its parts: `Idempotency-Key` is found by `key` too. */
const partsOf = (word: string): string[] => {
  const parts = word.split(/[_+./-]+/).filter((part) => part !== '');
  return parts.length > 1 ? [word, ...parts] : parts;
};

/** Returns a function that finds the sections with every word of a query, or its beginning, best first. */
export function createSearch(entries: readonly SearchEntry[]): (query: string) => SearchResult[] {
  const index = new MiniSearch<SearchEntry & { number: number }>({
    idField: 'number',
    fields: ['heading', 'title', 'text'],
    tokenize: (text) => text.split(BETWEEN_WORDS).flatMap(partsOf),
    searchOptions: {
      boost: { heading: 6, title: 3 },
      prefix: true,
      combineWith: 'AND',
      tokenize: (query) => wordsOf(query),
    },
  });
  index.addAll(entries.map((entry, number) => ({ ...entry, number })));
  return (query) =>
    index
      .search(query)
      .slice(0, MAX_RESULTS)
      .flatMap(({ id }) => entries[id] ?? [])
      .map((entry) => present(entry, wordsOf(query)));
}

const wordsOf = (query: string): string[] =>
  query
    .slice(0, MAX_QUERY_CHARACTERS)
    .toLowerCase()
    .split(BETWEEN_WORDS)
    .filter((word) => word !== '')
    .slice(0, MAX_WORDS);

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
