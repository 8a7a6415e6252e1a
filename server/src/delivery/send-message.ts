import type { Deps } from '../deps.ts';
import type { SendMessageJob } from '../jobs/tasks.ts';
import type { Channels, SendResult } from '../messaging/channel.ts';
import { plainReason, SendFailure } from '../messaging/send-failure.ts';
import type { AcceptedMessages } from './accepted-messages.ts';
import { composeMessage } from './compose-message.ts';
import type { CountMessage } from './message-caps.ts';
import * as queries from './queries.ts';

type SendDeps = Pick<Deps, 'clock' | 'config' | 'database' | 'links' | 'meter' | 'publicUrl'> & {
  accepted: AcceptedMessages;
  countMessage: CountMessage;
};

/** How long a message is tried before its delivery has failed. */
const TRY_FOR_MS = 86_400_000;
/**
 * A message that nobody tried for a day (there were no settings, or no worker) is not given up at its first try. With the
 * queue's delays, twenty tries take about ten hours.
 */
const LEAST_TRIES = 20;
const REPLACED = 'A later message replaced it.';

/** Whether a try that failed was the last one. */
export const isGivenUp = ({ created_at, tries }: { created_at: Date; tries: number }, nowMs: number) =>
  nowMs - created_at.getTime() >= TRY_FOR_MS && tries + 1 >= LEAST_TRIES;

/**
 * Sends the message of a delivery, outside any transaction, and records what came of it. A worker killed between the two
 * sends the same message again under the same reference; one that was frozen meanwhile records nothing, because the
 * delivery is not pending any more. Nothing is sent for a gift that was deleted, redirected, opened or settled meanwhile.
 *
 * @throws SendFailure where trying again later may help
 */
export async function sendMessage(deps: SendDeps, channels: Channels, job: SendMessageJob): Promise<void> {
  const one = [job.organizationId, job.environment, job.giftId, job.deliveryId] as const;
  const [row] = await queries.selectMessage(deps.database.read, [...one]);
  const channel = channels[job.channel];
  if (row?.state !== 'pending' || channel === undefined) return;
  if (!row.is_latest) {
    // Here and not where it is replaced: a worker may be sending it at that moment, and what it accepts counts.
    await queries.recordFailed(deps.database.pool, [...one, REPLACED, new Date(deps.clock.now())]);
    return;
  }
  let takeOutOfCount = () => {};
  let result: SendResult;
  try {
    const message = composeMessage(deps, row);
    takeOutOfCount = deps.countMessage(row);
    result = await channel.send(message);
  } catch (error) {
    if (error instanceof SendFailure && error.outcome === 'unsent') takeOutOfCount();
    const reason = error instanceof SendFailure ? error.message : plainReason(String(error), row.address);
    const now = new Date(deps.clock.now());
    if (!isGivenUp(row, now.getTime())) {
      deps.meter.delivery(job.channel, 'tried_again');
      await queries.recordTry(deps.database.pool, [...one, reason]);
      throw error;
    }
    deps.meter.delivery(job.channel, 'given_up');
    await queries.recordFailed(deps.database.pool, [...one, `Given up after a day: ${reason}`, now]);
    return;
  }
  deps.meter.delivery(job.channel, result.outcome);
  const now = new Date(deps.clock.now());
  if (result.outcome === 'refused') {
    takeOutOfCount();
    await queries.recordFailed(deps.database.pool, [...one, result.reason, now]);
  } else
    await deps.accepted.record({
      organization_id: job.organizationId,
      environment: job.environment,
      gift_id: job.giftId,
      delivery_id: job.deliveryId,
      provider: channel.name,
      provider_id: result.providerId ?? null,
      sent_at: now,
    });
}
