import type { Environment } from '../base/environment.ts';

interface Traced {
  /** W3C `traceparent` of the request that added the job, if tracing is on. */
  traceparent?: string | undefined;
}

/** Completes a `processing` order. The ids are UUIDs. */
export interface CompleteOrderJob extends Traced {
  organizationId: string;
  environment: Environment;
  orderId: string;
}

/** Sends the message of one delivery. */
export interface SendMessageJob extends Traced {
  organizationId: string;
  environment: Environment;
  giftId: string;
  deliveryId: string;
  channel: 'email' | 'phone';
}

/** Sends a notice to a member. The ids are UUIDs. */
export interface SendNoticeJob extends Traced {
  organizationId: string;
  noticeId: string;
}

/** One task per queue. Every task is safe to repeat; a task that throws is retried. */
export interface Tasks {
  completeOrder(job: CompleteOrderJob): Promise<void>;
  sendMessage(job: SendMessageJob): Promise<void>;
  sendNotice(job: SendNoticeJob): Promise<void>;
  /** Runs in one process at a time. After a failure, the next minute runs it again. */
  everyMinute(): Promise<void>;
}

export interface QueueSettings {
  name: string;
  /** Jobs per batch; a batch ends with its slowest job. */
  batchSize: number;
  /** Concurrent batches per process, so that a slow job delays only its batch. */
  batches: number;
  retryDelaySeconds: number;
  longestRetryDelaySeconds: number;
  /** After so long, another process takes the job over. */
  expireInSeconds: number;
  /** Schedule in UTC; at most one job exists, and it is not retried. */
  cron?: string;
}

/** Failed jobs are retried with growing delays without a practical limit: the task decides when to give up. */
export const queues = {
  completeOrder: {
    name: 'complete-order',
    batchSize: 20,
    batches: 1,
    retryDelaySeconds: 1,
    longestRetryDelaySeconds: 60,
    expireInSeconds: 60,
  },
  email: {
    name: 'send-email',
    batchSize: 15,
    // More than the connections per mail domain (smtp-channel.ts). 20,000 emails took 226 MB at 470/s (`npm run bench --
    // drain`, two busy cores); twice as many batches took 300 MB.
    batches: 12,
    retryDelaySeconds: 2,
    longestRetryDelaySeconds: 3_600,
    expireInSeconds: 300,
  },
  phone: {
    name: 'send-phone',
    batchSize: 5,
    // Others continue while 20 messages time out after 20 s each (`npm run faults -- --only sms-time-out`).
    batches: 12,
    retryDelaySeconds: 2,
    longestRetryDelaySeconds: 3_600,
    expireInSeconds: 300,
  },
  // Separate, so that a sign-in code does not wait for 20,000 gift emails.
  notice: {
    name: 'send-notice',
    batchSize: 10,
    batches: 2,
    retryDelaySeconds: 2,
    longestRetryDelaySeconds: 3_600,
    expireInSeconds: 300,
  },
  everyMinute: {
    name: 'every-minute',
    batchSize: 1,
    batches: 1,
    retryDelaySeconds: 1,
    longestRetryDelaySeconds: 60,
    expireInSeconds: 300,
    cron: '* * * * *',
  },
} as const satisfies Record<string, QueueSettings>;

export type QueueName = keyof typeof queues;
