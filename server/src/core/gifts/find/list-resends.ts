import { encodeId } from '../../../platform/base/ids.ts';
import type { Scope } from '../../../platform/base/principal.ts';
import type { PageRequest, SearchPage } from '../../../platform/paging/read-page.ts';
import type { Deps } from '../../deps.ts';
import type { GiftResend } from '../gift/portal-schema.ts';
import { resendRefusal } from './resendability.ts';
import { type GiftSearch, searchGiftRows } from './search-gifts.ts';
import { shownStateOf } from './summarize-gift.ts';

/**
 * Returns a page of the gifts that a search finds, and whether each can be sent again.
 *
 * @throws BestowError `cursor_invalid`
 */
export async function listResends(
  deps: Pick<Deps, 'config' | 'database'>,
  scope: Scope,
  request: GiftSearch & PageRequest,
): Promise<SearchPage<GiftResend>> {
  const page = await searchGiftRows(deps, scope, request);
  const rows = page.rows.map((gift) => ({
    gift_id: encodeId('gift', gift.gift_id),
    recipient: gift.recipient_name ?? gift.address,
    ...shownStateOf(gift),
    refusal: resendRefusal(gift, deps.config.resendLimit),
  }));
  return { ...page, rows };
}
