import type { GiftStatus } from '../gift/present-gift.ts';
import { ARRIVED, deliveredAt, giftState } from '../gift/state.ts';

/** The status in the portal: of the delivery, unless the gift is canceled or not sent yet. */
export type ShownStatus = GiftStatus | 'canceled' | 'scheduled';

// The same as `giftStatus` in present-gift.ts; a test compares them.
const deliveryStatus = `case when claimed_at is not null then 'claimed' when opened_at is not null then 'opened'
     when delivery_state = 'failed' then 'failed' else 'sent' end`;
export const shownStatus = `case when canceled_at is not null then 'canceled' else ${deliveryStatus} end`;

/** With the gifts that are not sent yet, which no index of statuses knows. */
export const listedStatus = `case when is_waiting then 'scheduled' else ${shownStatus} end`;

// Conditions of lists on what happened to gifts. `times` is the parameter that `boundsOf` makes.

export const giftTimes = ['delivered', 'opened', 'claimed'] as const;
type GiftTime = (typeof giftTimes)[number];

/** Gifts to which it happened later or earlier than a time, both excluded. */
export type TimeFilters = Partial<Record<`${GiftTime}_${'after' | 'before'}`, Date>>;

const filteredBy = (times: TimeFilters = {}) =>
  giftTimes.filter((time) => times[`${time}_after`] !== undefined || times[`${time}_before`] !== undefined);

/** The time that is filtered by; of several, the latest in the life of a gift, because the fewest have it. */
export const timeOf = ({ times }: { times?: TimeFilters | undefined }): GiftTime | undefined =>
  filteredBy(times).at(-1);

/** Returns the parameter `times`: both bounds of each time that is filtered by, as JSON; null without one. */
export function boundsOf(times: TimeFilters | undefined): string | null {
  const bounds = filteredBy(times).flatMap((time) => [
    [`${time}_after`, boundOf(times?.[`${time}_after`], '-infinity')],
    [`${time}_before`, boundOf(times?.[`${time}_before`], 'infinity')],
  ]);
  return bounds.length === 0 ? null : JSON.stringify(Object.fromEntries(bounds));
}

/** PostgreSQL reads no ISO time beyond these years. */
function boundOf(time: Date | undefined, otherwise: 'infinity' | '-infinity'): string {
  if (time === undefined) return otherwise;
  const year = time.getUTCFullYear();
  return year < 1 ? '-infinity' : year > 9999 ? 'infinity' : time.toISOString();
}

const bound = (times: string, name: string) => `(${times}::jsonb ->> '${name}')::timestamptz`;

// Without `coalesce`, which PostgreSQL takes for a function that may tell rows: under a policy of rows it would use no index.

const isBetween = (expression: string, times: string, time: GiftTime) =>
  `${expression} > ${bound(times, `${time}_after`)} and ${expression} < ${bound(times, `${time}_before`)}`;

const latestMessage = (gift: string, expression: string) => `(
         select ${expression} from deliveries
         where organization_id = ${gift}.organization_id and environment = ${gift}.environment and gift_id = ${gift}.gift_id
           and delivery_id = ${gift}.delivery_id
         limit 1
       )`;

/** Columns: what happened to a gift, and whether its message is only in the outbox. @param gift has all columns */
export const stateColumns = (gift: string, organizationId = '$1') =>
  `${giftState(gift, { organizationId, progress: latestMessage(gift, 'state') })} as state,
     coalesce(${latestMessage(gift, `state = 'sent' and provider = 'outbox'`)}, false) as is_kept`;

const expressions: Record<GiftTime, (gift: string) => string> = {
  delivered: deliveredAt,
  opened: (gift) => `${gift}.opened_at`,
  claimed: (gift) => `${gift}.claimed_at`,
};

/** Condition: the gift has the state, and what happened to it happened at these times. @param gift a table or alias */
export const hasHistory = (gift: string, { state, times }: { state: string; times: string }) =>
  `(${state}::text is null or ${giftState(gift, { progress: latestMessage(gift, 'state') })} = ${state})
       and (${times}::jsonb is null or ${giftTimes
         .map(
           (time) => `(${bound(times, `${time}_after`)} is null or ${isBetween(expressions[time](gift), times, time)})`,
         )
         .join(' and ')})`;

/**
 * Queries of the ids of gifts that an index finds in another order than that of ids: to which something happened at these
 * times, or that wait.
 */
export const scatteredIds: Record<GiftTime | 'waiting', (times: string) => string> = {
  delivered: (times) => `select gift_id from deliveries
     where organization_id = $1 and environment = $2 and state = 'delivered' and ${isBetween(ARRIVED, times, 'delivered')}
     order by ${ARRIVED}`,
  opened: (times) => ofGifts('opened_at', times, 'opened'),
  claimed: (times) => ofGifts('claimed_at', times, 'claimed'),
  waiting: () => `select gift_id from gifts
     where organization_id = $1 and environment = $2 and is_waiting and scheduled_for is not null order by scheduled_for`,
};

const ofGifts = (column: string, times: string, time: GiftTime) => `select gift_id from gifts
     where organization_id = $1 and environment = $2 and ${column} is not null and ${isBetween(column, times, time)}
     order by ${column}`;
