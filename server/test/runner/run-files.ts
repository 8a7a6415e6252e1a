import type { Outcome } from './report-outcomes.ts';
import { type FileResult, runProcess } from './run-process.ts';

/** No test is silent for so long, unless it hangs. */
const SILENCE_MS = 300_000;

/** Files that run in one process. */
export interface Group {
  files: readonly string[];
  /** Of its environment, such as its servers. */
  variables: Record<string, string>;
}

export interface RunOptions {
  /** Processes at a time. */
  concurrency: number;
  /** A file for which no second run may hide a failure. */
  failsAtOnce(file: string): boolean;
  print(text: string): void;
  /** Of a process without output, after which it counts as hung. */
  silenceMs?: number;
}

export interface RunResult {
  passed: number;
  failed: number;
  files: FileResult[];
}

const failuresOf = ({ outcomes }: FileResult): Outcome[] => outcomes.filter(({ hasPassed }) => !hasPassed);

/**
 * Runs groups of test files, each group in a process. A file that failed runs once more, alone, after all others; the second
 * run counts, and is printed with the first error.
 */
export async function runFiles(groups: readonly Group[], options: RunOptions): Promise<RunResult> {
  const { failsAtOnce, print, silenceMs = SILENCE_MS } = options;
  // A file may be in two groups, on other servers.
  const ran = groups.map((group) => ({ ...group, results: new Map<string, FileResult>() }));
  const run = async (group: (typeof ran)[number], files = group.files): Promise<void> => {
    const { results, notBegun, output } = await runProcess(files, silenceMs, group.variables);
    for (const result of results) group.results.set(result.file, result);
    print(output);
    if (notBegun.length > 0) await run(group, notBegun);
  };

  const waiting = [...ran];
  const work = async () => {
    for (let group = waiting.shift(); group !== undefined; group = waiting.shift()) await run(group);
  };
  await Promise.all(Array.from({ length: options.concurrency }, work));

  const passedLater: string[] = [];
  for (const group of ran)
    for (const first of [...group.results.values()]) {
      const [failure] = failuresOf(first);
      if (failure === undefined || failsAtOnce(first.file)) continue;
      print(`\nThe second run of ${first.file}:\n`);
      await run(group, [first.file]);
      const [again] = failuresOf(group.results.get(first.file) ?? first);
      if (again === undefined)
        passedLater.push(`  ${first.file}: ${failure.name}\n${failure.error?.replace(/^/gm, '    ')}\n`);
    }
  if (passedLater.length > 0) print(`\nPassed on the second run:\n${passedLater.join('')}`);

  const files = ran.flatMap(({ results }) => [...results.values()]);
  const outcomes = files.flatMap((file) => file.outcomes);
  const passed = outcomes.filter(({ hasPassed }) => hasPassed).length;
  return { passed, failed: outcomes.length - passed, files };
}
