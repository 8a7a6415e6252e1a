import type { SendMessageJob } from '../../platform/jobs/tasks.ts';
import { tryHandedOverLater } from '../../platform/jobs/try-later.ts';
import type { Channels, SendResult } from '../../platform/messaging/channel.ts';
import { plainReason, SendFailure } from '../../platform/messaging/send-failure.ts';
import type { Deps } from '../deps.ts';
import type { AcceptedMessages } from './accepted-messages.ts';
import { composeMessage, signatureOf } from './compose-message.ts';
import type { CountMessage } from './message-caps.ts';
import * as queries from './queries.ts';
import { WITHDRAWN } from './withdrawn.ts';

type SendDeps = Pick<Deps, 'clock' | 'config' | 'database' | 'links' | 'meter' | 'publicUrl' | 'cipher'> & {
  accepted: AcceptedMessages;
  countMessage: CountMessage;
};

/** How long a message is retried before its delivery fails. */
const TRY_FOR_MS = 86_400_000;
/** A message that waited a day without a worker still gets 20 attempts; with the queue's delays they take an hour. */
const MIN_TRIES = 20;
const REPLACED = 'A later message replaced it.';
const PERHAPS = 'Handed over three times without an answer, so it may have arrived';
const NOT_NEEDED = 'The reminder was not needed any more.';

/** Whether a failed attempt was the last one. */
export const isGivenUp = ({ created_at, tries }: { created_at: Date; tries: number }, nowMs: number) =>
  nowMs - created_at.getTime() >= TRY_FOR_MS && tries + 1 >= MIN_TRIES;

/**
 * Sends the message of a delivery outside any transaction, then records the result. If the worker is killed in between,
 * the message is sent again under the same reference. Sends nothing if the delivery is no longer pending.
 *
 * @throws SendFailure if a retry may succeed
 */
export async function sendMessage(deps: SendDeps, channels: Channels, job: SendMessageJob): Promise<void> {
  const one = [job.organizationId, job.environment, job.giftId, job.deliveryId] as const;
  const [row] = await queries.selectMessage(deps.database.read, [...one]);
  const channel = channels[job.channel];
  if (row?.state !== 'pending' || channel === undefined) return;
  const isWanted = row.reminder_day === null ? row.is_latest && !row.is_canceled : row.is_reminder_wanted;
  if (!isWanted) {
    // Not recorded by the redirect itself: a worker may be sending the message at that moment.
    await queries.recordFailed(deps.database.pool, [
      ...one,
      row.reminder_day !== null ? NOT_NEEDED : row.is_canceled ? WITHDRAWN : REPLACED,
      new Date(deps.clock.now()),
    ]);
    return;
  }
  if (row.tries >= MIN_TRIES && isGivenUp(row, deps.clock.now())) {
    // Every attempt was accepted and then reported as refused because of the account.
    await giveUp(deps, job, `Given up after a day: ${row.reason ?? ''}`);
    return;
  }
  let uncount = () => {};
  let result: SendResult;
  try {
    const message = { ...composeMessage(deps, row), ...signatureOf(deps, row) };
    uncount = deps.countMessage(row);
    result = await channel.send(message);
  } catch (error) {
    const outcome = error instanceof SendFailure ? error.outcome : 'unknown';
    if (outcome !== 'unknown' && outcome !== 'handed_over') uncount();
    const reason = error instanceof SendFailure ? error.message : plainReason(String(error), row.address);
    if (isGivenUp(row, deps.clock.now())) {
      await giveUp(deps, job, `Given up after a day: ${reason}`);
      return;
    }
    deps.meter.delivery(job.channel, outcome === 'account_refused' ? outcome : 'tried_again');
    await queries.recordTry(deps.database.pool, [...one, reason]);
    if (outcome !== 'handed_over') throw error;
    if (!(await tryHandedOverLater(deps.database.pool, job.channel, job)))
      await giveUp(deps, job, `${PERHAPS}: ${reason}`);
    return;
  }
  deps.meter.delivery(job.channel, result.outcome);
  const now = new Date(deps.clock.now());
  if (result.outcome === 'refused') {
    uncount();
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

async function giveUp(deps: SendDeps, job: SendMessageJob, reason: string): Promise<void> {
  deps.meter.delivery(job.channel, 'given_up');
  await queries.recordFailed(deps.database.pool, [
    job.organizationId,
    job.environment,
    job.giftId,
    job.deliveryId,
    reason,
    new Date(deps.clock.now()),
  ]);
}
