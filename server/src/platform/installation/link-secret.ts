import { randomBytes, randomUUID } from 'node:crypto';
import { link, readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { OperatorError } from '../base/operator-error.ts';
import type { Config } from '../configuration/config.ts';
import { isPublishedSecret, isWeakSecret } from './weak-secret.ts';

/** What only some processes or people should be able to forge; each may have its own secrets. */
type SecretPurpose = 'gifts' | 'codes' | 'sessions' | 'ledger';

export const SECRET_FILE = 'link-secret';

const SETTINGS = {
  gifts: 'LINK_SECRET_GIFTS',
  codes: 'LINK_SECRET_CODES',
  sessions: 'LINK_SECRET_SESSIONS',
  ledger: 'LINK_SECRET_LEDGER',
} as const satisfies Record<SecretPurpose, string>;

/** Returns the secrets of a purpose: its own, or else those of all purposes. The first signs, all are accepted. */
export function secretsFor(
  purpose: SecretPurpose,
  { purposeSecrets }: Pick<Config, 'purposeSecrets'>,
  linkSecrets: readonly string[],
): readonly string[] {
  const own = purposeSecrets[purpose];
  return own.length > 0 ? own : linkSecrets;
}

/**
 * Returns the secrets of LINK_SECRET, or the secret in the data directory, which is made if it is missing.
 *
 * @throws OperatorError if processes would not share a secret, or if a secret can be guessed
 */
export async function linkSecretsOf(config: SecretSettings): Promise<readonly string[]> {
  return (await findKnownSecrets(config)) ?? [await createLinkSecret(config.dataDir)];
}

type SecretSettings = Pick<Config, 'linkSecrets' | 'purposeSecrets' | 'databaseUrls' | 'dataDir'>;

/** Returns the same for a command, which makes no secret. @throws OperatorError also if the file is missing */
export async function knownSecretsOf(config: SecretSettings): Promise<readonly string[]> {
  const known = await findKnownSecrets(config);
  if (known !== undefined) return known;
  throw new OperatorError(
    'The file link-secret is missing in DATA_DIR. Put it back; for a new database, start bestow serve, which makes it.',
  );
}

/** Returns undefined if the secret in the data directory is missing. @throws OperatorError as `linkSecretsOf` */
export async function findKnownSecrets(config: SecretSettings): Promise<readonly string[] | undefined> {
  const fault = findSecretFault(config);
  if (fault !== undefined)
    throw new OperatorError(
      `${fault.name} is ${fault.found}, so anyone could sign links. Create a secret with: openssl rand -hex 32.`,
    );
  if (config.linkSecrets.length > 0) return config.linkSecrets;
  if (config.databaseUrls.length > 0)
    throw new OperatorError(
      'LINK_SECRET must be set (32 characters or more) if DATABASE_URL is set, because all processes must share it.',
    );
  const kept = await readIfPresent(join(config.dataDir, SECRET_FILE));
  return kept === undefined ? undefined : [kept];
}

/** Finds a published secret, or a first one that can be guessed: an earlier one behind it may be as it was. */
export function findSecretFault({
  linkSecrets,
  purposeSecrets,
}: Pick<Config, 'linkSecrets' | 'purposeSecrets'>): { name: string; found: string } | undefined {
  const lists = { LINK_SECRET: linkSecrets } as Record<string, readonly string[]>;
  for (const [purpose, name] of Object.entries(SETTINGS)) lists[name] = purposeSecrets[purpose as SecretPurpose];
  for (const [name, secrets] of Object.entries(lists)) {
    if (secrets.some(isPublishedSecret)) return { name, found: 'a published example' };
    if (secrets[0] !== undefined && isWeakSecret(secrets[0])) return { name, found: 'easy to guess' };
  }
  return undefined;
}

/** Creates the secret in the data directory, readable only by its owner. */
async function createLinkSecret(dataDir: string): Promise<string> {
  const path = join(dataDir, SECRET_FILE);
  // Written to a draft and linked, so that other processes see the whole secret or none, and the first writer wins.
  const draft = `${path}.${randomUUID()}`;
  await writeFile(draft, `${randomBytes(32).toString('base64url')}\n`, { mode: 0o600, flag: 'wx', flush: true });
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
