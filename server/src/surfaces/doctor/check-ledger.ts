import { findLastVerification } from '../../capabilities/operators/ledger-verifications.ts';
import { verifyLedger } from '../../capabilities/seals/verify-ledger.ts';
import { verifyRecent } from '../../capabilities/seals/verify-recent.ts';
import { errorCode } from '../../platform/base/error-code.ts';
import type { Database } from '../../platform/database/connections.ts';
import { type Finding, fault, ok, warning } from './finding.ts';

/** A person waits for the first command; for each server of organizations. */
const VERIFIED_WITHIN_MS = 4_000;
/** PostgreSQL ended a statement at its time limit. */
const TOOK_TOO_LONG = '57014';
const ALL = 'bestow doctor --ledger';

/** @param whole verifies all of it, and is called with how far it came; without it, only what is not sealed */
export const checkLedger = (database: Database, whole?: (progress: string) => void): Promise<Finding> =>
  whole === undefined ? checkRecent(database) : checkAll(database, whole);

async function checkAll(database: Database, whole: (progress: string) => void): Promise<Finding> {
  const { holds, checked, checks } = await verifyLedger({ database }, [], whole);
  const faults = checks.reduce((sum, check) => sum + check.faults, 0);
  return holds
    ? ok('ledger', `consistent, all ${checked.ledger_entries} entries`)
    : fault('ledger', `${faults} faults`, 'Run: bestow ledger verify. Stop the service and restore a backup.');
}

/** Verifies what came after the newest seals, and says when all was verified last. */
async function checkRecent(database: Database): Promise<Finding> {
  // The database of people may be away.
  const last = await findLastVerification({ database }).catch(() => undefined);
  const when = last === undefined ? 'never' : `on ${last.verified_at.toISOString().slice(0, 10)}`;
  const startedAtMs = performance.now();
  const report = await verifyRecent({ database }, VERIFIED_WITHIN_MS).catch((error: unknown) => {
    // All statements of a server together may take as long; then its connection is closed.
    if (errorCode(error) === TOOK_TOO_LONG || performance.now() - startedAtMs > VERIFIED_WITHIN_MS) return undefined;
    throw error;
  });
  if (report === undefined)
    return warning('ledger', `not verified within ${VERIFIED_WITHIN_MS / 1_000} seconds`, `Run: ${ALL}.`);
  const { entries, ledgers, faults } = report;
  const looked = `${entries} entries after the newest seals of ${ledgers} ledgers`;
  if (faults > 0)
    return fault(
      'ledger',
      `${faults} faults, ${looked}`,
      'Run: bestow ledger verify. Stop the service and restore a backup.',
    );
  if (last?.holds === false)
    return warning(
      'ledger',
      `consistent, ${looked}; ${last.faults} faults in the whole ledger ${when}`,
      `Run: ${ALL}.`,
    );
  return ok('ledger', `consistent, ${looked}; ${ALL} verifies all, last done ${when}`);
}
