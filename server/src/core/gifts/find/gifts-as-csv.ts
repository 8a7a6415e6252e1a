import type { Caller } from '../../../platform/authentication/caller.ts';
import { namedKey } from '../../../platform/authentication/named-key.ts';
import type { Actor } from '../../../platform/base/actor.ts';
import type { ExportedList } from '../../../platform/paging/export-list.ts';
import { invalid } from '../../../platform/paging/list-filters.ts';
import type { Deps } from '../../deps.ts';
import { readExpand } from '../expand/expand-query.ts';
import type { GiftExpansion } from '../gift/expansion-schema.ts';
import { fieldsOfGift } from '../gift/gift-fields.ts';
import { presentGift } from '../gift/present-gift.ts';
import type { GiftBody } from '../gift/schema.ts';
import { filterGifts } from './filter-gifts.ts';
import { noLinks } from './no-links.ts';
import { readFiltersOfGifts } from './read-filters.ts';
import { recordExport } from './record-export.ts';

/** The columns of the parts that a request can ask for. A list has no columns. */
const partFields: Record<Exclude<GiftExpansion, 'deliveries'>, readonly string[]> = {
  order: ['order.order_id', 'order.external_id'],
  history: [
    'history.state',
    'history.ordered_at',
    'history.sent_at',
    'history.delivered_at',
    'history.failed_at',
    'history.failure.reason',
    'history.failure.retryable',
    'history.failure.provider_message',
    'history.opened_at',
    'history.claimed_at',
    'history.spent.amount',
    'history.spent.last_at',
    'history.declined_at',
    'history.expires_at',
    'history.held_since',
    'history.erased_at',
  ],
  card: ['card.kind', 'card.category', 'card.left'],
};

/** Without the link, whose holder can claim the gift. */
const [first = 'gift_id', ...others] = fieldsOfGift.flatMap(({ csv }) => csv ?? []);

function columnsOf(name: GiftExpansion): readonly string[] {
  if (name !== 'deliveries') return partFields[name];
  throw invalid('expand', 'A CSV file has one row for each gift: ask for deliveries as JSON, or for history.');
}

/** Returns the matching gifts as a file, which the audit log has from the first page on. @param addParts adds what the query asks for @throws BestowError `parameter_invalid` */
export function giftsAsCsv(
  deps: Pick<Deps, 'clock' | 'database' | 'ids'>,
  caller: Caller,
  query: Record<string, unknown>,
  actor: Actor,
  addParts: (gifts: GiftBody[]) => Promise<GiftBody[]> = async (gifts) => gifts,
): ExportedList<GiftBody> {
  const filters = readFiltersOfGifts(query);
  const more = [...readExpand(query)].flatMap(columnsOf);
  let isRecorded = false;
  return {
    name: `gifts-${caller.environment}`,
    prefix: 'gift',
    fields: [first, ...others, ...more],
    range: { from: filters?.from, to: filters?.to },
    async readPage(request) {
      const { rows, ...end } = await filterGifts(deps, caller, { ...filters, ...request });
      if (!isRecorded) await recordExport(deps, caller, namedKey(actor, caller));
      isRecorded = true;
      const gifts = rows.map((gift) => presentGift(noLinks, caller, gift));
      return { ...end, rows: await addParts(gifts) };
    },
  };
}
