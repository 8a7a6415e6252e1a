import { existsSync, readFileSync } from 'node:fs';
import type { FileGraph } from './file-graph.ts';

export interface Needs {
  /** Names of `harness/debian-programs.ts`. */
  programs: Set<string>;
  /** The built portal. */
  portal: boolean;
}

/** The files of tests. What a service does with the portal's build shows only if a test asks for it. */
const isOfTests = (path: string) => /(?:^|\/)test\/|^reliability\//.test(path);
/** The build, or an address that the service answers from it. */
const NAMES_BUILD = /portal\/dist|['"`}]\/(?:portal|operator)(?:['"`?]|\/(?!api))|\/sdk\.tgz|['"`}]\/sdk\//;
/** System tests start whole services, whose pages they may open. */
const mayOpenPages = (file: string) => file.endsWith('.system.test.ts');

/** What test files need beside npm's packages: what stands in them and in the files of tests that they import. */
export function needsOf(files: readonly string[], graph: FileGraph): Needs {
  // A file that is not there fails when it runs.
  const reached = [...graph.reachedFrom(files, isOfTests)].filter((path) => existsSync(path));
  const texts = reached.map((path) => readFileSync(path, 'utf8'));
  const programs = texts.flatMap((text) => [...text.matchAll(/programPath\('(\w+)'\)/g)].map(([, name = '']) => name));
  return {
    programs: new Set(programs),
    portal: programs.includes('chromium') || files.some(mayOpenPages) || texts.some((text) => NAMES_BUILD.test(text)),
  };
}
