import { KeyChanged } from '../base/key-changed.ts';
import type { Scope } from '../base/principal.ts';
import type { Deps } from '../deps.ts';
import { type Page, type PageRequest, readPage } from '../paging/read-page.ts';
import { type GiftRow, selectGiftExists, selectGiftsAscending, selectGiftsDescending } from './queries.ts';

/**
 * Returns a page of gifts for `/v1`, most recent purchase first. Links are not renewed.
 *
 * @param keyToProve a key that the statement must check; null if it was checked already
 * @throws BestowError `cursor_invalid`
 * @throws KeyChanged if `keyToProve` is given and the page is empty or the key is no longer valid
 */
export async function listGifts(
  deps: Pick<Deps, 'database'>,
  scope: Scope,
  request: PageRequest,
  keyToProve: string | null,
): Promise<Page<GiftRow>> {
  const { read } = deps.database;
  const owner = [scope.organizationId, scope.environment] as const;
  const page = await readPage(request, {
    prefix: 'gift',
    exists: (giftId) => selectGiftExists(read, [...owner, giftId]),
    read: (direction, { above, below }, limit) =>
      direction === 'descending'
        ? selectGiftsDescending(read, [...owner, below, keyToProve, limit])
        : selectGiftsAscending(read, [...owner, above, keyToProve, limit]),
  });
  if (page.rows.length === 0 && keyToProve !== null) throw new KeyChanged();
  return page;
}
