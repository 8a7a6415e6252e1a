import { statement } from '../database/statement.ts';

interface WaitingRow {
  channel: 'email' | 'phone';
  waiting: number;
}

/**
 * Counts pending live messages per channel. Skips messages that a renewed link replaced, which are never sent.
 *
 * @param limit maximum count per channel
 */
export const countWaitingMessages = statement<[limit: number], WaitingRow>(
  'metrics.count_waiting_messages',
  `select c.channel, w.waiting
   from unnest(enum_range(null::delivery_channel)) as c (channel),
     lateral (
       select count(*) as waiting
       from (
         select from deliveries d
         cross join lateral (
           select from gifts g
           where g.organization_id = d.organization_id and g.environment = d.environment and g.gift_id = d.gift_id
             and g.delivery_id = d.delivery_id
           limit 1
         ) latest
         where d.environment = 'live' and d.state = 'pending' and d.channel = c.channel
         limit $1
       ) counted
     ) w`,
);

interface JobsDueRow {
  queue: string;
  due: number;
  /** Null if no job is due. */
  oldest_due_at: Date | null;
}

/** Counts due, idle jobs per queue in pg-boss's table. */
export const countJobsDue = statement<[queues: string[], now: Date, limit: number], JobsDueRow>(
  'metrics.count_jobs_due',
  `select q.queue, j.due, j.oldest_due_at
   from unnest($1::text[]) as q (queue),
     lateral (
       select count(*) as due, min(start_after) as oldest_due_at
       from (
         select start_after from pgboss.job where name = q.queue and state < 'active' and start_after <= $2 limit $3
       ) counted
     ) j`,
);

/** Entries checked per balance, highest ids first. */
const LATEST_ENTRIES = 20;

/**
 * Counts balances that match none of their latest entries. Checks several entries, because an order's id may be lower than
 * the id of an earlier funding: it is created before the order waits for the balance, or by another machine's clock.
 */
export const countUnexplainedBalances = statement<[limit: number], { count: number }>(
  'metrics.count_unexplained_balances',
  `select count(*) as count
   from (select organization_id, environment, balance_cents from balances limit $1) b
   left join lateral (
     select balance_after_cents from ledger_entries e
     where e.organization_id = b.organization_id and e.environment = b.environment
     order by entry_id desc limit 1
   ) latest on true
   where b.balance_cents <> coalesce(latest.balance_after_cents, 0)
     and b.balance_cents <> all (
       select balance_after_cents from ledger_entries e
       where e.organization_id = b.organization_id and e.environment = b.environment
       order by entry_id desc limit ${LATEST_ENTRIES}
     )`,
);

export const countStuckOrders = statement<[dueBefore: Date, limit: number], { count: number }>(
  'metrics.count_stuck_orders',
  'select count(*) as count from (select from orders where completes_at < $1 limit $2) stuck',
);
