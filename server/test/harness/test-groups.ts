import { mkdirSync, writeFileSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { pathToFileURL } from 'node:url';

/**
 * Writes a program for each group of test files; returns the programs' paths. Each test file becomes a suite, so its hooks
 * apply to its tests only. One process for a group saves loading the service once per file.
 */
export function writeGroups(directory: string, groups: string[][]): string[] {
  mkdirSync(directory, { recursive: true });
  return groups.map((files, n) => {
    const suites = files.map(
      (file) =>
        `suite(${JSON.stringify(file)}, async () => { await import(${JSON.stringify(pathToFileURL(file).href)}); });`,
    );
    const path = join(directory, `${n}-${basename(dirname(files[0] ?? ''))}.mjs`);
    writeFileSync(path, `import { suite } from 'node:test';\n${suites.join('\n')}\n`);
    return path;
  });
}

/** Puts the files of one folder into one group, large groups first. */
export function groupByFolder(files: string[]): string[][] {
  const groups = Map.groupBy(files, (file) => dirname(file));
  return [...groups.values()].sort((one, other) => other.length - one.length);
}
