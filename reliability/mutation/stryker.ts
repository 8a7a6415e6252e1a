import { spawnSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { fileURLToPath, pathToFileURL } from 'node:url';

const TOOLS = fileURLToPath(new URL('../tools', import.meta.url));
const STRYKER = `${TOOLS}/node_modules/@stryker-mutator`;

/** One change of the code, which an environment variable switches on. */
export interface Mutant {
  id: string;
  /** From `server/src` on. */
  path: string;
  line: number;
  /** The whole of that line. */
  code: string;
  /** What stands in the code, and what takes its place; white space as one blank. */
  from: string;
  to: string;
}

interface Position {
  line: number;
  column: number;
}

/** What is used of Stryker's packages, which have no place among this project's. */
interface Instrumenter {
  instrument(
    files: { name: string; mutate: true; content: string }[],
    options: { plugins: null; excludedMutations: string[]; ignorers: unknown[] },
  ): Promise<{
    files: { name: string; content: string }[];
    mutants: { id: string; fileName: string; replacement: string; location: { start: Position; end: Position } }[];
  }>;
}
interface Injector {
  provideValue(token: string, value: unknown): Injector;
  injectFunction(create: unknown): Instrumenter;
}

const nothing = () => undefined;
const no = () => false;
const silence = {
  trace: nothing,
  debug: nothing,
  info: nothing,
  warn: nothing,
  error: nothing,
  fatal: nothing,
  isTraceEnabled: no,
  isDebugEnabled: no,
  isInfoEnabled: no,
  isWarnEnabled: no,
  isErrorEnabled: no,
  isFatalEnabled: no,
};

/**
 * Stryker's instrumenter, all of its mutators on. Only this part of Stryker is used: Node strips the types of what it
 * writes, so each mutant is a plain run of the test files with a variable set.
 *
 * @param root the directory that the paths start from
 */
export async function instrument(
  root: string,
  paths: readonly string[],
): Promise<{ files: { path: string; content: string }[]; mutants: Mutant[] }> {
  const sources = new Map(paths.map((path) => [path, readFileSync(`${root}/${path}`, 'utf8')]));
  const { files, mutants } = await (await loadInstrumenter()).instrument(
    [...sources].map(([name, content]) => ({ name, mutate: true, content })),
    { plugins: null, excludedMutations: [], ignorers: [] },
  );
  return {
    files: files.map(({ name, content }) => ({ path: name, content })),
    mutants: mutants.map(({ id, fileName, replacement, location }) => {
      const lines = (sources.get(fileName) ?? '').split('\n');
      return {
        id,
        path: fileName,
        line: location.start.line + 1,
        code: lines[location.start.line] ?? '',
        from: onOneLine(fragment(lines, location)),
        to: onOneLine(replacement),
      };
    }),
  };
}

async function loadInstrumenter(): Promise<Instrumenter> {
  if (!existsSync(STRYKER)) {
    const { status } = spawnSync('npm', ['ci', '--prefix', TOOLS], { stdio: 'inherit' });
    if (status !== 0) throw new Error(`Stryker could not be installed: npm ci ended with ${status}.`);
  }
  const stryker = createRequire(`${STRYKER}/core/package.json`);
  const load = async (name: string): Promise<Record<string, unknown>> =>
    import(pathToFileURL(stryker.resolve(name)).href) as Promise<Record<string, unknown>>;
  const { createInstrumenter } = await load('@stryker-mutator/instrumenter');
  const { createInjector } = (await load('typed-inject')) as { createInjector: () => Injector };
  return createInjector().provideValue('logger', silence).injectFunction(createInstrumenter);
}

const onOneLine = (code: string) => code.replace(/\s+/g, ' ').trim();

function fragment(all: readonly string[], { start, end }: { start: Position; end: Position }): string {
  const lines = all.slice(start.line, end.line + 1);
  lines[lines.length - 1] = (lines.at(-1) ?? '').slice(0, end.column);
  lines[0] = (lines[0] ?? '').slice(start.column);
  return lines.join('\n');
}
