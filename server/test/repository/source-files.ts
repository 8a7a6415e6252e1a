import { execFileSync } from 'node:child_process';
import { globSync, readFileSync } from 'node:fs';
import { dirname, join, relative } from 'node:path';

export const SOURCE = 'server/src';

export interface SourceFile {
  /** From `server/src` on, such as `core/gifts/queries.ts`. */
  path: string;
  /** The folder in a room, such as `gifts`; empty for the files of `server/src` and of a room itself. */
  folder: string;
  text: string;
  imports: { target: string; isType: boolean }[];
}

export const folderOf = (target: string) => {
  const [, folder = '', file] = target.split('/');
  return file === undefined ? '' : folder;
};

export const sourceFiles: SourceFile[] = globSync(`${SOURCE}/**/*.ts`).map((fullPath) => {
  const path = relative(SOURCE, fullPath);
  const text = readFileSync(fullPath, 'utf8');
  const imports = [...text.matchAll(/^(?:import|export)\s+(type\s)?[^;]*?from '(\.[^']+)'/gms)].map((match) => ({
    target: join(dirname(path), match[2] ?? ''),
    isType: match[1] !== undefined,
  }));
  return { path, folder: folderOf(path), text, imports };
});

/** The rooms of `server/src`, each above those before it. */
const ROOMS = ['platform', 'core', 'faces', 'capabilities', 'surfaces'] as const;

export const roomOf = (target: string) => ROOMS.findIndex((room) => target.startsWith(`${room}/`));

const foldersWithFiles = new Set(sourceFiles.map(({ path }) => dirname(path)));

/** The first folder on the way to a file that has files of its own: `core/orders`, but `core/gifts/claim`. */
function wholeFolderOf(target: string): string {
  const folders = target.split('/').slice(0, -1);
  const paths = folders.map((_, index) => folders.slice(0, index + 1).join('/'));
  return paths.slice(1).find((path) => foldersWithFiles.has(path)) ?? folders.join('/');
}

type Imports = Map<string, Set<string>>;

function addImport(imported: Imports, from: string, to: string): void {
  if (from !== '' && to !== '' && from !== to) imported.set(from, (imported.get(from) ?? new Set()).add(to));
}

/** Files or folders that reach each other. */
export function knotsOf(imported: Imports): string[][] {
  const reachedFrom = (start: string) => {
    const reached = new Set<string>();
    const open = [start];
    for (let node = open.pop(); node !== undefined; node = open.pop())
      for (const next of imported.get(node) ?? [])
        if (!reached.has(next)) {
          reached.add(next);
          open.push(next);
        }
    return reached;
  };
  const reach = new Map([...imported.keys()].map((node) => [node, reachedFrom(node)]));
  const knotOf = (node: string) =>
    [...(reach.get(node) ?? [])].filter((other) => other === node || reach.get(other)?.has(node)).sort();
  const knots = [...reach.keys()].map(knotOf).filter((knot) => knot.length > 1);
  return [...new Map(knots.map((knot) => [knot.join(), knot])).values()];
}

/** Folders that reach each other by imports, also of types; a room's own files are one of its folders. */
export function folderKnots(): string[][] {
  const imported: Imports = new Map();
  for (const { path, imports } of sourceFiles)
    for (const { target } of imports) addImport(imported, wholeFolderOf(path), wholeFolderOf(target));
  return knotsOf(imported);
}

/** Which folders of the server import values from which. */
export function serverImports(): Imports {
  const imported: Imports = new Map();
  const nodeOf = (path: string) => (folderOf(path) === '' ? '' : wholeFolderOf(path));
  for (const { path, imports } of sourceFiles)
    for (const { target, isType } of imports) if (!isType) addImport(imported, nodeOf(path), nodeOf(target));
  return imported;
}

/** Which files of the server import which, also types. */
export function serverFileImports(): Imports {
  const imported: Imports = new Map();
  for (const { path, imports } of sourceFiles) for (const { target } of imports) addImport(imported, path, target);
  return imported;
}

/** Which files of the portal's two apps import which, also types. */
export function portalImports(): Imports {
  const source = 'portal/src';
  const imported: Imports = new Map();
  for (const fullPath of globSync(`${source}/**/*.{ts,tsx}`)) {
    const path = relative(source, fullPath);
    const text = readFileSync(fullPath, 'utf8');
    for (const [, given = '', later] of text.matchAll(
      /^(?:import|export)\s+[^;]*?from '(\.[^']+)'|import\('(\.[^']+)'\)/gms,
    ))
      addImport(imported, path, join(dirname(path), later ?? given));
  }
  return imported;
}

/** The same by folder. Each folder of pages counts; the files that put an app together do not. */
export function portalFolderImports(): Imports {
  const folderOfApp = (path: string) =>
    /^(?:(?:operator\/)?pages\/[^/]+|operator\/[^/]+|(?!operator\/)[^/]+)(?=\/[^/]+$)/.exec(path)?.[0] ?? '';
  const imported: Imports = new Map();
  for (const [from, targets] of portalImports())
    for (const to of targets) addImport(imported, folderOfApp(from), folderOfApp(to));
  return imported;
}

/** Circles, such as `a → b → a`. */
export function circlesOf(imported: Imports): string[] {
  const circles: string[] = [];
  const walk = (path: string[]) => {
    for (const next of imported.get(path.at(-1) ?? '') ?? [])
      if (next === path[0]) circles.push([...path, next].join(' → '));
      else if (!path.includes(next) && next > (path[0] ?? '')) walk([...path, next]);
  };
  for (const folder of imported.keys()) walk([folder]);
  return circles;
}

const isGenerated = (path: string) =>
  /\.png$|openapi[^/]*\.json$|schema\.d\.ts$|text-arguments\.ts$|package-lock\.json$|Cargo\.lock$|go\.sum$|statements-published\.json$|schema\.md$/.test(
    path,
  );

/** Every committed file that a person wrote, by its path. */
export function writtenFiles(): Map<string, string> {
  const paths = execFileSync('git', ['ls-files', '-z'], { encoding: 'utf8' }).split('\0').slice(0, -1);
  return new Map(paths.filter((path) => !isGenerated(path)).map((path) => [path, readFileSync(path, 'utf8')]));
}
