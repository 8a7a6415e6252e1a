import { readdirSync, readFileSync, statSync } from 'node:fs';
import { dirname, join } from 'node:path';

// Which files of the repository name which. Paths are from its root.

const PACKAGES: [string, string][] = [
  ['bestow-readers/', 'readers/src/'],
  ['bestow-sdk', 'sdk/src/index.ts'],
];

function kindOf(path: string): 'file' | 'folder' | undefined {
  const stats = statSync(path, { throwIfNoEntry: false });
  if (stats?.isFile()) return 'file';
  return stats?.isDirectory() ? 'folder' : undefined;
}

/** What a name in quotes may mean: below the file that names it, or below the root. */
function pathOf(from: string, name: string): string | undefined {
  if (name.startsWith('.')) return join(dirname(from), name);
  const [start, replacement] = PACKAGES.find(([each]) => name.startsWith(each)) ?? [];
  if (start !== undefined) return `${replacement}${start.endsWith('/') ? name.slice(start.length) : ''}`;
  return /^\w[\w.-]*\/[\w./-]+$/.test(name) ? join(name) : undefined;
}

const isModule = (path: string) => /\.(?:ts|tsx|js)$/.test(path);

/** The files of a folder, but not those below its folders. */
const filesIn = (folder: string) => readdirSync(folder).map((name) => join(folder, name));

export interface FileGraph {
  /** The files that this file imports, or names in quotes; of a folder that it names, its files. */
  namedBy(path: string): ReadonlySet<string>;
  /** These files, and those that they reach. @param follows whether to go on through this file, if `from` names it */
  reachedFrom(starts: Iterable<string>, follows?: (path: string, from: string) => boolean): Set<string>;
}

/** Reads each file once, when something asks for it. */
export function createFileGraph(): FileGraph {
  const read = new Map<string, Set<string>>();

  function namesIn(path: string): Set<string> {
    if (!isModule(path) || kindOf(path) !== 'file') return new Set();
    const names = [...readFileSync(path, 'utf8').matchAll(/['"`]([^'"`\n$]+)['"`]/g)].map(([, name = '']) => name);
    const paths = new Set(names.flatMap((name) => pathOf(path, name) ?? []).map((each) => each.replace(/\/$/, '')));
    // A folder around the file is a start of other names, such as `../..`.
    const isAround = (folder: string) =>
      folder === '.' || folder.startsWith('..') || `${path}/`.startsWith(`${folder}/`);
    const isOurs = (each: string) => !each.includes('node_modules') && !isAround(each);
    const ours = [...paths].filter(isOurs).flatMap((each) => (kindOf(each) === 'folder' ? filesIn(each) : each));
    return new Set(ours.filter((each) => kindOf(each) === 'file'));
  }

  function namedBy(path: string): ReadonlySet<string> {
    const known = read.get(path) ?? namesIn(path);
    read.set(path, known);
    return known;
  }

  return {
    namedBy,
    reachedFrom(starts, follows = () => true) {
      const reached = new Set(starts);
      for (const path of reached) for (const next of namedBy(path)) if (follows(next, path)) reached.add(next);
      return reached;
    },
  };
}
