import type { Queryable } from '../../platform/database/statement.ts';
import type { Seal } from '../../platform/encryption/seal.ts';
import type { Deps } from '../deps.ts';
import { sealedValues } from './sealed-queries.ts';

const READ_AT_ONCE = 1_000;
const NO_ID = '00000000-0000-0000-0000-000000000000';

/**
 * Seals what the database keeps sealed with the first link secret, so that an earlier one can be removed: secrets of
 * webhooks, settings of issuers, own codes, keys of sender domains, and what recipients entered. A value that no secret opens stays as it is. Safe
 * in several processes at once.
 */
export async function resealValues({ database, seal }: Pick<Deps, 'database' | 'seal'>): Promise<void> {
  // The only secret sealed all that it can open.
  if (!seal.hasEarlier) return;
  for (const { pool } of database.servers)
    for (const values of sealedValues)
      for await (const { organization_id, id, sealed } of rowsOf(pool, values)) {
        const resealed = seal.reseal(sealed);
        if (resealed !== sealed) await values.replace(pool, [organization_id, id, resealed, sealed]);
      }
}

/** Counts the values that no link secret opens, and those that an earlier one sealed. */
export async function countSealed(
  shards: readonly Queryable[],
  seal: Seal,
): Promise<{ all: number; unreadable: number; earlier: number }> {
  const counts = { all: 0, unreadable: 0, earlier: 0 };
  for (const shard of shards)
    for (const values of sealedValues)
      for await (const { sealed } of rowsOf(shard, values)) {
        counts.all += 1;
        if (seal.open(sealed) === undefined) counts.unreadable += 1;
        else if (seal.reseal(sealed) !== sealed) counts.earlier += 1;
      }
  return counts;
}

async function* rowsOf(server: Queryable, { select }: (typeof sealedValues)[number]) {
  let after: [organizationId: string, id: string] = [NO_ID, NO_ID];
  for (;;) {
    const rows = await select([server], [...after, READ_AT_ONCE]);
    yield* rows;
    const last = rows.at(-1);
    if (last === undefined || rows.length < READ_AT_ONCE) return;
    after = [last.organization_id, last.id];
  }
}
