import { createHash } from 'node:crypto';
import { existsSync } from 'node:fs';
import { mkdir, rename, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

/** Kept between runs; git ignores it. */
const CACHE = fileURLToPath(new URL('../../node_modules/.cache', import.meta.url));

/**
 * A folder that is made once for its contents, also by tests that run at the same time.
 *
 * @param contents what it is made of, such as a lock file
 * @param make fills a draft, which gets its name when it is whole; what is made must not depend on its place
 */
export async function keptFolder(
  name: string,
  contents: string,
  make: (draft: string) => Promise<void>,
): Promise<string> {
  const folder = join(CACHE, `${name}-${createHash('sha256').update(contents).digest('hex').slice(0, 16)}`);
  if (existsSync(folder)) return folder;
  const draft = `${folder}.${process.pid}`;
  await rm(draft, { recursive: true, force: true });
  await mkdir(draft, { recursive: true });
  await make(draft);
  await rename(draft, folder).catch(async (error: NodeJS.ErrnoException) => {
    if (!existsSync(folder)) throw error;
    // Another test was faster.
    await rm(draft, { recursive: true });
  });
  return folder;
}
