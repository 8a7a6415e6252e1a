import { statementOfNone } from '../database/statement.ts';
import { insertJobs } from './insert-jobs.ts';

export const selectQueues = statementOfNone<[names: readonly string[]], { name: string; version: number }>(
  'jobs.select_queues',
  'select q.name, v.version from pgboss.queue q cross join pgboss.version v where q.name = any($1)',
);

/** For the emulator, whose clock tests move. */
export const bringForward = statementOfNone<[ms: number]>(
  'jobs.bring_forward',
  `update pgboss.job set start_after = start_after - $1::double precision * interval '1 millisecond' where state < 'active'`,
);

export const addLater = statementOfNone<[queue: string, data: string, delaySeconds: number]>(
  'jobs.add_later',
  insertJobs(`select $1::text as queue, $2::jsonb as data, $3::double precision * interval '1 second' as delay`),
);

/** Makes the jobs of these queues due now whose last try failed, or handed a message over without an answer. */
export const retryNow = statementOfNone<[queues: readonly string[]], { jobs: number }>(
  'jobs.retry_now',
  `with retried as (
     update pgboss.job set start_after = pgboss.job_now()
     where name = any($1) and (state = 'retry' or state = 'created' and data ? 'handedOver')
     returning 1
   )
   select count(*) as jobs from retried`,
);

/** The time of jobs is that of the transaction which adds them. */
export const selectAndDeleteNew = statementOfNone<
  [organizationId: string, names: readonly string[]],
  { name: string; data: unknown }
>(
  'jobs.take_new',
  `with taken as (
     delete from pgboss.job
     where data ->> 'organizationId' = $1 and name = any($2) and state = 'created' and created_on >= pgboss.job_now()
     returning name, data
   )
   select name, data from taken order by name, data ->> 'deliveryId', data ->> 'noticeId'`,
);
