import { type Caller, parametersOf, requireAdmitted } from '../../../platform/authentication/caller.ts';
import { type Page, type PageRequest, readPage } from '../../../platform/paging/read-page.ts';
import type { Deps } from '../../deps.ts';
import { type GiftRow, selectGifts } from '../gift/queries.ts';

/**
 * Returns a page of gifts for `/v1`, most recent purchase first. Links are not renewed.
 *
 * @throws BestowError `cursor_invalid`; as `requireAdmitted`
 */
export function listGifts(deps: Pick<Deps, 'database'>, caller: Caller, request: PageRequest): Promise<Page<GiftRow>> {
  return readPage(request, {
    prefix: 'gift',
    idOf: ({ gift_id }) => gift_id,
    async read(direction, first, limit) {
      const rows = await selectGifts[direction](deps.database.read, [...parametersOf(caller), first, limit]);
      requireAdmitted(caller, rows[0]);
      return rows.filter((row) => row.gift_id !== null);
    },
  });
}
