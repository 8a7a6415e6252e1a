import { longFunctions, MAX_FUNCTION_LINES } from './functions.ts';
import { folderCircles, writtenFiles } from './source-files.ts';
import { findBannedWords } from './words.ts';

const files = writtenFiles();
/** TypeScript only. */
export const code = [...files].filter(([path]) => /\.tsx?$/.test(path));
const linesOf = (text: string) => text.split('\n').length - 1;
const bytesOf = (path: string) => Buffer.byteLength(files.get(path) ?? '');

/** Lines by folder, two levels deep. */
export function linesByFolder(): Map<string, number> {
  const sums = new Map<string, number>();
  for (const [path, text] of files) {
    const parts = path.split('/').slice(0, -1);
    const folder = parts.slice(0, 2).join('/') || '.';
    sums.set(folder, (sums.get(folder) ?? 0) + linesOf(text));
  }
  return sums;
}

const sumOfLines = (prefix = '') =>
  [...files].reduce((sum, [path, text]) => sum + (path.startsWith(prefix) ? linesOf(text) : 0), 0);

const MAX_NAME_LENGTH = 80;

function longTestNames(): string[] {
  return code
    .filter(([path]) => path.endsWith('.test.ts'))
    .flatMap(([path, text]) =>
      [...text.matchAll(/\b(?:test|it|describe)\(\s*(['"`])((?:\\.|(?!\1).)*)\1/g)]
        .map(([, , name = '']) => name)
        .filter((name) => name.length > MAX_NAME_LENGTH)
        .map((name) => `${path}: ${name}`),
    );
}

/** Catalogues of other languages than English. */
const TRANSLATED = /^server\/src\/languages\/(?!en\/)[\w-]+\//;

function bannedWords(): string[] {
  return [...files]
    .filter(([path]) => /\.(?:tsx?|js|mjs|css|md|ya?ml|sh|html)$|Dockerfile|\.ci\/run$/.test(path))
    .filter(([path]) => !TRANSLATED.test(path))
    .flatMap(([path, text]) => findBannedWords(path, text))
    .map(({ path, line, text, instead }) => `${path}:${line}: ${text} (instead: ${instead})`);
}

export interface Bound {
  name: string;
  limit: number;
  /** A number, or a list whose length counts. */
  measure(): number | string[];
}

/** What a stranger can read in an afternoon. `npm run house` prints these, and tidy.test.ts holds them. */
export const bounds: readonly Bound[] = [
  { name: 'bytes of README.md', limit: 8_500, measure: () => bytesOf('README.md') },
  { name: 'bytes of docs/architecture.md', limit: 12_000, measure: () => bytesOf('docs/architecture.md') },
  // Lockfiles and generated files do not count. A feature may raise the limit in its own commit.
  { name: 'lines in all', limit: 163_000, measure: () => sumOfLines() },
  { name: 'lines of reliability/', limit: 10_600, measure: () => sumOfLines('reliability/') },
  { name: `functions over ${MAX_FUNCTION_LINES} lines`, limit: 0, measure: () => longFunctions(code) },
  { name: 'circles of folders', limit: 0, measure: folderCircles },
  { name: `test names over ${MAX_NAME_LENGTH} characters`, limit: 0, measure: longTestNames },
  { name: 'banned words', limit: 0, measure: bannedWords },
];
