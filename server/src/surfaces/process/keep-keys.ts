import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Environment } from '../../platform/base/environment.ts';
import { makeDirectories } from '../../platform/base/make-directories.ts';
import type { SeededDemo } from '../seed/seed-demo.ts';

export type KeyFiles = Record<Environment, string>;

/** Writes the demo's keys to files that only this user can read, for a start without a terminal. Returns their paths. */
export async function keepKeys(dataDir: string, { liveKey, sandboxKey }: SeededDemo): Promise<KeyFiles> {
  await makeDirectories(dataDir, 0o700);
  const write = async (environment: Environment, key: string) => {
    const path = join(dataDir, `demo-${environment}-key-${key.slice(-4)}`);
    // A file or link that is already there is never written to.
    await writeFile(path, `${key}\n`, { mode: 0o600, flag: 'wx' });
    return path;
  };
  return { live: await write('live', liveKey), sandbox: await write('sandbox', sandboxKey) };
}
