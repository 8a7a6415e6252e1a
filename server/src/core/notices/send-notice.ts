import type { SendNoticeJob } from '../../platform/jobs/tasks.ts';
import { tryHandedOverLater } from '../../platform/jobs/try-later.ts';
import type { Channels, SendResult } from '../../platform/messaging/channel.ts';
import { plainReason, SendFailure } from '../../platform/messaging/send-failure.ts';
import { isGivenUp } from '../delivery/send-message.ts';
import type { Deps } from '../deps.ts';
import { type ComposeNoticeDeps, composeNotice, isText } from './compose-notice.ts';
import type { Attempt, NoticeRow } from './queries.ts';
import { findStored, recordAttempt } from './stored-notice.ts';

type SendNoticeDeps = ComposeNoticeDeps & Pick<Deps, 'clock' | 'database' | 'meter'>;

/**
 * Sends a notice outside any transaction and records the result. If the worker is killed in between, the next attempt sends
 * the same mail under the same reference. Does not send an expired code, or the finder's
 * code to an address without gifts.
 *
 * @throws SendFailure if a retry may help
 */
export async function sendNotice(
  deps: SendNoticeDeps,
  channels: Pick<Channels, 'notice' | 'phone'>,
  job: SendNoticeJob,
  hasGifts: (address: string) => Promise<boolean>,
): Promise<void> {
  const row = await findStored(deps.database, job);
  if (row?.state !== 'pending') return;
  const channel = isText(row) ? channels.phone : channels.notice;
  if (channel === undefined) return;
  const record = (...attempt: Attempt) => recordAttempt(deps.database, job, attempt);
  const fail = (reason: string, tries: 0 | 1) => record('failed', tries, reason, null, null, null);
  if (hasExpired(row, deps.clock.now())) {
    await fail('The code expired before it could be sent.', 0);
    return;
  }
  if (row.kind === 'finder_code' && !(await hasGifts(row.recipient))) {
    await fail('There is no gift for this address.', 0);
    return;
  }
  const message = composeNotice(deps, row);
  if (message === undefined) {
    await fail('The code was encrypted with a link secret that was removed.', 0);
    return;
  }
  let result: SendResult;
  try {
    result = await channel.send(message);
  } catch (error) {
    const reason = error instanceof SendFailure ? error.message : plainReason(String(error), row.recipient);
    const isLast = isGivenUp(row, deps.clock.now());
    const outcome = error instanceof SendFailure && error.outcome === 'account_refused' ? error.outcome : 'tried_again';
    deps.meter.delivery('notice', isLast ? 'given_up' : outcome);
    if (isLast) {
      await fail(`Gave up after a day: ${reason}`, 1);
      return;
    }
    await record('pending', 1, reason, null, null, null);
    if (!(error instanceof SendFailure) || error.outcome !== 'handed_over') throw error;
    if (!(await tryLater(deps, job, row))) await fail(`Handed over three times without an answer: ${reason}`, 0);
    return;
  }
  deps.meter.delivery('notice', result.outcome);
  if (result.outcome === 'refused') await fail(result.reason, 1);
  else await record('sent', 1, null, channel.name, result.providerId ?? null, new Date(deps.clock.now()));
}

/** The code of a person is in the database of people. */
const tryLater = ({ database }: SendNoticeDeps, job: SendNoticeJob, row: NoticeRow) =>
  job.organizationId === undefined
    ? tryHandedOverLater(database.home, 'code', job, true)
    : tryHandedOverLater(database.pool, 'notice', job, isCode(row));

const MS_PER_MINUTE = 60_000;

const isCode = (row: NoticeRow) =>
  row.kind === 'sign_in_code' || row.kind === 'card_code' || row.kind === 'finder_code';

const hasExpired = (row: NoticeRow, nowMs: number) =>
  isCode(row) && nowMs >= row.created_at.getTime() + row.details.expires_minutes * MS_PER_MINUTE;
