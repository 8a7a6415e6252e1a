import MiniSearch from 'minisearch';
import type { Section } from './render-markdown.ts';
import { meaningOf, SYNONYMS } from './search-words.ts';

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

/** With fewer sections that have every word, those that have any of them follow. */
const FEW = 5;
/** A misspelled word may differ in a fifth of its letters. */
const MISSPELLED = 0.2;
const MIN_MISSPELLED_LENGTH = 5;

/**
 * Returns a function that finds sections, best first: those with every word of a query or its beginning, then those with any
 * word, a synonym or a word that is spelled like it. Words that say nothing are ignored.
 */
export function createSearch(entries: readonly SearchEntry[]): (query: string) => SearchResult[] {
  const index = new MiniSearch<SearchEntry & { number: number }>({
    idField: 'number',
    fields: ['heading', 'title', 'text'],
    tokenize: (text) => text.split(BETWEEN_WORDS).flatMap(partsOf),
    searchOptions: {
      boost: { heading: 6, title: 3 },
      prefix: true,
      tokenize: (query) => query.split(' '),
    },
  });
  index.addAll(entries.map((entry, number) => ({ ...entry, number })));
  return (query) => {
    const words = wordsOf(query);
    const every = index.search(words.join(' '), { combineWith: 'AND' });
    // A synonym counts less than the word itself.
    const boostTerm = (term: string) => (words.includes(term) ? 1 : 0.7);
    const any = every.length < FEW ? index.search(words.flatMap(withSynonyms).join(' '), { ...LOOSE, boostTerm }) : [];
    const ids = new Set([...every, ...any].map(({ id }) => id as number));
    const shown = any.length === 0 ? words : words.flatMap(withSynonyms);
    return [...ids]
      .slice(0, MAX_RESULTS)
      .flatMap((id) => entries[id] ?? [])
      .map((entry) => present(entry, shown));
  };
}

const LOOSE = {
  combineWith: 'OR',
  prefix: (word: string) => word.length >= MIN_MISSPELLED_LENGTH,
  fuzzy: (word: string) => (word.length >= MIN_MISSPELLED_LENGTH ? MISSPELLED : false),
  weights: { fuzzy: 0.3, prefix: 0.5 },
} as const;

const withSynonyms = (word: string): string[] => [word, ...(SYNONYMS.get(word) ?? [])];

const wordsOf = (query: string): string[] =>
  meaningOf(
    query
      .slice(0, MAX_QUERY_CHARACTERS)
      .toLowerCase()
      .split(BETWEEN_WORDS)
      .map((word) => word.replace(/[.]+$/, ''))
      .filter((word) => word !== ''),
  ).slice(0, MAX_WORDS);

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
