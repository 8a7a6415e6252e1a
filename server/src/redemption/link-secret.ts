import { randomBytes } from 'node:crypto';
import { link, readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';

/**
 * The secret that signs links where LINK_SECRET is not set: made once, kept in the data directory, readable by its owner
 * only. Losing the file ends all links that are out; reading a gift makes a new one.
 */
export async function readLinkSecret(dataDir: string): Promise<string> {
  const path = join(dataDir, 'link-secret');
  const kept = await readIfPresent(path);
  if (kept !== undefined) return kept;
  // Written aside and linked into place: another process sees the whole secret or none, and of two the first one stays.
  const draft = `${path}.${process.pid}`;
  await writeFile(draft, `${randomBytes(32).toString('base64url')}\n`, { mode: 0o600, flush: true });
  await link(draft, path).catch((error: NodeJS.ErrnoException) => {
    if (error.code !== 'EEXIST') throw error;
  });
  await rm(draft);
  return (await readFile(path, 'utf8')).trim();
}

async function readIfPresent(path: string): Promise<string | undefined> {
  try {
    return (await readFile(path, 'utf8')).trim();
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined;
    throw error;
  }
}
