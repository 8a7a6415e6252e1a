import { dateOf } from 'bestow-readers/time.ts';
import { fieldsOfGift } from './gift-fields.ts';
import type { GiftRow } from './queries.ts';

/** A row as JSON, so times are texts. */
export type AsJson<Row> = { [K in keyof Row]: Row[K] extends Date | null ? string | Extract<Row[K], null> : Row[K] };

const times = fieldsOfGift.filter(({ of, readBy }) => of?.sql === 'timestamptz' && readBy?.includes('api'));

/** The gift of a JSON row. */
export function giftFromJson(row: AsJson<GiftRow>): GiftRow {
  const dates = times.flatMap(({ column }) => {
    const time = row[column as keyof GiftRow];
    return typeof time === 'string' ? [[column, dateOf(time)]] : [];
  });
  return { ...row, ...Object.fromEntries(dates) } as GiftRow;
}

/** A gift of which nothing is known: each column that `/v1` reads is null. */
export const blankGift = Object.fromEntries(
  fieldsOfGift.flatMap(({ column, readBy }) => (readBy?.includes('api') ? [[column, null]] : [])),
) as { [K in keyof GiftRow]: null };
