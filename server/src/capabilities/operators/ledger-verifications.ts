import { type Actor, actorAddress } from '../../platform/base/actor.ts';
import type { PlatformDeps } from '../../platform/deps.ts';
import { operatorName, recordOperatorEvent } from './operator-log.ts';
import { selectLatestOperatorEvent } from './queries.ts';

const ACTION = 'ledgerVerified';

/** The last time that someone verified the ledger. */
export interface LedgerVerification {
  verified_at: Date;
  verified_by: string;
  holds: boolean;
  ledger_entries: number;
  faults: number;
}

/** Writes down in the operator's log what a verification of the ledger found. */
export async function recordVerification(
  deps: Pick<PlatformDeps, 'database' | 'clock' | 'ids'>,
  {
    actor,
    holds,
    checked,
    checks,
  }: { actor: Actor; holds: boolean; checked: { ledger_entries: number }; checks: readonly { faults: number }[] },
): Promise<void> {
  const faults = checks.reduce((sum, check) => sum + check.faults, 0);
  await recordOperatorEvent(deps, {
    operator: operatorName(actor),
    address: actorAddress(actor),
    action: ACTION,
    details: { holds: String(holds), ledger_entries: String(checked.ledger_entries), faults: String(faults) },
  });
}

/** Finds the last verification; undefined if there was none. */
export async function findLastVerification({
  database,
}: Pick<PlatformDeps, 'database'>): Promise<LedgerVerification | undefined> {
  const [row] = await selectLatestOperatorEvent(database.home, [ACTION]);
  return (
    row && {
      verified_at: row.created_at,
      verified_by: row.operator,
      holds: row.details['holds'] === 'true',
      ledger_entries: Number(row.details['ledger_entries']),
      faults: Number(row.details['faults']),
    }
  );
}
