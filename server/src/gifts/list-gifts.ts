import type { Scope } from '../base/principal.ts';
import type { Deps } from '../deps.ts';
import { type Page, type PageRequest, readPage } from '../http/paginate.ts';
import { type GiftRow, selectGiftExists, selectGiftsAscending, selectGiftsDescending } from './queries.ts';

/**
 * A page of the organization's gifts, most recent purchase first; links are shown as they are.
 *
 * @throws BestowError `cursor_invalid`
 */
export function listGifts(deps: Pick<Deps, 'database'>, scope: Scope, request: PageRequest): Promise<Page<GiftRow>> {
  const { read } = deps.database;
  const owner = [scope.organizationId, scope.environment] as const;
  return readPage(request, 'gift', {
    exists: (giftId) => selectGiftExists(read, [...owner, giftId]),
    before: (giftId, limit) => selectGiftsDescending(read, [...owner, giftId, limit]),
    after: (giftId, limit) => selectGiftsAscending(read, [...owner, giftId, limit]),
  });
}
