import { bookCheck } from './book-check-queries.ts';

/** Finds canceled gifts without exactly one refund of their amount, and refunds without a canceled gift. */
export const wrongRefunds = bookCheck(
  'ledger.select_wrong_refunds',
  `select organization_id, environment, gift_id as subject_id,
     coalesce('one refund of ' || g.amount_cents, 'no refund, for there is no such canceled gift') as expected,
     coalesce(r.count, 0) || ' of ' || coalesce(r.refunded_cents, 0) as found, count(*) over () as total
   from (
     select organization_id, environment, gift_id, amount_cents from gifts where canceled_at is not null and claimed_at is null
   ) g
   full join (
     select organization_id, environment, gift_id, count(*) as count, sum(amount_cents) as refunded_cents
     from ledger_entries where kind = 'refund'
     group by organization_id, environment, gift_id
   ) r using (organization_id, environment, gift_id)
   where r.count is distinct from 1 or r.refunded_cents is distinct from g.amount_cents
   order by organization_id, environment, gift_id limit $1`,
);
