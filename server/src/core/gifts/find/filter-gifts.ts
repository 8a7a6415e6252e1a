import { type Caller, parametersOf, requireAdmitted } from '../../../platform/authentication/caller.ts';
import { type FilteredPage, readFilteredPage } from '../../../platform/paging/read-filtered-page.ts';
import type { PageRequest } from '../../../platform/paging/read-page.ts';
import type { Deps } from '../../deps.ts';
import type { GiftRow } from '../gift/queries.ts';
import type { Metadata } from '../gift/reference-schema.ts';
import { filteredGifts } from './filter-queries.ts';
import type { ShownStatus } from './search-queries.ts';

/** Filters of a list of `/v1`; all must hold. */
export interface GiftFilters {
  status?: ShownStatus | undefined;
  method?: GiftRow['method'] | undefined;
  category?: string | undefined;
  /** An address in lower case, or a number as orders store it. */
  recipient?: string | undefined;
  externalId?: string | undefined;
  /** UUID. */
  orderId?: string | undefined;
  metadata?: Metadata | undefined;
}

/**
 * Returns a page of the gifts that match, most recent purchase first. A search that has to pass over gifts stops after 2,000,
 * so that any combination takes milliseconds; then the page has the cursor to continue.
 *
 * @throws BestowError `cursor_invalid`; as `requireAdmitted`
 */
export function filterGifts(
  deps: Pick<Deps, 'database'>,
  caller: Caller,
  request: GiftFilters & PageRequest,
): Promise<FilteredPage<GiftRow>> {
  const { status, method, category, recipient, externalId, orderId, metadata } = request;
  const { list, maxScanned } = sourceOf(request);
  return readFilteredPage(request, {
    prefix: 'gift',
    idOf: ({ gift_id }) => gift_id,
    async read(direction, range) {
      const rows = await list[direction](deps.database.read, [
        ...parametersOf(caller),
        ...range,
        status ?? null,
        method ?? null,
        category ?? null,
        recipient ?? null,
        externalId ?? null,
        orderId ?? null,
        metadata === undefined ? null : JSON.stringify(metadata),
        maxScanned,
      ]);
      const [found] = rows;
      requireAdmitted(caller, found);
      return { found, rows: rows.filter((row) => row.gift_id !== null) };
    },
  });
}

/** Chooses the index that finds the fewest gifts as a rule. The search passes over the gifts that other filters refuse. */
function sourceOf({ status, method, category, recipient, externalId, orderId, metadata }: GiftFilters) {
  if (orderId !== undefined) return filteredGifts.ofOrder;
  if (externalId !== undefined) return filteredGifts.named;
  if (recipient !== undefined) return filteredGifts.ofRecipient;
  if (metadata !== undefined) return filteredGifts.withMetadata;
  if (status === 'failed' || status === 'canceled') return filteredGifts.ofStatus;
  if (category !== undefined) return filteredGifts.ofCategory;
  // Most gifts are emails, and sent: these have no index.
  if (method !== undefined && method !== 'email') return filteredGifts.ofMethod;
  return status === 'opened' || status === 'claimed' ? filteredGifts.ofStatus : filteredGifts.all;
}
