import type { Environment } from '../../../platform/base/environment.ts';
import { foldAddress, foldText } from '../../../platform/database/folding.ts';
import { type Queryable, statement } from '../../../platform/database/statement.ts';
import { inBothDirections, type OwnedRange, type ScannedIds } from '../../../platform/paging/read-page.ts';
import { searchedTexts } from '../gift/field.ts';
import { fieldsOfGift, type GiftColumns, giftColumnsOf } from '../gift/gift-fields.ts';
import { type HeldBy, heldBy } from '../gift/held.ts';
import type { GiftState } from '../gift/queries.ts';
import { type GiftHistoryState, giftState } from '../gift/state.ts';
import { listedStatus, type ShownStatus } from './statement-parts.ts';

type Owner = [organizationId: string, environment: Environment];

/** A gift as the portal's lists show it. */
export interface GiftSummaryRow extends GiftColumns<'list'> {
  category_name: string;
  chosen_category_name: string | null;
  held_by: HeldBy;
  /** Why the latest delivery or its latest attempt failed. */
  reason: string | null;
  state: GiftHistoryState;
  /** Whether the latest message is only in the outbox. */
  is_kept: boolean;
}

export interface TotalRow {
  /** How many rows were looked at. */
  scanned: number;
  count: number;
  amount_cents: number;
}

export type GiftFilter = [
  status: ShownStatus | null,
  method: GiftSummaryRow['method'] | null,
  categoryId: string | null,
  /** Lower-case start of the address. */
  addressPrefix: string | null,
  /** Digits anywhere in the address. */
  addressDigits: string | null,
  /** Lower-case part of the recipient's name. */
  namePart: string | null,
  /** UUIDs of the members who sent them; null: anyone. */
  senders: readonly string[] | null,
];

/**
 * How many gifts one page's search scans; fewer for failed gifts, which are scattered over the table. With 5,000, a search
 * among a million gifts took 1.7 to 2.7 times as long as among a thousand (`npm run bench -- growth`; goal 1.3).
 */
export const MAX_SCANNED = 2_000;
const MAX_SCANNED_FAILED = 1_000;

/** Condition of the parameters `$6` to `$12`. */
export const isLookedFor = `($12::uuid[] is null or sender_member_id = any ($12)) and ($6::text is null or ${listedStatus} = $6)
       and ($7::delivery_method is null or method = $7)
       and ($8::text is null or category_id = $8)
       and ($9::text is null and $10::text is null and $11::text is null
         or starts_with(${foldAddress('address')}, $9) or strpos(address, $10) > 0
         or ${searchedTexts(fieldsOfGift)
           .map((text) => `strpos(${foldText(text)}, ${foldText('$11')}) > 0`)
           .join(' or ')})`;

/** The status `failed`, in a form that uses the index of failed deliveries. */
const isFailed = `delivery_state = 'failed' and opened_at is null and claimed_at is null and canceled_at is null`;

/** Condition of the parameters `$1` to `$4`. */
const inRange = 'organization_id = $1 and environment = $2 and gift_id > $3 and gift_id < $4';

/** The parameter of a `GiftFilter` that an exact source compares. */
const EXACT = { address: { parameter: '$9' }, externalId: { parameter: '$11' } } as const;

interface Rows {
  order: 'desc' | 'asc';
  /** SQL of their number. */
  limit: string;
  /** SQL of the members who sent them. */
  senders: string;
  /** SQL of the value that an exact source finds. */
  value?: string | undefined;
}

interface Source {
  maxScanned: number;
  /** Of a source that finds one value at any age, instead of looking inside the texts of the newest gifts. */
  exact?: (typeof EXACT)[keyof typeof EXACT];
  /** A query of the gifts of a range in the order of an index. */
  rows(rows: Rows, condition?: string): string;
}

const byIndexOf = (indexed: string, maxScanned: number): Source => ({
  maxScanned,
  rows: ({ order, limit }, condition = 'true') =>
    `select * from gifts where ${inRange} and ${indexed} and ${condition} order by gift_id ${order} limit ${limit}`,
});

const exactly = (column: string, exact: NonNullable<Source['exact']>): Source => ({
  maxScanned: MAX_SCANNED,
  exact,
  rows: ({ order, limit, value = exact.parameter }, condition = 'true') =>
    `select * from gifts where ${inRange} and ${column} = ${value} and ${condition} order by gift_id ${order} limit ${limit}`,
});

/** What a search scans: by an index, or what each of the members sent. */
export const sources = {
  all: byIndexOf('true', MAX_SCANNED),
  failed: byIndexOf(isFailed, MAX_SCANNED_FAILED),
  canceled: byIndexOf('canceled_at is not null', MAX_SCANNED_FAILED),
  to_address: exactly(foldAddress('address'), EXACT.address),
  named: exactly('external_id', EXACT.externalId),
  sent: {
    maxScanned: MAX_SCANNED,
    rows: ({ order, limit, senders }, condition = 'true') =>
      `select g.* from unnest(${senders}::uuid[]) as s (member_id) cross join lateral (
         select * from gifts where ${inRange} and sender_member_id = s.member_id and ${condition}
         order by gift_id ${order} limit ${limit}
       ) g order by g.gift_id ${order} limit ${limit}`,
  },
} satisfies Record<string, Source>;

const summaryColumns = `${giftColumnsOf('list')}, c.name as category_name, h.name as chosen_category_name, d.reason,
  ${giftState('g', { progress: 'd.state' })} as state, coalesce(d.state = 'sent' and d.provider = 'outbox', false) as is_kept,
  ${heldBy}`;

const summaryTables = `join categories c on c.category_id = g.category_id
   left join categories h on h.category_id = g.chosen_category_id
   left join deliveries d on d.organization_id = g.organization_id and d.environment = g.environment
     and d.gift_id = g.gift_id and d.delivery_id = g.delivery_id`;

/** A select of summaries of these gifts. @param more further columns of theirs, from a comma on */
export const summaryOf = (gifts: string, more = '') => `select ${summaryColumns}${more}
   from (
     ${gifts}
   ) g ${summaryTables}`;

/**
 * Makes statements that scan an index until the page is full.
 *
 * The number of rows is a parameter. With a constant of thousands, the planner sorted all gifts of the organization (1 to
 * 6 s for a million). With a parameter, it expects few rows and reads the index in order.
 */
const searchesOf = (name: keyof typeof sources, { rows, maxScanned, exact }: Source = sources[name]) => ({
  name,
  maxScanned,
  /** Counts and sums the matches among the newest rows that a search looks at. */
  total: statement<[...OwnedRange, maxScanned: number, ...GiftFilter], TotalRow>(
    `gifts.total_${name}`,
    `select count(*) as scanned, count(*) filter (where ${isLookedFor}) as count,
     coalesce(sum(amount_cents) filter (where ${isLookedFor}), 0)::bigint as amount_cents
   from (
     ${rows({ order: 'desc', limit: '$5', senders: '$12' })}
   ) newest`,
  ),
  search: inBothDirections(`gifts.search_${name}`, (statementName, order) =>
    statement<[...OwnedRange, limit: number, ...GiftFilter, maxScanned: number], GiftSummaryRow>(
      statementName,
      `${summaryOf(`select * from (
       ${rows({ order, limit: '$13', senders: '$12' })}
     ) scanned
     where ${isLookedFor}
     order by gift_id ${order} limit $5`)}
   order by g.gift_id ${order}`,
    ),
  ),
  scan: inBothDirections(`gifts.scan_${name}`, (statementName, order) => {
    const ids = `select gift_id from (
       ${rows({ order, limit: '$5 + 1', senders: '$6', value: '$7' })}
     ) scanned where $6::uuid[] is null or sender_member_id = any ($6) order by gift_id ${order}`;
    const scan = statement<
      [...OwnedRange, offset: number, senders: readonly string[] | null, ...value: (string | null)[]],
      ScannedIds
    >(statementName, `select (${ids} limit 1) as first_id, (${ids} offset $5 limit 1) as last_id`);
    return (database: Queryable, range: OwnedRange, offset: number, filter: GiftFilter) => {
      const [, , , address, , text, senders] = filter;
      const value = exact === undefined ? [] : [exact === EXACT.address ? address : text];
      return scan(database, [...range, offset, senders, ...value]);
    };
  }),
});

export const searches = {
  all: searchesOf('all'),
  failed: searchesOf('failed'),
  canceled: searchesOf('canceled'),
  to_address: searchesOf('to_address'),
  named: searchesOf('named'),
  sent: searchesOf('sent'),
};

/** Selects an order's gifts in submission order, or one gift. `senders`: null for those of anyone. */
export const selectGiftSummaries = statement<
  [...Owner, orderId: string | null, giftId: string | null, senders: readonly string[] | null],
  GiftSummaryRow
>(
  'gifts.select_summaries',
  `select ${summaryColumns}
   from (
     select * from gifts where organization_id = $1 and environment = $2 and order_id = $3
     union all
     select * from gifts where organization_id = $1 and environment = $2 and gift_id = $4
   ) g ${summaryTables}
   where $5::uuid[] is null or g.sender_member_id = any ($5)
   order by g.position`,
);

export interface GiftDetailRow extends GiftSummaryRow, GiftColumns<'page'> {
  card_reopened_until: Date | null;
}

export const selectGiftDetail = statement<[...Owner, giftId: string], GiftDetailRow>(
  'gifts.select_detail',
  `select ${summaryColumns}, ${giftColumnsOf('page')}, (
       select p.reopened_until from card_proofs p
       where p.organization_id = $1 and p.environment = g.environment and p.gift_id = g.gift_id
     ) as card_reopened_until
   from gifts g ${summaryTables}
   where g.organization_id = $1 and g.environment = $2 and g.gift_id = $3`,
);

export interface DeliveryDayRow {
  day: Date;
  status: ShownStatus;
  delivery_state: GiftState['delivery_state'];
  count: number;
  first_at: Date;
}

/** Counts the newest gifts, up to the limit, by day of purchase and status. */
export const countDeliveries = statement<[...Owner, above: string, limit: number], DeliveryDayRow>(
  'gifts.count_deliveries',
  `select date_trunc('day', created_at, 'UTC') as day, ${listedStatus} as status, delivery_state, count(*) as count,
     min(created_at) as first_at
   from (
     select created_at, claimed_at, opened_at, canceled_at, delivery_state, is_waiting from gifts
     where organization_id = $1 and environment = $2 and gift_id > $3
     order by gift_id desc limit $4
   ) newest
   group by 1, 2, 3`,
);

/** Counts redirectable gifts, up to the limit. `order by` makes PostgreSQL read the index row by row (0.1 instead of 9 ms). */
export const countRedirectable = statement<[...Owner, redirectLimit: number, limit: number], { count: number }>(
  'gifts.count_redirectable',
  `select count(*) as count
   from (
     select from gifts
     where organization_id = $1 and environment = $2 and ${isFailed}
       and redirect_count < $3
     order by gift_id desc limit $4
   ) failed`,
);

export const selectRedirectable = statement<[...Owner, redirectLimit: number, limit: number], GiftSummaryRow>(
  'gifts.list_redirectable',
  `select ${summaryColumns}
   from (
     select * from gifts
     where organization_id = $1 and environment = $2 and ${isFailed}
       and redirect_count < $3
     order by gift_id desc limit $4
   ) g ${summaryTables}
   order by g.gift_id desc`,
);
