import { workOnBatch } from '../../capabilities/gift-batches/work-on-batch.ts';
import { warnOfFailures } from '../../capabilities/webhooks/warn-of-failures.ts';
import { createAcceptedMessages } from '../../core/delivery/accepted-messages.ts';
import { sendMessage } from '../../core/delivery/send-message.ts';
import { announceExpiry } from '../../core/gifts/cancel/announce-expiry.ts';
import { expireGifts } from '../../core/gifts/cancel/expire-gifts.ts';
import { sendDueGifts } from '../../core/gifts/schedule/send-waiting.ts';
import { sendNotice } from '../../core/notices/send-notice.ts';
import { type TakenJob, takeJobs } from '../../platform/jobs/take-jobs.ts';
import type { BatchJob, QueueName, SendMessageJob, SendNoticeJob } from '../../platform/jobs/tasks.ts';
import { outboxChannel } from '../../platform/messaging/outbox-channel.ts';
import type { Month } from './month.ts';

/** Everything but the completion of an order of the sandbox, which sends nothing. */
const TAKEN: readonly QueueName[] = ['email', 'phone', 'notice', 'batch', 'sandboxBatch', 'topup'];
/** A batch adds jobs, and these add messages. */
const MOST_ROUNDS = 20;

const channels = { email: outboxChannel, phone: outboxChannel, notice: outboxChannel };

/** Does the work of a worker that has the outbox for all messages, so that none of the month's jobs is left for another. */
export async function workOff(month: Month): Promise<void> {
  const { deps, organizationId } = month;
  for (let round = 0; round < MOST_ROUNDS; round += 1) {
    const jobs = await takeJobs(deps.database.pool, organizationId, TAKEN);
    if (jobs.length === 0) return;
    for (const job of jobs) await perform(month, job);
  }
  throw new Error('The work of the month does not end.');
}

async function perform({ deps, deliveries }: Month, { queue, data }: TakenJob): Promise<void> {
  if (queue === 'email' || queue === 'phone') {
    const job = data as SendMessageJob;
    const accepted = createAcceptedMessages(deps);
    await sendMessage({ ...deps, accepted, countMessage: () => () => undefined }, channels, job);
    deliveries.set(job.giftId, job.deliveryId);
  } else if (queue === 'notice') await sendNotice(deps, channels, data as SendNoticeJob, async () => false);
  else if (queue !== 'topup') await workOnBatch(deps, data as BatchJob);
}

/** Does what a worker does every minute and the month needs. */
export async function workOfMinute({ deps }: Month): Promise<void> {
  await sendDueGifts(deps);
  await announceExpiry(deps);
  await expireGifts(deps);
  await warnOfFailures(deps);
}
