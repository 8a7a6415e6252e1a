import { statementOnEachShard } from '../../platform/database/statement.ts';

const DAILY = 'old rows of every organization are deleted';

export const deleteOldDrafts = statementOnEachShard<[before: Date, askedBefore: Date]>(
  'batches.delete_old_drafts',
  DAILY,
  `delete from batches where state = 'draft' and changed_at < case when asked_at is null then $1::timestamptz else $2 end`,
);

/** Ends batches that stopped long ago. */
export const endOldBatches = statementOnEachShard<[before: Date, now: Date, reason: string]>(
  'batches.end_old',
  DAILY,
  `with ended as (
     update batches b set state = 'ended', ended_at = $2, stop_code = null, stop_message = null,
       refused_count = row_count - placed_count
     where b.state = 'stopped' and b.changed_at < $1
     returning b.organization_id, b.environment, b.batch_id
   )
   update batch_rows r set error_code = 'not_placed', error_message = $3, gift = null, address = null
   from ended e
   where r.organization_id = e.organization_id and r.environment = e.environment and r.batch_id = e.batch_id
     and r.order_id is null and r.error_code is null`,
);

/** Deletes what the refused rows of old batches have of people. */
export const eraseOldRows = statementOnEachShard<[before: Date]>(
  'batch_rows.erase_old',
  DAILY,
  `update batch_rows r set gift = null, address = null
   from batches b
   where b.state = 'ended' and b.changed_at < $1 and b.placed_count < b.row_count
     and r.organization_id = b.organization_id and r.environment = b.environment and r.batch_id = b.batch_id
     and r.gift is not null`,
);
