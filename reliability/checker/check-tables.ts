import { Client } from 'pg';
import type { ConnectionTarget } from '../../server/src/platform/database/connections.ts';
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
 * Checks the invariants that need no record of what clients saw: I1 to I4 and I6 to I8, as far as the tables show them.
 *
 * @param nowMs the service's time; with 0 pending work is never late
 * @throws if the database cannot be reached
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
