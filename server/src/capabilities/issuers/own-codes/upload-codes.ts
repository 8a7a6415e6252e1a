import { isCategory } from '../../../core/catalog/is-category.ts';
import type { Deps } from '../../../core/deps.ts';
import type { Actor } from '../../../platform/base/actor.ts';
import { BestowError } from '../../../platform/base/errors.ts';
import { inOrganization } from '../../../platform/database/in-organization.ts';
import { recordEvent } from '../actions.ts';
import { insertCodes, type StockRow, selectStock } from './queries.ts';
import { readCodes } from './read-codes.ts';
import { todayOf } from './today.ts';

type UploadDeps = Pick<Deps, 'clock' | 'config' | 'database' | 'ids' | 'cipher'>;

interface Upload {
  /** UUID. */
  organizationId: string;
  categoryId: string;
  /** Text with separators. */
  csv: string;
  actor: Actor;
}

/**
 * Adds codes to the stock of a category, all or none. A code that is known already is skipped.
 *
 * @throws BestowError `parameter_invalid` that names the line, or the category
 */
export async function uploadCodes(
  deps: UploadDeps,
  { organizationId, categoryId, csv, actor }: Upload,
): Promise<{ added: number; known: number }> {
  const codes = await readCodes(csv, deps.config.currency, todayOf(deps.clock));
  if (!(await isCategory(deps, categoryId)))
    throw new BestowError('parameter_invalid', { param: 'category', message: `There is no category ${categoryId}.` });
  const rows = codes.map(({ code, pin, valueCents, expires, shop, termsUrl }) => ({
    code_id: deps.ids.next(),
    value_cents: valueCents,
    sealed: deps.cipher.encrypt(JSON.stringify({ code, pin })),
    fingerprint: deps.cipher.fingerprint(`${shop}\n${code}`),
    expires,
    shop,
    terms_url: termsUrl,
  }));
  const now = new Date(deps.clock.now());
  return inOrganization(deps.database, organizationId, async (client) => {
    const added = await insertCodes(client, [organizationId, categoryId, JSON.stringify(rows), now]);
    if (added.length > 0)
      await recordEvent(client, deps, actor, {
        organizationId,
        environment: 'live',
        action: 'codes.uploaded',
        details: { category: categoryId, codes: added.length },
      });
    return { added: added.length, known: codes.length - added.length };
  });
}

/** Returns the codes of an organization by category and value. */
export const listStock = (
  { clock, database }: Pick<Deps, 'clock' | 'database'>,
  organizationId: string,
): Promise<StockRow[]> => selectStock(database.read, [organizationId, todayOf(clock)]);
