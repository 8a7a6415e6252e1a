import type { Deps } from '../../../core/deps.ts';
import { readTable } from '../../../platform/api/read-table.ts';
import type { Actor } from '../../../platform/base/actor.ts';
import { inOrganization } from '../../../platform/database/in-organization.ts';
import type { Queryable } from '../../../platform/database/statement.ts';
import { recordEvent } from '../actions.ts';
import { release, setAside } from './queries.ts';

/**
 * Sets aside every code in stock, because it may have been handed out in a time that a restore undid.
 *
 * @param client in the transaction of the restore
 * @returns how many
 */
export const setCodesAside = async (client: Queryable, organizationId: string, now: Date): Promise<number> =>
  (await setAside(client, [organizationId, now])).length;

interface Release {
  /** UUID. */
  organizationId: string;
  categoryId: string;
  /** The codes that the shop says are unused, with the columns `code` and `shop`; undefined: all. */
  csv: string | undefined;
  actor: Actor;
}

/**
 * Puts codes that were set aside back into stock. Other codes of the file are left as they are.
 *
 * @throws BestowError `parameter_invalid` that names what is wrong with the file
 */
export async function releaseCodes(
  deps: Pick<Deps, 'clock' | 'database' | 'ids' | 'cipher'>,
  { organizationId, categoryId, csv, actor }: Release,
): Promise<{ released: number }> {
  const columns = { all: ['code', 'shop'], required: ['code', 'shop'], mayHaveOthers: true } as const;
  const rows = csv === undefined ? undefined : await readTable(csv, columns);
  const fingerprints = rows?.map(({ read }) => deps.cipher.fingerprint(`${read('shop')}\n${read('code')}`)) ?? null;
  return inOrganization(deps.database, organizationId, async (client) => {
    const released = (await release(client, [organizationId, categoryId, fingerprints])).length;
    if (released > 0)
      await recordEvent(client, deps, actor, {
        organizationId,
        environment: 'live',
        action: 'codes.released',
        details: { category: categoryId, codes: released },
      });
    return { released };
  });
}
