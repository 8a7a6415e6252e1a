import type { Deps } from '../../core/deps.ts';
import { findOrganization } from '../../core/organizations/find-organization.ts';
import { encodeId } from '../../platform/base/ids.ts';
import { allowStatements } from '../../platform/database/allow-statements.ts';
import { inOrganization } from '../../platform/database/in-organization.ts';
import { inTransaction, SNAPSHOT, UNTIL_IT_IS_DONE } from '../../platform/database/transaction.ts';
import { type AgeRow, selectAging, selectAgingOf } from './queries.ts';

/** Days of an age; the oldest has no end. */
export const ages = [
  { name: '0–30 days', fromDays: 0, toDays: 30 },
  { name: '31–90 days', fromDays: 31, toDays: 90 },
  { name: '91–365 days', fromDays: 91, toDays: 365 },
  { name: '1–2 years', fromDays: 366, toDays: 730 },
  { name: '2–3 years', fromDays: 731, toDays: 1_095 },
  { name: '3–5 years', fromDays: 1_096, toDays: 1_825 },
  { name: 'over 5 years', fromDays: 1_826, toDays: null },
] as const satisfies readonly { name: string; fromDays: number; toDays: number | null }[];

export interface AgedMoney {
  organization_id: string;
  name: string;
  kind: AgeRow['kind'];
  age: (typeof ages)[number]['name'];
  from_days: number;
  to_days: number | null;
  gifts: number;
  amount: number;
}

/**
 * Sums the live money of gifts that is not claimed or not spent, in whole cents, by organization and age: days since the
 * order, or since the claim. Ages without money are left out.
 *
 * @param organizationId `org_…`; all organizations without it
 * @throws OperatorError if the organization does not exist
 */
export async function reportAging(
  deps: Pick<Deps, 'clock' | 'database'>,
  organizationId?: string,
): Promise<AgedMoney[]> {
  const now = new Date(deps.clock.now());
  const firstDays = ages.slice(1).map(({ fromDays }) => fromDays);
  const rows: AgeRow[] = [];
  if (organizationId === undefined)
    for (const shard of deps.database.shards)
      await inTransaction(
        shard,
        async (client) => {
          await allowStatements(client, UNTIL_IT_IS_DONE);
          rows.push(...(await selectAging([client], [now, firstDays])));
        },
        UNTIL_IT_IS_DONE,
        SNAPSHOT,
      );
  else {
    const { organization_id } = await findOrganization(deps, organizationId);
    const read = inOrganization(
      deps.database,
      organization_id,
      async (client) => {
        await allowStatements(client, UNTIL_IT_IS_DONE);
        return await selectAgingOf(client, [organization_id, now, firstDays]);
      },
      { isSnapshot: true, withinMs: UNTIL_IT_IS_DONE },
    );
    rows.push(...(await read));
  }
  return rows.map(present);
}

function present({ organization_id, name, kind, age, gifts, amount_cents }: AgeRow): AgedMoney {
  const found = ages[age];
  if (found === undefined) throw new Error(`There is no age ${age}.`);
  return {
    organization_id: encodeId('org', organization_id),
    name,
    kind,
    age: found.name,
    from_days: found.fromDays,
    to_days: found.toDays,
    gifts,
    amount: amount_cents,
  };
}
