import type { Scope } from '../base/principal.ts';
import type { Deps } from '../deps.ts';
import { BestowError } from '../errors.ts';
import { selectSandboxFree } from './queries.ts';

/**
 * For acts on a gift: a reset holds the lock of each for up to half a minute. Who waited for them would take the connections
 * from others, so nobody does.
 *
 * @throws BestowError `resource_locked` while the sandbox is being reset
 */
export async function requireFreeSandbox(
  { database }: Pick<Deps, 'database'>,
  { organizationId, environment }: Scope,
): Promise<void> {
  if (environment !== 'sandbox') return;
  const [look] = await selectSandboxFree(database.read, [organizationId]);
  if (look?.is_free !== true)
    throw new BestowError('resource_locked', {
      message: 'The sandbox is being reset. Send the same request again shortly.',
    });
}
