import { queues } from './tasks.ts';

/**
 * Text that inserts jobs in the statement and commit of the change that needs them, and on the shard of the
 * statement's organization. pg-boss documents inserts into its table; like its own `insert`, this takes the queue's
 * settings. A missing queue is an error, because the join then leaves columns null that must not be null.
 *
 * @param source query of `queue text`, `data jsonb`, `delay interval`; the delay is on PostgreSQL's clock, because a
 *   server's clock may be wrong
 */
export const insertJobs = (source: string) =>
  `insert into pgboss.job (name, data, start_after, created_on, keep_until, expire_seconds, deletion_seconds, retry_limit,
      retry_delay, retry_backoff, retry_delay_max, heartbeat_seconds, policy, dead_letter)
    select j.queue, j.data, pgboss.job_now() + j.delay, pgboss.job_now(),
      pgboss.job_now() + j.delay + q.retention_seconds * interval '1 second', q.expire_seconds, q.deletion_seconds,
      q.retry_limit, q.retry_delay, q.retry_backoff, q.retry_delay_max, q.heartbeat_seconds, q.policy, q.dead_letter
    from (${source}) j left join pgboss.queue q on q.name = j.queue`;

/**
 * Adds a job for each message of live gifts; the sandbox sends none.
 *
 * @param source query of `organization_id`, `environment`, `gift_id`, `delivery_id` (null: no message), `channel`
 *   (`email` or `phone`) and `traceparent text` (may be null)
 * @param delay expression on its row `m`
 */
export const insertMessageJobs = (source: string, delay = "interval '0'") =>
  insertJobs(`select case m.channel::text when 'email' then '${queues.email.name}' else '${queues.phone.name}' end as queue,
        jsonb_strip_nulls(jsonb_build_object('organizationId', m.organization_id, 'environment', m.environment,
          'giftId', m.gift_id, 'deliveryId', m.delivery_id, 'channel', m.channel, 'traceparent', m.traceparent)) as data,
        ${delay} as delay
      from (${source}) m where m.environment = 'live' and m.delivery_id is not null`);

/**
 * Adds a job that completes each order in time.
 *
 * @param source query of `organization_id`, `environment`, `order_id`, `delay interval` and `traceparent text`
 */
export const insertCompletionJobs = (source: string) =>
  insertJobs(`select '${queues.completeOrder.name}' as queue,
        jsonb_strip_nulls(jsonb_build_object('organizationId', o.organization_id, 'environment', o.environment,
          'orderId', o.order_id, 'traceparent', o.traceparent)) as data, o.delay
      from (${source}) o`);

/** The recipient's request goes first. */
const CLAIM_DELAY = "interval '10 seconds'";

/** Adds a job that finishes a claim. @param source query of `organization_id`, `environment`, `gift_id` and `traceparent text` */
export const insertClaimJobs = (source: string) =>
  insertJobs(`select '${queues.claim.name}' as queue,
        jsonb_strip_nulls(jsonb_build_object('organizationId', c.organization_id, 'environment', c.environment,
          'giftId', c.gift_id, 'traceparent', c.traceparent)) as data, ${CLAIM_DELAY} as delay
      from (${source}) c`);

/** @param source query of `organization_id`, `issuer_id`, `event_id` and `traceparent text` */
export const insertIssuerEventJobs = (source: string) =>
  insertJobs(`select '${queues.issuerEvent.name}' as queue,
        jsonb_strip_nulls(jsonb_build_object('organizationId', e.organization_id, 'issuerId', e.issuer_id,
          'eventId', e.event_id, 'traceparent', e.traceparent)) as data, interval '0' as delay
      from (${source}) e`);

/** @param source query of `organization_id` (null for a sign-in code), `notice_id` and `traceparent text` */
export const insertNoticeJobs = (source: string, queue: string = queues.notice.name) =>
  insertJobs(`select '${queue}' as queue,
        jsonb_strip_nulls(jsonb_build_object('organizationId', n.organization_id, 'noticeId', n.notice_id,
          'traceparent', n.traceparent)) as data, interval '0' as delay
      from (${source}) n`);

/** @param source query of `organization_id`, `environment`, `batch_id` and `run` */
export const insertBatchJobs = (source: string) =>
  insertJobs(`select case b.environment when 'live' then '${queues.batch.name}' else '${queues.sandboxBatch.name}' end as queue,
        jsonb_build_object('organizationId', b.organization_id, 'environment', b.environment,
          'batchId', b.batch_id, 'run', b.run) as data, interval '0' as delay
      from (${source}) b`);
