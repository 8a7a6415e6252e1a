import { statementOnEachShard } from '../../platform/database/statement.ts';

interface WaitingRow {
  channel: 'email' | 'phone';
  waiting: number;
}

/**
 * Counts pending live messages per channel. Skips messages that a renewed link replaced, which are never sent.
 *
 * @param limit maximum count per channel
 */
export const countWaitingMessages = statementOnEachShard<[limit: number], WaitingRow>(
  'metrics.count_waiting_messages',
  'metrics count the work of every organization',
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
export const countJobsDue = statementOnEachShard<[queues: string[], now: Date, limit: number], JobsDueRow>(
  'metrics.count_jobs_due',
  'metrics count the work of every organization',
  `select q.queue, j.due, j.oldest_due_at
   from unnest($1::text[]) as q (queue),
     lateral (
       select count(*) as due, min(start_after) as oldest_due_at
       from (
         select start_after from pgboss.job where name = q.queue and state < 'active' and start_after <= $2 limit $3
       ) counted
     ) j`,
);

/** Finds the oldest message of each queue that is not sent, in the order of pg-boss's index. */
export const selectOldestMessages = statementOnEachShard<[queues: string[]], { queue: string; created_at: Date }>(
  'metrics.select_oldest_messages',
  'metrics count the work of every organization',
  `select q.queue, j.created_on as created_at
   from unnest($1::text[]) as q (queue),
     lateral (
       select created_on from pgboss.job where name = q.queue and state < 'active' and not blocked
       order by priority desc, created_on limit 1
     ) j`,
);

/** Reads one row per organization. */
export const sumLiveBalances = statementOnEachShard<[], { cents: number }>(
  'metrics.sum_live_balances',
  'metrics count the work of every organization',
  `select coalesce(sum(balance_cents), 0)::bigint as cents from balances where environment = 'live'`,
);

/** Entries checked per balance, highest ids first. */
const LATEST_ENTRIES = 20;

/**
 * Counts balances that match none of their latest entries. Checks several entries, because an order's id may be lower than
 * the id of an earlier funding: it is created before the order waits for the balance, or by another machine's clock.
 */
export const countUnexplainedBalances = statementOnEachShard<[limit: number], { count: number }>(
  'metrics.count_unexplained_balances',
  'metrics count the work of every organization',
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

export const countStuckOrders = statementOnEachShard<[dueBefore: Date, limit: number], { count: number }>(
  'metrics.count_stuck_orders',
  'metrics count the work of every organization',
  'select count(*) as count from (select from orders where completes_at < $1 limit $2) stuck',
);

/** Stocks and balances are found by the minute's work. */
export const countIssuerTroubles = statementOnEachShard<
  [begunBefore: Date],
  { claims: number; low_stocks: number; low_funds: number }
>(
  'metrics.count_issuer_troubles',
  'metrics count the work of every organization',
  `select (select count(*) from cards where state in ('claiming', 'inactive') and begun_at <= $1) as claims,
     (select count(*) from issuers where low_stock_warned_at is not null and removed_at is null) as low_stocks,
     (select count(*) from issuers where funding_warned_at is not null) as low_funds`,
);

/** Top-ups whose job or payment should have ended. A page that no one paid ends when it expires. */
export const countStuckTopups = statementOnEachShard<[createdBefore: Date, limit: number], { count: number }>(
  'metrics.count_stuck_topups',
  'metrics count the work of every organization',
  `select count(*) as count from (
     select from topups where state = 'pending' and kind <> 'checkout' and created_at < $1 limit $2
   ) stuck`,
);
