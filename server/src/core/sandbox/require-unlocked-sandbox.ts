import { admitted, parametersOf, requireAdmitted } from '../../platform/authentication/caller.ts';
import type { Scope } from '../../platform/base/principal.ts';
import type { Deps } from '../deps.ts';
import { selectSandboxCaller } from './queries.ts';

/**
 * Fails fast before an act locks the balance: a reset holds that lock for up to half a minute, and a waiting act would keep
 * its connection all that time.
 *
 * @throws BestowError `resource_locked` while the sandbox is being reset
 */
export async function requireUnlockedSandbox({ database }: Pick<Deps, 'database'>, scope: Scope): Promise<void> {
  if (scope.environment !== 'sandbox') return;
  const caller = admitted(scope);
  const [row] = await selectSandboxCaller(database.read, parametersOf(caller));
  requireAdmitted(caller, row);
}
