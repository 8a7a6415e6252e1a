import type { Environment } from '../../platform/base/environment.ts';
import { foldAddress } from '../../platform/database/folding.ts';
import { statement } from '../../platform/database/statement.ts';

/** `address`: lower-case. */
type Recipient = [organizationId: string, address: string];

interface HeldRow {
  environment: Environment;
  batch_id: string;
  row_number: number;
}

/** Locks the batches with rows of an address, in the order of their ids, so that no job places one of them. */
export const lockBatchesOf = statement<Recipient, { batch_id: string }>(
  'batches.lock_of_recipient',
  `select b.batch_id from batches b
   where b.organization_id = $1 and (b.environment, b.batch_id) in (
     select environment, batch_id from batch_rows where organization_id = $1 and ${foldAddress('address')} = $2)
   order by b.environment, b.batch_id
   for no key update of b`,
);

export const selectRowsOf = statement<Recipient, HeldRow>(
  'batch_rows.select_of_recipient',
  `select environment, batch_id, row_number from batch_rows where organization_id = $1 and ${foldAddress('address')} = $2
   order by environment, batch_id, row_number`,
);

/**
 * Erases rows. A row whose order was placed, which a crash kept from being noted, stays open: its order is noted later. The
 * others are refused.
 *
 * @param input.keys of the rows' orders
 */
export const eraseRows = statement<
  [
    organizationId: string,
    environments: readonly Environment[],
    batchIds: readonly string[],
    rowNumbers: readonly number[],
    keys: readonly string[],
    reason: string,
  ],
  { rows: number }
>(
  'batch_rows.erase',
  `with row as materialized (
     select r.environment, r.batch_id, r.row_number, r.error_code is null as was_open, exists (
       select from orders o where o.organization_id = $1 and o.environment = r.environment and o.idempotency_key = r.key
     ) as is_placed
     from unnest($2::environment[], $3::uuid[], $4::smallint[], $5::text[]) as f (environment, batch_id, row_number, key)
     join lateral (
       select b.*, f.key from batch_rows b where b.organization_id = $1 and b.environment = f.environment
         and b.batch_id = f.batch_id and b.row_number = f.row_number
     ) r on true
   ), erased as (
     update batch_rows r set gift = null, address = null,
       error_code = coalesce(r.error_code, case when not f.is_placed then 'erased' end),
       error_message = coalesce(r.error_message, case when not f.is_placed then $6 end)
     from row f
     where r.organization_id = $1 and r.environment = f.environment and r.batch_id = f.batch_id
       and r.row_number = f.row_number
     returning r.environment, r.batch_id, f.was_open and not f.is_placed as is_refused
   ), counted as (
     update batches b set refused_count = refused_count + e.refused
     from (select environment, batch_id, count(*) as refused from erased where is_refused group by 1, 2) e
     where b.organization_id = $1 and b.environment = e.environment and b.batch_id = e.batch_id
   )
   select count(*)::integer as rows from erased`,
);

/** What batches hold of an address and is not in a gift yet. */
export const selectHeldRows = statement<Recipient, { environment: Environment; gift: object; created_at: Date }>(
  'batch_rows.select_held',
  `select r.environment, r.gift, b.created_at from batch_rows r
   join batches b on b.organization_id = $1 and b.environment = r.environment and b.batch_id = r.batch_id
   where r.organization_id = $1 and ${foldAddress('r.address')} = $2
   order by r.environment, r.batch_id, r.row_number`,
);
