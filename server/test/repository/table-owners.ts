import { dirname } from 'node:path';
import { sourceFiles } from './source-files.ts';

/** A statement that changes a table. */
export const WRITES =
  /\b(?:(?<!do )update(?= [\w.]+(?: (?:as )?\w+)?\s+set\b)|insert into|delete from|merge into) ([a-z_.]+)/g;

/** A statement that reads a table. */
export const READS = /\b(?:from|join|using)\s+([a-z_.]+)/g;

/** The names in a source without its comments, where the pattern has its group. */
export const tablesOf = (text: string, pattern: RegExp): string[] =>
  [...text.replace(/\/\*[\s\S]*?\*\/|\/\/.*$/gm, '').matchAll(pattern)].map(([, table = '']) => table);

/** The folders, such as `core/gifts`, whose statements write each table. */
export const writersOf = new Map<string, Set<string>>();
for (const { path, text } of sourceFiles)
  for (const table of tablesOf(text, WRITES)) {
    const folder = dirname(path).split('/').slice(0, 2).join('/');
    writersOf.set(table, (writersOf.get(table) ?? new Set()).add(folder));
  }
