import type { Scope } from '../base/principal.ts';
import type { Deps } from '../deps.ts';
import { BestowError } from '../errors.ts';
import { selectSandboxUnlocked } from './queries.ts';

/**
 * Fails fast before an act locks a gift or the balance: a reset holds those locks for up to half a minute, and a waiting
 * act would keep its connection all that time.
 *
 * @throws BestowError `resource_locked` while the sandbox is being reset
 */
export async function requireUnlockedSandbox(deps: Pick<Deps, 'database'>, scope: Scope): Promise<void> {
  if (!(await isUnlockedSandbox(deps, scope))) throw sandboxIsLocked();
}

/** Returns whether no reset or deletion is running; always true in live. */
export async function isUnlockedSandbox(
  { database }: Pick<Deps, 'database'>,
  { organizationId, environment }: Scope,
): Promise<boolean> {
  if (environment !== 'sandbox') return true;
  const [row] = await selectSandboxUnlocked(database.read, [organizationId]);
  return row?.is_unlocked === true;
}

export const sandboxIsLocked = () =>
  new BestowError('resource_locked', {
    message: 'The sandbox is being reset. Retry the same request shortly.',
  });
