import { encodeId } from '../../../platform/base/ids.ts';
import { showsOf } from '../gift/field.ts';
import { fieldsOfGift, type giftFields } from '../gift/gift-fields.ts';
import type { GiftDetails, GiftSummary } from '../gift/portal-schema.ts';
import { giftStatus } from '../gift/present-gift.ts';
import { inOneOrder } from '../gift/present-references.ts';
import type { GiftState } from '../gift/queries.ts';
import type { GiftDetailRow, GiftSummaryRow } from './search-queries.ts';
import type { ShownStatus } from './statement-parts.ts';

/** The status in the portal's lists. */
export const shownStatusOf = (gift: GiftState & Pick<GiftSummaryRow, 'canceled_at' | 'is_waiting'>): ShownStatus =>
  gift.canceled_at !== null ? 'canceled' : gift.is_waiting ? 'scheduled' : giftStatus(gift);

/** What happened to the gift, for the portal. */
export const shownStateOf = (gift: StatedRow) => ({
  status: shownStatusOf(gift),
  state: gift.state,
  is_kept: gift.state === 'sent' && gift.is_kept,
});

type StatedRow = GiftState & Pick<GiftSummaryRow, 'canceled_at' | 'is_waiting' | 'state' | 'is_kept'>;

type Summarize = (gift: GiftSummaryRow) => unknown;

/** The fields that are not a column as it is. */
const made: Partial<Record<keyof typeof giftFields, Summarize>> = {
  gift_id: ({ gift_id }) => encodeId('gift', gift_id),
  order_id: ({ order_id }) => encodeId('ord', order_id),
  status: shownStatusOf,
  is_kept: (gift) => shownStateOf(gift).is_kept,
  category: ({ category_id: id, category_name: name }) => ({ id, name }),
  chosen_category: ({ chosen_category_id: id, chosen_category_name: name }) =>
    id === null ? null : { id, name: name ?? '' },
  failure_reason: (gift) => (shownStatusOf(gift) === 'failed' ? gift.reason : null),
  external_id: ({ external_id }) => external_id ?? undefined,
  metadata: ({ metadata }) => inOneOrder(metadata),
};

const showColumn =
  (column: string): Summarize =>
  (gift) =>
    gift[column as keyof GiftSummaryRow];
const shown = showsOf(fieldsOfGift, 'portal', made, showColumn);
const shownOnPage = showsOf(fieldsOfGift, 'portalPage', made, showColumn);

/** A gift in the portal's lists; `undefined` leaves a field out. */
export const summarizeGift = (gift: GiftSummaryRow): GiftSummary =>
  Object.fromEntries(shown.map(({ name, show }) => [name, show(gift)])) as GiftSummary;

/** The columns that the portal's page of a gift has beside its summary. */
export const detailsOf = (gift: GiftDetailRow) =>
  Object.fromEntries(shownOnPage.map(({ name, show }) => [name, show(gift)])) as GiftDetails;
