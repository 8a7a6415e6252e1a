import type { ConnectionTarget } from '../../server/src/platform/database/connections.ts';
import { checkTables } from '../checker/check-tables.ts';

/** How a suite is run. */
export interface SuiteRun {
  /** The same seed sends the same requests. */
  seed: number;
  /** How many sequences. */
  count: number;
  /** Reports progress. */
  say(line: string): void;
}

/** Bad input of one kind. A suite returns each fault that it finds as a sentence. */
export interface Suite {
  name: string;
  counts: { whole: number; short: number };
  run(options: SuiteRun): Promise<string[]>;
}

/** Returns the invariants that the tables of a service break. */
export async function findBrokenTables({ target }: { target: ConnectionTarget }): Promise<string[]> {
  return (await checkTables(target)).map(({ invariant, text }) => `${invariant}: ${text}`);
}
