import { mkdir } from 'node:fs/promises';
import { dirname } from 'node:path';
import { errorCode } from './error-code.ts';

/**
 * Makes a directory and those above it that are missing. `mkdir` with `recursive` does the same, but never ends where the
 * system makes no directory and says that the one above is missing, as in `/proc`.
 */
export async function makeDirectories(path: string, mode = 0o777): Promise<void> {
  try {
    await mkdir(path, mode);
  } catch (error) {
    const code = errorCode(error);
    // The second is macOS’s for the root.
    if (code === 'EEXIST' || code === 'EISDIR') return;
    if (code !== 'ENOENT' || dirname(path) === path) throw error;
    await makeDirectories(dirname(path), mode);
    await mkdir(path, mode).catch((again: unknown) => {
      if (errorCode(again) !== 'EEXIST') throw again;
    });
  }
}
