import type { Environment } from '../base/environment.ts';
import type { Channels } from '../messaging/channel.ts';

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

/** Finishes the claim of a gift whose card is made by a call to the outside. */
export interface FinishClaimJob extends Traced {
  organizationId: string;
  environment: Environment;
  giftId: string;
}

/** Records the facts of an issuer's webhook event. The organization and the issuer are UUIDs. */
export interface IssuerEventJob extends Traced {
  organizationId: string;
  issuerId: string;
  eventId: string;
}

/** Of a message that a server has perhaps taken. */
interface Repeated {
  /** How many tries ended with the whole message handed over and no answer. */
  handedOver?: number | undefined;
}

/** Sends the message of one delivery. */
export interface SendMessageJob extends Traced, Repeated {
  organizationId: string;
  environment: Environment;
  giftId: string;
  deliveryId: string;
  channel: 'email' | 'phone';
}

/** Sends a notice to a member, or a sign-in code, which has no organization. The ids are UUIDs. */
export interface SendNoticeJob extends Traced, Repeated {
  organizationId?: string | undefined;
  noticeId: string;
}

/** Works on a provider's event (`provider-events/`). */
export interface ProviderEventJob extends Traced {
  provider: string;
  eventId: string;
}

/** Charges or finishes a top-up. The ids are UUIDs. */
export interface TopupJob extends Traced {
  organizationId: string;
  /** Absent: a debit took the balance below its threshold (`queue_automatic_topup()` in the database). */
  topupId?: string | undefined;
}

/** Places or cancels the orders of a batch. The ids are UUIDs. */
export interface BatchJob extends Traced {
  organizationId: string;
  environment: Environment;
  batchId: string;
  /** Only the batch's latest job works. */
  run: number;
}

/** One task per queue. Every task is safe to repeat; a task that throws is retried. */
export interface Tasks {
  completeOrder(job: CompleteOrderJob): Promise<void>;
  finishClaim(job: FinishClaimJob): Promise<void>;
  recordIssuerEvent(job: IssuerEventJob): Promise<void>;
  sendMessage(job: SendMessageJob): Promise<void>;
  sendNotice(job: SendNoticeJob): Promise<void>;
  providerEvent(job: ProviderEventJob): Promise<void>;
  topup(job: TopupJob): Promise<void>;
  batch(job: BatchJob): Promise<void>;
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

/** Large batches take turns after each job. Each environment has its queue, so that its processes alone work on it. */
const BATCH = {
  batchSize: 1,
  batches: 2,
  retryDelaySeconds: 1,
  longestRetryDelaySeconds: 30,
  expireInSeconds: 120,
} as const;

/** What waits for a mail server or Twilio goes out so soon after its recovery. */
const LONGEST_WAIT_SECONDS = 240;

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
  claim: {
    name: 'finish-claim',
    batchSize: 5,
    // A batch ends with its slowest call.
    batches: 4,
    retryDelaySeconds: 1,
    longestRetryDelaySeconds: 30,
    expireInSeconds: 60,
  },
  issuerEvent: {
    name: 'issuer-event',
    batchSize: 10,
    batches: 4,
    retryDelaySeconds: 1,
    longestRetryDelaySeconds: 3_600,
    expireInSeconds: 120,
  },
  email: {
    name: 'send-email',
    batchSize: 15,
    // More than the connections per mail domain (smtp-channel.ts). 20,000 emails took 226 MB at 470/s on two busy cores;
    // twice as many batches took 300 MB.
    batches: 12,
    retryDelaySeconds: 2,
    longestRetryDelaySeconds: LONGEST_WAIT_SECONDS,
    expireInSeconds: 300,
  },
  phone: {
    name: 'send-phone',
    batchSize: 5,
    // Others continue while 20 messages time out after 20 s each (`npm run faults -- --only sms-time-out`).
    batches: 12,
    retryDelaySeconds: 2,
    longestRetryDelaySeconds: LONGEST_WAIT_SECONDS,
    expireInSeconds: 300,
  },
  // Separate, so that a notice does not wait for 20,000 gift emails.
  notice: {
    name: 'send-notice',
    batchSize: 10,
    batches: 2,
    retryDelaySeconds: 2,
    longestRetryDelaySeconds: LONGEST_WAIT_SECONDS,
    expireInSeconds: 300,
  },
  // In the database of people.
  code: {
    name: 'send-code',
    batchSize: 10,
    batches: 2,
    retryDelaySeconds: 2,
    longestRetryDelaySeconds: 60,
    expireInSeconds: 300,
  },
  // In the database of people.
  providerEvent: {
    name: 'provider-event',
    batchSize: 10,
    batches: 2,
    retryDelaySeconds: 2,
    longestRetryDelaySeconds: 3_600,
    expireInSeconds: 300,
  },
  topup: {
    name: 'topup',
    batchSize: 5,
    batches: 1,
    retryDelaySeconds: 2,
    longestRetryDelaySeconds: 3_600,
    expireInSeconds: 300,
  },
  batch: { name: 'batch', ...BATCH },
  sandboxBatch: { name: 'batch-sandbox', ...BATCH },
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

/** The queues of the database of people. */
export const homeQueues: readonly QueueName[] = ['code', 'providerEvent', 'everyMinute'];

/**
 * The queues that this process can work on; messages of channels without a provider wait. Only live gifts are sent, and only
 * orders of the sandbox are completed later. Notices are about people and organizations, which have no environment.
 */
export function queuesOf(
  channels: Channels,
  environments: readonly Environment[] = ['live', 'sandbox'],
  hasProviders = false,
): QueueName[] {
  const isOpen = (channel: keyof Channels) => channels[channel] !== undefined;
  const live: QueueName[] = environments.includes('live')
    ? [...(['email', 'phone'] as const).filter(isOpen), 'claim', 'issuerEvent', 'batch']
    : [];
  const sandbox = environments.includes('sandbox') ? (['completeOrder', 'sandboxBatch'] as const) : [];
  const notices = isOpen('notice') ? (['notice', 'code'] as const) : [];
  const topups = hasProviders && environments.includes('live') ? (['providerEvent', 'topup'] as const) : [];
  return [...sandbox, ...live, ...notices, ...topups, 'everyMinute'];
}
