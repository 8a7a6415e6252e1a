import { randomBytes } from 'node:crypto';
import { link, readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { OperatorError } from '../base/operator-error.ts';
import type { Config } from '../config.ts';

/** The placeholder in deploy/kubernetes/secret.example.yaml. */
const PLACEHOLDER = 'REPLACE-ME-WITH-32-CHARACTERS-OR-MORE';

/** Secrets in published files, with which anyone could sign links. The second is in compose.yaml, for trials. */
export const PUBLISHED_SECRETS: readonly string[] = [PLACEHOLDER, 'for-this-machine-only-change-it-before-use'];

/**
 * Returns the secrets of LINK_SECRET, or the secret in the data directory.
 *
 * @throws OperatorError if processes would not share a secret, or if the secret is the placeholder
 */
export async function linkSecretsOf(
  config: Pick<Config, 'linkSecrets' | 'databaseUrl' | 'dataDir'>,
): Promise<readonly string[]> {
  if (config.linkSecrets.includes(PLACEHOLDER))
    throw new OperatorError(
      'LINK_SECRET is the published placeholder, so anyone could sign links. Create a secret with: openssl rand -hex 32.',
    );
  if (config.linkSecrets.length > 0) return config.linkSecrets;
  if (config.databaseUrl !== undefined)
    throw new OperatorError(
      'LINK_SECRET must be set (32 characters or more) if DATABASE_URL is set, because all processes must share it.',
    );
  return [await readLinkSecret(config.dataDir)];
}

/**
 * Reads the secret in the data directory, or creates it, readable only by its owner. Without the file all existing links
 * stop working; reading a gift creates a new link.
 */
async function readLinkSecret(dataDir: string): Promise<string> {
  const path = join(dataDir, 'link-secret');
  const kept = await readIfPresent(path);
  if (kept !== undefined) return kept;
  // Written to a draft and linked, so that other processes see the whole secret or none, and the first writer wins.
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
