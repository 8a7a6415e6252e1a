import { recordExport } from '../../../platform/audit/record-export.ts';
import type { Caller } from '../../../platform/authentication/caller.ts';
import { namedKey } from '../../../platform/authentication/named-key.ts';
import type { Actor } from '../../../platform/base/actor.ts';
import type { ExportedList } from '../../../platform/paging/export-list.ts';
import type { Deps } from '../../deps.ts';
import { presentGift } from '../gift/present-gift.ts';
import type { GiftBody } from '../gift/schema.ts';
import { filterGifts } from './filter-gifts.ts';
import { noLinks } from './no-links.ts';
import { readFiltersOfGifts } from './read-filters.ts';

/** Without the link, whose holder can claim the gift. */
const fields = [
  'gift_id',
  'created_at',
  'amount',
  'category',
  'delivery.method',
  'delivery.status',
  'delivery.email',
  'delivery.phone',
  'personalization.recipient_name',
  'personalization.sender_name',
  'external_id',
  'metadata',
  'cancellation.canceled_at',
  'cancellation.reason',
  'cancellation.refunded',
  'scheduled_for',
] as const;

/** Returns the matching gifts as a file, which the audit log has from the first page on. @throws BestowError `parameter_invalid` */
export function giftsAsCsv(
  deps: Pick<Deps, 'clock' | 'database' | 'ids'>,
  caller: Caller,
  query: Record<string, unknown>,
  actor: Actor,
): ExportedList<GiftBody> {
  const filters = readFiltersOfGifts(query);
  let isRecorded = false;
  return {
    name: `gifts-${caller.environment}`,
    prefix: 'gift',
    fields,
    range: { from: filters?.from, to: filters?.to },
    async readPage(request) {
      const { rows, ...more } = await filterGifts(deps, caller, { ...filters, ...request });
      if (!isRecorded) await recordExport(deps, caller, namedKey(actor, caller));
      isRecorded = true;
      return { ...more, rows: rows.map((gift) => presentGift(noLinks, caller, gift)) };
    },
  };
}
