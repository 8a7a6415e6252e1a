import type { Deps } from '../../core/deps.ts';
import type { GiftInputBody } from '../../core/gifts/gift/schema.ts';
import type { Actor } from '../../platform/base/actor.ts';
import { BestowError } from '../../platform/base/errors.ts';
import { encodeId } from '../../platform/base/ids.ts';
import type { Scope } from '../../platform/base/principal.ts';
import { inOrganization } from '../../platform/database/in-organization.ts';
import { examineRows } from './check-rows.ts';
import { insertBatch, lockBatch, selectBatchOfForm, upsertRows } from './queries.ts';

type MemberActor = Extract<Actor, { kind: 'member' }>;

/** Creates a draft; the same form has one. Returns its id. */
export async function createBatch(
  { clock, database, ids }: Pick<Deps, 'clock' | 'database' | 'ids'>,
  { organizationId, environment }: Scope,
  { formId, name, rows, actor }: { formId: string; name: string; rows: number; actor: MemberActor },
): Promise<string> {
  const owner = [organizationId, environment] as const;
  const { memberId, address } = actor;
  const now = new Date(clock.now());
  const [created] = await insertBatch(database.pool, [
    ...owner,
    ids.next(),
    formId,
    name,
    rows,
    memberId,
    address,
    now,
  ]);
  const [batch] = created ? [created] : await selectBatchOfForm(database.pool, [...owner, formId]);
  if (batch === undefined) throw new BestowError('resource_missing');
  return encodeId('batch', batch.batch_id);
}

/**
 * Stores rows of a draft. Rows that are stored again are replaced.
 *
 * @throws BestowError `resource_missing`, `refused` if the batch was started, `parameter_invalid` with the row and the column
 */
export async function storeRows(
  deps: Pick<Deps, 'clock' | 'config' | 'database'>,
  scope: Scope,
  batchId: string,
  { firstRow, gifts }: { firstRow: number; gifts: readonly GiftInputBody[] },
): Promise<void> {
  const one = [scope.organizationId, scope.environment, batchId] as const;
  const rows = await examineRows(deps, scope, firstRow, gifts);
  for (const { row, fault } of rows)
    if (fault !== undefined)
      throw new BestowError('parameter_invalid', {
        param: `row ${row}, ${fault.column}`,
        message: `Row ${row}: ${fault.message}`,
      });
  await inOrganization(deps.database, scope.organizationId, async (client) => {
    const [batch] = await lockBatch(client, [...one]);
    if (batch === undefined) throw new BestowError('resource_missing');
    if (batch.state !== 'draft') throw new BestowError('refused', { message: 'These gifts are already being sent.' });
    if (batch.asked_at !== null) throw new BestowError('refused', { message: 'These gifts wait for an approval.' });
    if (firstRow + rows.length - 1 > batch.row_count)
      throw new BestowError('parameter_invalid', { param: 'rows', message: `The batch has ${batch.row_count} rows.` });
    const stored = rows.map(({ row, gift, address }) => ({ row_number: row, gift, address }));
    await upsertRows(client, [...one, JSON.stringify(stored)]);
  });
}
