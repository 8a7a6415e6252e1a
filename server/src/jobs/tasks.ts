import type { Environment } from '../base/environment.ts';

/** What every job may say of the request that it was added for. */
interface Traced {
  /** W3C `traceparent`; only where requests are followed. */
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

/** Sends a mail to one of an organization's people. The ids are UUIDs. */
export interface SendNoticeJob extends Traced {
  organizationId: string;
  noticeId: string;
}

/** What the worker can do: a task a queue, each safe to repeat. A task that throws is tried again later. */
export interface Tasks {
  completeOrder(job: CompleteOrderJob): Promise<void>;
  sendMessage(job: SendMessageJob): Promise<void>;
  sendNotice(job: SendNoticeJob): Promise<void>;
  /** In one of all processes at a time. Where it fails, the next minute does it again. */
  everyMinute(): Promise<void>;
}

export interface QueueSettings {
  name: string;
  /** Jobs taken from the queue at a time; the batch is over when its slowest job is. */
  batchSize: number;
  /** Batches that each process works on at the same time, so that a slow job holds up its own batch only. */
  batches: number;
  retryDelaySeconds: number;
  longestRetryDelaySeconds: number;
  /** Seconds without a sign of life after which another process takes the job over. */
  expireInSeconds: number;
  /** When a job comes by itself, in UTC; at most one waits or is worked on, and it is not tried again. */
  cron?: string;
}

/** A job that fails is tried again with growing delays, as good as for ever: its task decides when to give up. */
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
    // More than the connections that one mail domain may have (smtp-channel.ts). 20,000 emails went out at 470 a second
    // with 226 MB (`npm run bench -- drain`, two busy cores); twice as many at a time took 300 MB.
    batches: 12,
    retryDelaySeconds: 2,
    longestRetryDelaySeconds: 3_600,
    expireInSeconds: 300,
  },
  phone: {
    name: 'send-phone',
    batchSize: 5,
    // One provider for all: while it leaves twenty texts without an answer, each for twenty seconds, others go on beside
    // them (`npm run faults -- --only sms-time-out`).
    batches: 12,
    retryDelaySeconds: 2,
    longestRetryDelaySeconds: 3_600,
    expireInSeconds: 300,
  },
  // Apart from the gifts' emails, so that whoever waits for a sign-in code does not wait for 20,000 of those.
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
