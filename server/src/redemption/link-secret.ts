import { randomBytes } from 'node:crypto';
import { link, readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { OperatorError } from '../base/operator-error.ts';
import type { Config } from '../config.ts';

/** Stands in deploy/kubernetes/secret.example.yaml for a secret that is still to be made. */
const PLACEHOLDER = 'REPLACE-ME-WITH-32-CHARACTERS-OR-MORE';

/** What the published files name: whoever reads them can sign links. That of compose.yaml is for trying it out. */
export const PUBLISHED_SECRETS: readonly string[] = [PLACEHOLDER, 'for-this-machine-only-change-it-before-use'];

/**
 * The secrets that sign and read links: those of LINK_SECRET, or the one in the data directory.
 *
 * @throws OperatorError where there is no secret that every process shares, or only the placeholder for one
 */
export async function linkSecretsOf(
  config: Pick<Config, 'linkSecrets' | 'databaseUrl' | 'dataDir'>,
): Promise<readonly string[]> {
  if (config.linkSecrets.includes(PLACEHOLDER))
    throw new OperatorError(
      'LINK_SECRET is the placeholder of the published example, which anyone can sign with; make one with: openssl rand -hex 32.',
    );
  if (config.linkSecrets.length > 0) return config.linkSecrets;
  if (config.databaseUrl !== undefined)
    throw new OperatorError(
      'LINK_SECRET must be set (32 characters or more) where DATABASE_URL is, because every process must sign links alike.',
    );
  return [await readLinkSecret(config.dataDir)];
}

/**
 * The secret that signs links where LINK_SECRET is not set: made once, kept in the data directory, readable by its owner
 * only. Losing the file ends all links that are out; reading a gift makes a new one.
 */
async function readLinkSecret(dataDir: string): Promise<string> {
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
