import type { Scope } from '../../../platform/base/principal.ts';
import { type PageRequest, readSearchPage, type SearchPage } from '../../../platform/paging/read-page.ts';
import type { Deps } from '../../deps.ts';
import type { GiftSummary } from '../gift/portal-schema.ts';
import { selectGiftExists } from '../gift/queries.ts';
import { selectGiftsToAddress } from './recipient-queries.ts';
import type { GiftSummaryRow } from './search-queries.ts';
import { summarizeGift } from './summarize-gift.ts';

interface ToAddress {
  /** As gifts have it, in any case. */
  address: string;
  /** UUIDs of members: only what they sent; null: what anyone sent. */
  senders: readonly string[] | null;
}

/** Returns a page of the gifts to one address, newest first. @throws BestowError `cursor_invalid` */
export async function listGiftsToAddress(
  { database: { pool } }: Pick<Deps, 'database'>,
  { organizationId, environment }: Scope,
  { address, senders, ...request }: ToAddress & PageRequest,
): Promise<SearchPage<GiftSummary>> {
  const owner = [organizationId, environment] as const;
  const page = await readSearchPage<GiftSummaryRow>(request, {
    prefix: 'gift',
    idOf: ({ gift_id }) => gift_id,
    exists: (giftId) => selectGiftExists(pool, [...owner, giftId]),
    read: (direction, { above, below }, limit) =>
      selectGiftsToAddress[direction](pool, [...owner, above, below, limit, address.toLowerCase(), senders]),
  });
  return { ...page, rows: page.rows.map(summarizeGift) };
}
