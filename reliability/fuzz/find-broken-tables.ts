import type { ConnectionTarget } from '../../server/src/database/connections.ts';
import { checkTables } from '../checker/check-tables.ts';

/** Whatever a suite sent: which invariants the tables of its service break, in a finding each. */
export async function findBrokenTables({ target }: { target: ConnectionTarget }): Promise<string[]> {
  return (await checkTables(target)).map(({ invariant, text }) => `${invariant}: ${text}`);
}
