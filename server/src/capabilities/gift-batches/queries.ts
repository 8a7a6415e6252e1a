import { stateColumns } from '../../core/gifts/find/statement-parts.ts';
import type { GiftHistoryState } from '../../core/gifts/gift/state.ts';
import type { Environment } from '../../platform/base/environment.ts';
import { foldAddress } from '../../platform/database/folding.ts';
import { statement } from '../../platform/database/statement.ts';
import { insertBatchJobs } from '../../platform/jobs/insert-jobs.ts';
import { inBothDirections, type OwnedRange } from '../../platform/paging/read-page.ts';

export type Owner = [organizationId: string, environment: Environment];
export type OneBatch = [...Owner, batchId: string];

type BatchState = 'draft' | 'running' | 'stopped' | 'canceling' | 'ended';

export interface BatchRow {
  batch_id: string;
  name: string;
  state: BatchState;
  row_count: number;
  amount_cents: number;
  placed_count: number;
  refused_count: number;
  member_email: string;
  stop_code: string | null;
  stop_message: string | null;
  created_at: Date;
  started_at: Date | null;
  ended_at: Date | null;
}

const columns = `b.batch_id, b.name, b.state, b.row_count, b.amount_cents, b.placed_count, b.refused_count,
     (select m.email from members m where m.organization_id = $1 and m.member_id = b.member_id) as member_email,
     b.stop_code, b.stop_message, b.created_at, b.started_at, b.ended_at`;

/** Returns no row if the form has made a batch. */
export const insertBatch = statement<
  [
    ...OneBatch,
    formId: string,
    name: string,
    rowCount: number,
    memberId: string,
    clientAddress: string,
    createdAt: Date,
  ],
  { batch_id: string }
>(
  'batches.insert',
  `insert into batches (organization_id, environment, batch_id, form_id, name, state, row_count, member_id, client_address,
     created_at, changed_at, sender_member_id)
   values ($1, $2, $3, $4, $5, 'draft', $6, $7, $8, $9, $9, $7)
   on conflict (organization_id, environment, form_id) do nothing
   returning batch_id`,
);

export const selectBatchOfForm = statement<[...Owner, formId: string], { batch_id: string }>(
  'batches.select_of_form',
  'select batch_id from batches where organization_id = $1 and environment = $2 and form_id = $3',
);

export const selectBatch = statement<OneBatch, BatchRow>(
  'batches.select',
  `select ${columns} from batches b where b.organization_id = $1 and b.environment = $2 and b.batch_id = $3`,
);

/** Batches that were started, without drafts. */
export const listBatches = inBothDirections('batches.list', (name, order) =>
  statement<[...OwnedRange, limit: number, memberIds: readonly string[] | null], BatchRow>(
    name,
    `select ${columns} from batches b
     where b.organization_id = $1 and b.environment = $2 and b.batch_id > $3 and b.batch_id < $4 and b.state <> 'draft'
       and ($6::uuid[] is null or b.sender_member_id = any ($6))
     order by b.batch_id ${order} limit $5`,
  ),
);

export interface LockedBatch {
  state: BatchState;
  row_count: number;
  sender_member_id: string | null;
  /** When its sender asked for an approval. */
  asked_at: Date | null;
}

/** Locks the batch until the transaction ends; its job places nothing in that time. */
export const lockBatch = statement<OneBatch, LockedBatch>(
  'batches.lock',
  `select state, row_count, sender_member_id, asked_at from batches where organization_id = $1 and environment = $2 and batch_id = $3
   for no key update`,
);

export const setAsked = statement<[...OneBatch, now: Date]>(
  'batches.set_asked',
  `update batches set asked_at = coalesce(asked_at, $4), changed_at = $4
   where organization_id = $1 and environment = $2 and batch_id = $3`,
);

/** Stores rows of a draft; a row that is stored again is replaced. `rows`: JSON. */
export const upsertRows = statement<[...OneBatch, rows: string]>(
  'batch_rows.upsert',
  `insert into batch_rows (organization_id, environment, batch_id, row_number, amount_cents, gift, address)
   select $1, $2, $3, r.row_number, (r.gift ->> 'amount')::integer, r.gift, r.address
   from jsonb_to_recordset($4::jsonb) as r (row_number smallint, gift jsonb, address text)
   on conflict (organization_id, environment, batch_id, row_number) do update set
     amount_cents = excluded.amount_cents, gift = excluded.gift, address = excluded.address`,
);

/** A gift to the same address since a time. */
const isRecent = (address: string, since: string) => `(
       select g.gift_id from gifts g
       where g.organization_id = $1 and g.environment = $2 and ${foldAddress('g.address')} = ${foldAddress(address)}
         and g.gift_id > ${since} and g.canceled_at is null
       order by g.gift_id desc limit 1
     )`;

/** The latest gift to each address since the time of an id. */
export const selectRecent = statement<
  [...Owner, addresses: readonly string[], sinceId: string],
  { address: string; gift_id: string }
>(
  'batches.select_recent',
  `select * from (
     select a.address, ${isRecent('a.address', '$4')} as gift_id from unnest($3::text[]) as a (address)
   ) r where r.gift_id is not null`,
);

export interface SumRow {
  /** Rows that are stored. */
  row_count: number;
  amount_cents: number;
  /** Of one row; null without rows. */
  largest_cents: number | null;
  /** Rows whose address is in an earlier row, or had a gift since the time. */
  duplicates: number;
}

/** Sums a draft. */
export const sumDraft = statement<[...OneBatch, sinceId: string], SumRow>(
  'batch_rows.sum_draft',
  `select count(*)::integer as row_count, coalesce(sum(r.amount_cents), 0)::bigint as amount_cents,
     max(r.amount_cents) as largest_cents,
     count(*) filter (where r.is_repeated or r.address is not null and ${isRecent('r.address', '$4')} is not null)::integer
       as duplicates
   from (
     select address, amount_cents,
       address is not null and row_number() over (partition by ${foldAddress('address')} order by row_number) > 1 as is_repeated
     from batch_rows where organization_id = $1 and environment = $2 and batch_id = $3
   ) r`,
);

/** What is still to be placed. */
export const sumOpen = statement<OneBatch, { row_count: number; amount_cents: number }>(
  'batch_rows.sum_open',
  `select count(*)::integer as row_count, coalesce(sum(amount_cents), 0)::bigint as amount_cents from batch_rows
   where organization_id = $1 and environment = $2 and batch_id = $3 and order_id is null and error_code is null`,
);

/** Nothing is payable while a bank has taken money back. */
export const selectPayable = statement<Owner, { cents: number }>(
  'batches.select_payable',
  `select case when owed_cents > 0 then 0 else balance_cents end as cents from balances
   where organization_id = $1 and environment = $2`,
);

/** Changes a batch on behalf of a member, and adds the job that goes on with it. The transaction has locked it. */
export const queueBatch = statement<
  [
    ...OneBatch,
    state: 'running' | 'canceling',
    memberId: string,
    clientAddress: string,
    now: Date,
    reason: string | null,
    amountCents: number | null,
  ]
>(
  'batches.queue',
  `with queued as (
     update batches set state = $4, run = run + 1, member_id = $5, client_address = $6, changed_at = $7,
       started_at = coalesce(started_at, $7), ended_at = null, stop_code = null, stop_message = null, cancel_reason = $8,
       canceled_to = 0, amount_cents = coalesce($9, amount_cents)
     where organization_id = $1 and environment = $2 and batch_id = $3
     returning organization_id, environment, batch_id, run
   ), job as (
     ${insertBatchJobs('select * from queued')}
   )
   select batch_id from queued where organization_id = $1`,
);

export interface ResultRow {
  row_number: number;
  amount_cents: number;
  order_id: string | null;
  gift_id: string | null;
  /** Of the gift, or of the row that is not placed; null after 30 days and for a link. */
  address: string | null;
  method: 'email' | 'phone' | 'link' | null;
  recipient_name: string | null;
  category_id: string | null;
  delivery_state: 'pending' | 'delivered' | 'failed' | null;
  opened_at: Date | null;
  claimed_at: Date | null;
  canceled_at: Date | null;
  is_waiting: boolean | null;
  state: GiftHistoryState;
  is_kept: boolean;
  error_code: string | null;
  error_message: string | null;
}

const giftOfRow = (columns: string) => `lateral (
     select ${columns} from gifts where organization_id = $1 and environment = $2 and order_id = r.order_id
       and position = r.position limit 1
   ) g`;

/** Rows after a row, in order. `$6`: only those that were refused. */
export const listRows = statement<[...OneBatch, after: number, limit: number, onlyRefused: boolean], ResultRow>(
  'batch_rows.list',
  `select r.row_number, r.amount_cents, r.order_id, g.gift_id,
     coalesce(g.address, r.address) as address,
     coalesce(g.method::text, r.gift #>> '{delivery,method}') as method,
     coalesce(g.recipient_name, r.gift #>> '{personalization,recipient_name}') as recipient_name,
     coalesce(g.category_id, r.gift ->> 'category') as category_id,
     g.delivery_state, g.opened_at, g.claimed_at, g.canceled_at, g.is_waiting, ${stateColumns('g')}, r.error_code, r.error_message
   from batch_rows r
   left join ${giftOfRow('*')} on true
   where r.organization_id = $1 and r.environment = $2 and r.batch_id = $3 and r.row_number > $4
     and (not $6 or r.error_code is not null)
   order by r.row_number limit $5`,
);

/** The link gifts that were placed. */
export const selectLinkGifts = statement<OneBatch, { gift_id: string }>(
  'batch_rows.select_link_gifts',
  `select g.gift_id from batch_rows r cross join ${giftOfRow('gift_id, method')}
   where r.organization_id = $1 and r.environment = $2 and r.batch_id = $3 and g.method = 'link'`,
);

/** Whether an unclaimed link gift was placed; false while a job works on the batch, because its page asks every second. */
export const selectHasLinks = statement<OneBatch, { has_links: boolean }>(
  'batches.has_links',
  `select state in ('stopped', 'ended') and exists (
     select from batch_rows r cross join ${giftOfRow('method, claimed_at, canceled_at')}
     where r.organization_id = $1 and r.environment = $2 and r.batch_id = $3 and g.method = 'link'
       and g.claimed_at is null and g.canceled_at is null
   ) as has_links
   from batches where organization_id = $1 and environment = $2 and batch_id = $3`,
);
