import type { Environment } from '../../platform/base/environment.ts';
import { idBefore } from '../../platform/base/id-time.ts';
import { encodeId } from '../../platform/base/ids.ts';
import { allowStatements } from '../../platform/database/allow-statements.ts';
import { inOrganization } from '../../platform/database/in-organization.ts';
import { inTransaction, SNAPSHOT, UNTIL_IT_IS_DONE } from '../../platform/database/transaction.ts';
import type { Deps } from '../deps.ts';
import { findOrganization } from '../organizations/find-organization.ts';
import { type AccountRow, selectTrialBalance, selectTrialBalanceOf } from './account-queries.ts';
import { type Account, accounts } from './accounts.ts';

interface TrialBalance {
  at: Date;
  /** Null: all organizations together. */
  organization_id: string | null;
  environments: {
    environment: Environment;
    /** Signed cents of every account; they sum to zero. */
    accounts: Record<Account, number>;
    sum: number;
  }[];
}

/**
 * Sums every account as it was at a time, on one snapshot of each shard. An entry belongs to the time of its id, as in
 * statements.
 *
 * @param organizationId `org_…`; all organizations without it
 * @throws OperatorError if the organization does not exist
 */
export async function readTrialBalance(
  deps: Pick<Deps, 'database'>,
  { at, organizationId }: { at: Date; organizationId?: string | undefined },
): Promise<TrialBalance> {
  const rows: AccountRow[] = [];
  let of: string | null = null;
  if (organizationId === undefined)
    for (const shard of deps.database.shards)
      await inTransaction(
        shard,
        async (client) => {
          await allowStatements(client, UNTIL_IT_IS_DONE);
          rows.push(...(await selectTrialBalance([client], [idBefore(at), at])));
        },
        UNTIL_IT_IS_DONE,
        SNAPSHOT,
      );
  else {
    const { organization_id } = await findOrganization(deps, organizationId);
    of = encodeId('org', organization_id);
    rows.push(
      ...(await inOrganization(
        deps.database,
        organization_id,
        (client) => selectTrialBalanceOf(client, [organization_id, idBefore(at), at]),
        { isSnapshot: true },
      )),
    );
  }
  return {
    at,
    organization_id: of,
    environments: (['live', 'sandbox'] as const).map((environment) => sumUp(rows, environment)),
  };
}

function sumUp(rows: readonly AccountRow[], environment: Environment): TrialBalance['environments'][number] {
  const sums = Object.fromEntries(Object.keys(accounts).map((account) => [account, 0])) as Record<Account, number>;
  for (const row of rows) if (row.environment === environment) sums[row.account] += row.cents;
  return { environment, accounts: sums, sum: Object.values(sums).reduce((sum, cents) => sum + cents, 0) };
}
