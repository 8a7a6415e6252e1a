import { type Caller, parametersOf, requireAdmitted } from '../../../platform/authentication/caller.ts';
import { type FilteredPage, readFilteredPage } from '../../../platform/paging/read-filtered-page.ts';
import type { PageRequest } from '../../../platform/paging/read-page.ts';
import type { Deps } from '../../deps.ts';
import type { GiftRow } from '../gift/queries.ts';
import type { Metadata } from '../gift/reference-schema.ts';
import type { GiftHistoryState } from '../gift/state.ts';
import { filteredGifts } from './filter-queries.ts';
import { boundsOf, type ShownStatus, type TimeFilters, timeOf } from './statement-parts.ts';

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
  state?: GiftHistoryState | undefined;
  /** Undefined without one. */
  times?: TimeFilters | undefined;
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
  const { method, category, recipient, externalId, orderId, metadata, state, times } = request;
  const status = request.status ?? statusOf(state);
  const { list, maxScanned } = sourceOf({ ...request, status });
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
        state ?? null,
        boundsOf(times),
      ]);
      const [found] = rows;
      requireAdmitted(caller, found);
      return { found, rows: rows.filter((row) => row.gift_id !== null) };
    },
  });
}

/** The status of every gift with a state, by which an index finds it; undefined if it may have several. */
const statuses: Partial<Record<GiftHistoryState, ShownStatus>> = {
  waiting: 'scheduled',
  sending: 'sent',
  sent: 'sent',
  delivered: 'sent',
  failed: 'failed',
  opened: 'opened',
  claimed: 'claimed',
  partly_spent: 'claimed',
  spent: 'claimed',
  canceled: 'canceled',
  expired: 'canceled',
};
export const statusOf = (state: GiftHistoryState | undefined): ShownStatus | undefined =>
  state === undefined ? undefined : statuses[state];

/** Chooses the index that finds the fewest gifts as a rule. The search passes over the gifts that other filters refuse. */
function sourceOf(filters: GiftFilters) {
  const { status, method, category, recipient, externalId, orderId, metadata, state } = filters;
  if (orderId !== undefined) return filteredGifts.ofOrder;
  if (externalId !== undefined) return filteredGifts.named;
  if (recipient !== undefined) return filteredGifts.ofRecipient;
  if (metadata !== undefined) return filteredGifts.withMetadata;
  const time = timeOf(filters);
  if (time !== undefined) return filteredGifts.ofTime[time];
  if (state === 'waiting' || state === 'declined' || state === 'on_hold') return filteredGifts[state];
  if (status === 'failed' || status === 'canceled') return filteredGifts.ofStatus;
  if (category !== undefined) return filteredGifts.ofCategory;
  // Most gifts are emails, and sent: these have no index.
  if (method !== undefined && method !== 'email') return filteredGifts.ofMethod;
  return status === 'opened' || status === 'claimed' ? filteredGifts.ofStatus : filteredGifts.all;
}
