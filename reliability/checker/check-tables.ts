import { Client } from 'pg';
import type { ConnectionTarget } from '../../server/src/database/connections.ts';
import { checkStates } from './check-gifts.ts';
import { checkOverdue } from './check-messages.ts';
import { checkBalances } from './check-money.ts';
import { checkOrphans, checkProcessing, checkStoredDebits, checkStoredKeys } from './check-orders.ts';
import type { TableCheck, Violation } from './violation.ts';

const checks: readonly TableCheck[] = [
  checkBalances,
  checkStoredDebits,
  checkStoredKeys,
  checkOrphans,
  checkProcessing,
  checkOverdue,
  checkStates,
];

/**
 * What of the invariants the tables show by themselves, where no record was kept of what clients saw: I1 to I4, I6, I7 and
 * I8 as far as nobody has to be asked.
 *
 * @param nowMs what the service takes for now; 0: whatever is under way may take its time
 * @throws where the database cannot be reached
 */
export async function checkTables(target: ConnectionTarget, nowMs = 0): Promise<Violation[]> {
  const sql = new Client(target);
  await sql.connect();
  try {
    const violations: Violation[] = [];
    for (const check of checks) violations.push(...(await check({ sql, nowMs })));
    return violations;
  } finally {
    await sql.end();
  }
}
