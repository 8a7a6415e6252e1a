import type { Scope } from '../../../platform/base/principal.ts';
import { readAllPages } from '../../../platform/paging/read-all-pages.ts';
import type { Deps } from '../../deps.ts';
import type { GiftSummary } from '../gift/portal-schema.ts';
import { type GiftSearch, searchGifts } from './search-gifts.ts';

/** The columns of the portal's export; money in cents. */
export const giftExportColumns = [
  { key: 'gift_id', header: 'Gift' },
  { key: 'order_id', header: 'Order' },
  { key: 'created_at', header: 'Ordered at (UTC)' },
  { key: 'status', header: 'Status' },
  { key: 'amount', header: 'Amount', isMoney: true },
  { key: 'category.id', header: 'Category' },
  { key: 'category.name', header: 'Category name' },
  { key: 'method', header: 'Method' },
  { key: 'address', header: 'Address' },
  { key: 'recipient_name', header: 'Recipient' },
  { key: 'sender_name', header: 'Sender' },
  { key: 'opened_at', header: 'Opened at (UTC)' },
  { key: 'claimed_at', header: 'Claimed at (UTC)' },
  { key: 'failure_reason', header: 'Why it failed' },
  { key: 'external_id', header: 'External id' },
  { key: 'metadata', header: 'Metadata (JSON)' },
  { key: 'scheduled_for', header: 'Scheduled for (UTC)' },
] as const;

/** Yields every gift that matches the search, newest first. */
export const exportGifts = (
  deps: Pick<Deps, 'database'>,
  scope: Scope,
  search: GiftSearch,
): AsyncGenerator<GiftSummary, void> =>
  readAllPages(search, (request) => searchGifts(deps, scope, { ...search, ...request }));
