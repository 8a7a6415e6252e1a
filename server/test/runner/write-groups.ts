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

/** Puts the files of one folder into one group, large groups first. */
export function groupByFolder(files: string[]): string[][] {
  const groups = Map.groupBy(files, (file) => dirname(file));
  return [...groups.values()].sort((one, other) => other.length - one.length);
}
