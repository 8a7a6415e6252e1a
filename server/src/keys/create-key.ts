import type { Environment } from '../base/environment.ts';
import { inTransaction } from '../database/connections.ts';
import type { Deps } from '../deps.ts';
import { findOrganization } from '../organizations/find-organization.ts';
import { type IssuedKey, issueKey } from './issue-key.ts';
import { createKey as createSecret } from './key-format.ts';

/** The secret is in `key`, this once: only its hash is stored. */
export type CreatedKey = IssuedKey & { key: string };

/** @throws OperatorError where there is no such organization, or it has ten active keys */
export async function createKey(
  deps: Pick<Deps, 'database' | 'clock' | 'ids'>,
  input: { organizationId: string; environment: Environment; name: string },
): Promise<CreatedKey> {
  const organization = await findOrganization(deps, input.organizationId);
  const key = createSecret(input.environment);
  const issued = await inTransaction(deps.database.pool, (client) =>
    issueKey(client, deps, { ...input, organizationId: organization.organization_id, key }),
  );
  const { key_id, ...rest } = issued;
  return { key_id, key, ...rest };
}
