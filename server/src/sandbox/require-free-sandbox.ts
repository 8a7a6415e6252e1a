import type { Scope } from '../base/principal.ts';
import type { Deps } from '../deps.ts';
import { BestowError } from '../errors.ts';
import { selectSandboxFree } from './queries.ts';

/**
 * For what needs a gift's or the balance's lock: a reset holds them for up to half a minute. Who waited for them would take
 * the connections from others, so nobody does.
 *
 * @throws BestowError `resource_locked` while the sandbox is being reset
 */
export async function requireFreeSandbox(deps: Pick<Deps, 'database'>, scope: Scope): Promise<void> {
  if (!(await isFreeSandbox(deps, scope))) throw sandboxIsHeld();
}

/** Whether nobody resets or deletes it; of live always. */
export async function isFreeSandbox(
  { database }: Pick<Deps, 'database'>,
  { organizationId, environment }: Scope,
): Promise<boolean> {
  if (environment !== 'sandbox') return true;
  const [look] = await selectSandboxFree(database.read, [organizationId]);
  return look?.is_free === true;
}

export const sandboxIsHeld = () =>
  new BestowError('resource_locked', {
    message: 'The sandbox is being reset. Send the same request again shortly.',
  });
