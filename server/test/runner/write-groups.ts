import { writeFileSync } from 'node:fs';
import { dirname } from 'node:path';
import { pathToFileURL } from 'node:url';

/**
 * Writes a program that runs these test files. Each file becomes a suite, so its hooks apply to its tests only.
 * One process for a folder saves loading the service once per file.
 */
export function writeGroup(path: string, files: readonly string[]): void {
  const suites = files.map(
    (file) =>
      `suite(${JSON.stringify(file)}, async () => { await import(${JSON.stringify(pathToFileURL(file).href)}); });`,
  );
  writeFileSync(path, `import { suite } from 'node:test';\n${suites.join('\n')}\n`);
}

/** Loading the service costs each process some two seconds. */
const FILES_PER_PROCESS = 20;

/** Puts the files of a folder into one group, and small folders beside each other, large groups first. */
export function groupByFolder(files: string[]): string[][] {
  const groups: string[][] = [];
  for (const folder of Map.groupBy(files, (file) => dirname(file)).values()) {
    const last = groups.at(-1);
    if (last !== undefined && last.length + folder.length <= FILES_PER_PROCESS) last.push(...folder);
    else groups.push(folder);
  }
  return groups.sort((one, other) => other.length - one.length);
}
