import type { PlatformDeps } from '../deps.ts';
import { type Caller, parametersOf, requireAdmitted } from './caller.ts';
import { selectCallerAlone } from './queries.ts';

/** Checks a key by itself: for a request without a statement that checks it. @throws BestowError as `requireAdmitted` */
export async function requireKey({ database }: Pick<PlatformDeps, 'database'>, caller: Caller): Promise<void> {
  const [row] = await selectCallerAlone(database.read, parametersOf(caller));
  requireAdmitted(caller, row);
}
