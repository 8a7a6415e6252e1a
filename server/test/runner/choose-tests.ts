import { execFileSync } from 'node:child_process';
import { existsSync, globSync } from 'node:fs';
import { dirname } from 'node:path';
import type { FileGraph } from './file-graph.ts';

/** These hold rules of every file. */
const ALWAYS = /^server\/test\/(?:repository|security)\//;
/** The runner, the database that every test copies, and what is installed: these may change any test. */
const OF_ALL =
  /^(?:[^/]+\.json|\.ci\/.*|engines\/.*|scripts\/.*|server\/src\/platform\/database\/migrations\/.*|server\/test\/(?:[^/]+|runner\/.*|harness\/template-database\.ts))$/;
/** Tests of a folder of a room use the whole service; which of its folders they are about, their own sources say. */
const ROOM = /^server\/test\/((?:platform|core|faces|capabilities)\/[^/]+)\//;
const COMPOSITION = 'server/src/surfaces/';

const isTest = (path: string) => path.endsWith('.test.ts');
const git = (cwd: string, ...args: string[]) =>
  execFileSync('git', args, { cwd, encoding: 'utf8', stdio: ['ignore', 'pipe', 'ignore'] });

function mergeBase(repository: string): string {
  for (const branch of ['origin/main', 'main'])
    try {
      return git(repository, 'merge-base', 'HEAD', branch).trim();
    } catch {
      // This branch is not known here.
    }
  throw new Error('There is no branch main: name the commit, as in `npm test -- --changed HEAD~1`.');
}

/** Files that differ from a commit, also those that are not committed. @param base otherwise where this branch left main */
export function changedSince(base?: string, repository = '.'): string[] {
  const differing = git(repository, 'diff', '--name-only', '--no-renames', '-z', base ?? mergeBase(repository));
  const added = git(repository, 'ls-files', '--others', '--exclude-standard', '-z');
  return [differing, added].flatMap((text) => text.split('\0').slice(0, -1));
}

export interface Choice {
  files: string[];
  /** Why these, in one line. */
  reason: string;
}

function reachOf(test: string, graph: FileGraph): Set<string> {
  const [, folder] = ROOM.exec(test) ?? [];
  if (folder === undefined) return graph.reachedFrom([test]);
  const starts = [test, ...globSync(`server/src/${folder}/**/*.{ts,json,sql}`)];
  const isCut = (path: string, from: string) => path.startsWith(COMPOSITION) && from !== test;
  return graph.reachedFrom(starts, (path, from) => !isCut(path, from));
}

/**
 * Chooses the tests that reach changed files: by imports and files that they name, from the test and the sources of its
 * folder. The service as a whole is not followed, because it reaches every file. In doubt, all.
 */
export function chooseTests(tests: readonly string[], changed: readonly string[], graph: FileGraph): Choice {
  const all = (path: string, why: string) => ({ files: [...tests], reason: `All test files: ${path} ${why}.` });
  const general = changed.find((path) => OF_ALL.test(path));
  if (general !== undefined) return all(general, 'may change any of them');
  const gone = changed.find((path) => !isTest(path) && !existsSync(path));
  if (gone !== undefined) return all(gone, 'was deleted');

  const reaches = new Map(tests.map((test) => [test, reachOf(test, graph)]));
  const isReached = (path: string) => tests.some((test) => reaches.get(test)?.has(path));
  // The tests of the repository read every page.
  const unknown = changed.find((path) => !isTest(path) && !path.endsWith('.md') && !isReached(path));
  if (unknown !== undefined) return all(unknown, 'is named by no test');
  const isChosen = (test: string) => ALWAYS.test(test) || changed.some((path) => reaches.get(test)?.has(path));
  const files = tests.filter(isChosen);
  const reason = `${files.length} of ${tests.length} test files: those that reach the ${changed.length} changed files (in ${
    [...new Set(changed.map((path) => dirname(path)))].sort().slice(0, 5).join(', ') || 'none'
  }), and those of the repository and of security.`;
  return { files, reason };
}
