import type { Client } from 'pg';
import { OperatorError } from '../base/operator-error.ts';
import type { Config } from '../configuration/config.ts';
import { type ConnectionTarget, clientConfig, type Database } from '../database/connections.ts';
import { withConnection } from '../database/with-connection.ts';
import { adviceFor, compareKept, type Disagreement, findDisagreements, valuesOf } from './kept-settings.ts';
import { findKnownSecrets, linkSecretsOf } from './link-secret.ts';
import { insertKept, selectKept, updateKept } from './queries.ts';

/**
 * Checks that each database was filled with these secrets and this currency; the first start keeps them. Makes the secret
 * in `DATA_DIR` for a new database only.
 *
 * @returns the link secrets
 * @throws OperatorError with the setting that differs, and the way out
 */
export async function agreeOnSettings(
  config: Config,
  servers: readonly ConnectionTarget[],
): Promise<readonly string[]> {
  const known = await findKnownSecrets(config);
  for (const server of servers)
    await withConnection(clientConfig(server, 0), async (client) =>
      refuse(await findDisagreements(client, config, known)),
    );
  const linkSecrets = known ?? (await linkSecretsOf(config));
  for (const server of servers)
    await withConnection(clientConfig(server, 0), (client) => keep(client, config, linkSecrets));
  return linkSecrets;
}

/**
 * Returns the link secrets for a command beside the service, which makes the secret of a new database as a start does.
 *
 * @throws OperatorError if the secret is lost
 */
export async function secretsForCommand({
  config,
  database,
}: {
  config: Config;
  database: Pick<Database, 'shards'>;
}): Promise<readonly string[]> {
  const known = await findKnownSecrets(config);
  if (known !== undefined) return known;
  for (const shard of database.shards)
    refuse((await findDisagreements(shard, config, known)).filter(({ accept }) => accept === 'link-secret'));
  return await linkSecretsOf(config);
}

/** Keeps missing values, and the lists of secrets in each step of a replacement. */
async function keep(client: Client, config: Config, linkSecrets: readonly string[]): Promise<void> {
  const values = valuesOf(config, linkSecrets);
  await insertKept(client, [JSON.stringify([...values].map(([name, value]) => ({ name, value })))]);
  const kept = await selectKept(client, []);
  // Another process may have been first, with other settings.
  refuse(compareKept(kept, config, linkSecrets));
  for (const { name, value } of kept) {
    const now = values.get(name);
    if (now !== undefined && now.join() !== value.join()) await updateKept(client, [name, value, now]);
  }
}

/** @throws OperatorError if there is one */
function refuse([first]: readonly Disagreement[]): void {
  if (first === undefined) return;
  const sentence = first.found.charAt(0).toUpperCase() + first.found.slice(1);
  throw new OperatorError(`${sentence}. ${adviceFor(first)}`);
}
