import type { GiftInputBody } from '../../core/gifts/gift/schema.ts';
import { statement } from '../../platform/database/statement.ts';
import { insertBatchJobs } from '../../platform/jobs/insert-jobs.ts';
import type { OneBatch, Owner } from './queries.ts';

// The statements of a batch's job. Each is safe to repeat.

export interface WorkRow {
  state: 'running' | 'canceling';
  member_id: string;
  email: string;
  client_address: string;
  /** Null of batches that a release before began. */
  sender_member_id: string | null;
  cancel_reason: string | null;
}

/** Locks the batch for its latest job, until the transaction ends. No row: nothing is left to do. */
export const lockForWork = statement<[...OneBatch, run: number], WorkRow>(
  'batches.lock_for_work',
  `select b.state, b.member_id, b.client_address, b.sender_member_id, b.cancel_reason,
     (select m.email from members m where m.organization_id = $1 and m.member_id = b.member_id) as email
   from batches b
   where b.organization_id = $1 and b.environment = $2 and b.batch_id = $3 and b.run = $4
     and b.state in ('running', 'canceling')
   for no key update of b`,
);

export interface OpenRow {
  row_number: number;
  /** Null: its recipient was erased after the order was placed, and before that was noted. */
  gift: GiftInputBody | null;
}

/** The rows of the next order: those of the first ten that has an open row. */
export const selectNext = statement<OneBatch, OpenRow>(
  'batch_rows.select_next',
  `select r.row_number, r.gift from batch_rows r
   where r.organization_id = $1 and r.environment = $2 and r.batch_id = $3 and r.order_id is null and r.error_code is null
     and r.row_number <= 10 + (
       select (f.row_number - 1) / 10 * 10 from batch_rows f
       where f.organization_id = $1 and f.environment = $2 and f.batch_id = $3 and f.order_id is null and f.error_code is null
       order by f.row_number limit 1
     )
   order by r.row_number`,
);

/** The order of an idempotency key, if a member placed it. */
export const selectPlacedOrder = statement<[...Owner, idempotencyKey: string], { order_id: string }>(
  'batches.select_placed_order',
  `select order_id from orders
   where organization_id = $1 and environment = $2 and idempotency_key = $3 and key_id is null`,
);

/** Notes the order of rows, in which their gifts have these positions. What the gifts have is deleted here. */
export const setPlaced = statement<[...OneBatch, orderId: string, rowNumbers: readonly number[]]>(
  'batch_rows.set_placed',
  `with placed as (
     update batch_rows r set order_id = $4, position = p.n - 1, gift = null, address = null
     from unnest($5::smallint[]) with ordinality as p (row_number, n)
     where r.organization_id = $1 and r.environment = $2 and r.batch_id = $3 and r.row_number = p.row_number
       and r.order_id is null
     returning 1
   )
   update batches set placed_count = placed_count + (select count(*) from placed)
   where organization_id = $1 and environment = $2 and batch_id = $3`,
);

/** Notes an error on the rows that are open, or on one of them. */
export const setRefused = statement<[...OneBatch, rowNumber: number | null, code: string, message: string]>(
  'batch_rows.set_refused',
  `with refused as (
     update batch_rows set error_code = $5, error_message = $6
     where organization_id = $1 and environment = $2 and batch_id = $3 and order_id is null and error_code is null
       and ($4::smallint is null or row_number = $4)
     returning 1
   )
   update batches set refused_count = refused_count + (select count(*) from refused)
   where organization_id = $1 and environment = $2 and batch_id = $3`,
);

export const setStopped = statement<[...OneBatch, code: string, message: string, now: Date]>(
  'batches.set_stopped',
  `update batches set state = 'stopped', stop_code = $4, stop_message = $5, changed_at = $6
   where organization_id = $1 and environment = $2 and batch_id = $3`,
);

export const setEnded = statement<[...OneBatch, now: Date]>(
  'batches.set_ended',
  `update batches set state = 'ended', ended_at = $4, changed_at = $4
   where organization_id = $1 and environment = $2 and batch_id = $3`,
);

/** Adds the job that goes on. An earlier job that is repeated does nothing. */
export const continueBatch = statement<[...OneBatch, run: number]>(
  'batches.continue',
  `with queued as (
     update batches set run = run + 1
     where organization_id = $1 and environment = $2 and batch_id = $3 and run = $4 and state in ('running', 'canceling')
     returning organization_id, environment, batch_id, run
   ), job as (
     ${insertBatchJobs('select * from queued')}
   )
   select batch_id from queued where organization_id = $1`,
);

/** The next order to cancel, and its last row. */
export const selectNextToCancel = statement<OneBatch, { order_id: string; row_number: number }>(
  'batch_rows.select_next_to_cancel',
  `select r.order_id, max(r.row_number) as row_number from batch_rows r
   join batches b on b.organization_id = $1 and b.environment = $2 and b.batch_id = $3
   where r.organization_id = $1 and r.environment = $2 and r.batch_id = $3 and r.order_id is not null
     and r.row_number > b.canceled_to and r.row_number <= 10 + (
       select (f.row_number - 1) / 10 * 10 from batch_rows f
       where f.organization_id = $1 and f.environment = $2 and f.batch_id = $3 and f.order_id is not null
         and f.row_number > b.canceled_to
       order by f.row_number limit 1
     )
   group by r.order_id`,
);

export const setCanceledTo = statement<[...OneBatch, run: number, rowNumber: number]>(
  'batches.set_canceled_to',
  `update batches set canceled_to = $5
   where organization_id = $1 and environment = $2 and batch_id = $3 and run = $4 and state = 'canceling'`,
);
