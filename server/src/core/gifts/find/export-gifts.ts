import type { Scope } from '../../../platform/base/principal.ts';
import { readAllPages } from '../../../platform/paging/read-all-pages.ts';
import type { Deps } from '../../deps.ts';
import { readHistories } from '../expand/expand-gifts.ts';
import { fieldsOfGift } from '../gift/gift-fields.ts';
import type { ExportedGift } from '../gift/portal-schema.ts';
import { type GiftSearch, searchGiftRows } from './search-gifts.ts';
import { summarizeGift } from './summarize-gift.ts';

/** The columns of the portal's export; money in cents. */
export const giftExportColumns = [
  ...fieldsOfGift.flatMap(({ file }) => file ?? []),
  { key: 'history.state', header: 'State' },
  { key: 'history.sent_at', header: 'Sent at (UTC)' },
  { key: 'history.delivered_at', header: 'Delivered at (UTC)' },
  { key: 'history.failed_at', header: 'Failed at (UTC)' },
  { key: 'history.spent.amount', header: 'Spent', isMoney: true },
  { key: 'history.spent.last_at', header: 'Last spent at (UTC)' },
  { key: 'history.declined_at', header: 'Declined at (UTC)' },
  { key: 'history.canceled_at', header: 'Canceled at (UTC)' },
  { key: 'history.cancel_reason', header: 'Why it was canceled' },
  { key: 'history.refunded', header: 'Refunded', isMoney: true },
  { key: 'history.expires_at', header: 'Expires at (UTC)' },
  { key: 'history.held_since', header: 'On hold since (UTC)' },
] as const;

/** Yields every gift that matches the search, newest first. */
export const exportGifts = (
  deps: Pick<Deps, 'database'>,
  scope: Scope,
  search: GiftSearch,
): AsyncGenerator<ExportedGift, void> =>
  readAllPages(search, async (request) => {
    const { rows, ...page } = await searchGiftRows(deps, scope, { ...search, ...request });
    const giftIds = rows.map(({ gift_id }) => gift_id);
    const histories = await readHistories(deps, scope, giftIds);
    const gifts = rows.flatMap((row) => {
      const history = histories.get(row.gift_id);
      return history === undefined ? [] : [{ ...summarizeGift(row), history }];
    });
    return { ...page, rows: gifts };
  });
