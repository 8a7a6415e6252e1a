import { KeyChanged } from '../base/key-changed.ts';
import type { Scope } from '../base/principal.ts';
import type { Deps } from '../deps.ts';
import { type Page, type PageRequest, readPage } from '../paging/read-page.ts';
import { type GiftRow, selectGiftExists, selectGiftsAscending, selectGiftsDescending } from './queries.ts';

/**
 * A page of the organization's gifts, most recent purchase first; links are shown as they are.
 *
 * @param keyToProve a key that nobody has looked at yet; null where it was
 * @throws BestowError `cursor_invalid`
 * @throws KeyChanged where the page is empty, or the key that is to be proved no longer holds
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
