import { isGivenUp } from '../delivery/send-message.ts';
import type { Deps } from '../deps.ts';
import type { SendNoticeJob } from '../jobs/tasks.ts';
import type { Channel, SendResult } from '../messaging/channel.ts';
import { plainReason, SendFailure } from '../messaging/send-failure.ts';
import { type ComposeNoticeDeps, composeNotice } from './compose-notice.ts';
import * as queries from './queries.ts';

type SendNoticeDeps = ComposeNoticeDeps & Pick<Deps, 'clock' | 'database'>;

/**
 * Sends a notice outside any transaction and records the result. If the worker is killed in between, the next attempt sends
 * the same mail under the same reference. Does not send an expired sign-in code.
 *
 * @throws SendFailure if a retry may help
 */
export async function sendNotice(
  deps: SendNoticeDeps,
  channel: Channel | undefined,
  { organizationId, noticeId }: SendNoticeJob,
): Promise<void> {
  const one = [organizationId, noticeId] as const;
  const [row] = await queries.selectNotice(deps.database.read, [...one]);
  if (row?.state !== 'pending' || channel === undefined) return;
  const fail = (reason: string, tries: 0 | 1) => queries.recordFailed(deps.database.read, [...one, reason, tries]);
  if (hasExpired(row, deps.clock.now())) {
    await fail('The code expired before it could be sent.', 0);
    return;
  }
  const message = composeNotice(deps, row);
  if (message === undefined) {
    await fail('The code was sealed with a link secret that was removed.', 0);
    return;
  }
  let result: SendResult;
  try {
    result = await channel.send(message);
  } catch (error) {
    const reason = error instanceof SendFailure ? error.message : plainReason(String(error), row.recipient);
    if (isGivenUp(row, deps.clock.now())) {
      await fail(`Gave up after a day: ${reason}`, 1);
      return;
    }
    await queries.recordTry(deps.database.read, [...one, reason]);
    throw error;
  }
  if (result.outcome === 'refused') await fail(result.reason, 1);
  else {
    const now = new Date(deps.clock.now());
    await queries.recordSent(deps.database.read, [...one, channel.name, result.providerId ?? null, now]);
  }
}

const MS_PER_MINUTE = 60_000;

const hasExpired = (row: queries.NoticeRow, nowMs: number) =>
  row.kind === 'sign_in_code' && nowMs >= row.created_at.getTime() + row.details.expires_minutes * MS_PER_MINUTE;
