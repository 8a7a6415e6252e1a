import { createIssuers } from '../../capabilities/issuers/open-issuers.ts';
import type { Issuers } from '../../core/issuer/port.ts';
import type { CommandDeps } from '../../faces/command-line/with-database.ts';
import { createCipher } from '../../platform/encryption/cipher.ts';
import { secretsForCommand } from '../../platform/installation/agree.ts';
import { secretsFor } from '../../platform/installation/link-secret.ts';

/** Adds the issuers of cards to what a command has. @throws OperatorError if the secret that encrypts their settings is missing */
export async function withIssuers<Some extends CommandDeps>(deps: Some): Promise<Some & { issuers: Issuers }> {
  const cipher = createCipher(secretsFor('codes', deps.config, await secretsForCommand(deps)));
  return { ...deps, issuers: createIssuers({ ...deps, cipher }) };
}
