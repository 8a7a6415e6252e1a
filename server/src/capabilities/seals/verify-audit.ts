import type { Deps } from '../../core/deps.ts';
import { allowStatements } from '../../platform/database/allow-statements.ts';
import { inTransaction, SNAPSHOT, UNTIL_IT_IS_DONE } from '../../platform/database/transaction.ts';
import type { Checkpoint } from './checkpoint.ts';
import { createSealVerifier, type SealCheck, type SealCulprit, sealChecks } from './verify-chains.ts';

interface AuditReport {
  holds: boolean;
  checked: { sealed_events: number; waiting_events: number };
  checks: { check: SealCheck; faults: number }[];
  /** At most 50 per check. */
  culprits: SealCulprit[];
}

/**
 * Hashes every sealed event of every audit log again, on one snapshot of each shard and without locks.
 *
 * @param checkpoint that the logs must still hold
 * @param say is called with how far it came
 */
export async function verifyAudit(
  { database }: Pick<Deps, 'database'>,
  checkpoint: readonly Checkpoint[] = [],
  say: (progress: string) => void = () => {},
): Promise<AuditReport> {
  const seals = createSealVerifier('audit', checkpoint);
  for (const shard of database.shards)
    await inTransaction(
      shard,
      async (client) => {
        await allowStatements(client, UNTIL_IT_IS_DONE);
        await seals.verify(client, say);
      },
      UNTIL_IT_IS_DONE,
      SNAPSHOT,
    );
  const { sealed, waiting, faults, culprits } = seals.report();
  return {
    holds: culprits.length === 0,
    checked: { sealed_events: sealed, waiting_events: waiting },
    checks: sealChecks.map((check) => ({ check, faults: faults[check] })),
    culprits,
  };
}
