import { countEncrypted } from '../../capabilities/secret-rotation/encrypt-again.ts';
import type { Config } from '../../platform/configuration/config.ts';
import type { Database } from '../../platform/database/connections.ts';
import { createCipher } from '../../platform/encryption/cipher.ts';
import { secretsFor } from '../../platform/installation/link-secret.ts';
import { type Finding, fault, ok, warning } from './finding.ts';

const CHECK = 'encrypted values';

/** Checks whether encrypted values of webhooks, issuers and own codes can be read, and without an earlier link secret. */
export async function checkSecrets(config: Config, { shards }: Pick<Database, 'shards'>): Promise<Finding[]> {
  const secrets = secretsFor('codes', config, config.linkSecrets);
  // The one in DATA_DIR is never replaced.
  if (secrets.length === 0) return [];
  const { all, unreadable, earlier } = await countEncrypted(shards, createCipher(secrets));
  if (unreadable > 0)
    return [
      fault(
        CHECK,
        `${unreadable} cannot be read`,
        'Put the LINK_SECRET that encrypted them back at the end of the list, or replace them (bestow webhook rotate, bestow issuer add).',
      ),
    ];
  if (earlier > 0)
    return [
      warning(
        CHECK,
        `${earlier} need an earlier LINK_SECRET`,
        'Restart bestow serve or bestow worker before you remove it.',
      ),
    ];
  return [ok(CHECK, `${all} encrypted with the first LINK_SECRET`)];
}
