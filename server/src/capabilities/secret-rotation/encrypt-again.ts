import type { Deps } from '../../core/deps.ts';
import type { Queryable } from '../../platform/database/statement.ts';
import type { Cipher } from '../../platform/encryption/cipher.ts';
import { encryptedValues } from './queries.ts';

const READ_AT_ONCE = 1_000;
const NO_ID = '00000000-0000-0000-0000-000000000000';

/**
 * Encrypts what the database keeps encrypted with the first link secret, so that an earlier one can be removed: secrets of
 * webhooks, settings of issuers, own codes, keys of sender domains, and what recipients entered. A value that no secret decrypts stays as it is. Safe
 * in several processes at once.
 */
export async function encryptAgain({ database, cipher }: Pick<Deps, 'database' | 'cipher'>): Promise<void> {
  // The only secret encrypted all that it can decrypt.
  if (!cipher.hasEarlier) return;
  for (const { pool } of database.servers)
    for (const values of encryptedValues)
      for await (const { organization_id, id, sealed } of rowsOf(pool, values)) {
        const again = cipher.encryptAgain(sealed);
        if (again !== sealed) await values.replace(pool, [organization_id, id, again, sealed]);
      }
}

/** Counts the values that no link secret decrypts, and those that an earlier one encrypted. */
export async function countEncrypted(
  shards: readonly Queryable[],
  cipher: Cipher,
): Promise<{ all: number; unreadable: number; earlier: number }> {
  const counts = { all: 0, unreadable: 0, earlier: 0 };
  for (const shard of shards)
    for (const values of encryptedValues)
      for await (const { sealed } of rowsOf(shard, values)) {
        counts.all += 1;
        if (cipher.decrypt(sealed) === undefined) counts.unreadable += 1;
        else if (cipher.encryptAgain(sealed) !== sealed) counts.earlier += 1;
      }
  return counts;
}

async function* rowsOf(server: Queryable, { select }: (typeof encryptedValues)[number]) {
  let after: [organizationId: string, id: string] = [NO_ID, NO_ID];
  for (;;) {
    const rows = await select([server], [...after, READ_AT_ONCE]);
    yield* rows;
    const last = rows.at(-1);
    if (last === undefined || rows.length < READ_AT_ONCE) return;
    after = [last.organization_id, last.id];
  }
}
