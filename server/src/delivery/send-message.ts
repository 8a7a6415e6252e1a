import type { Deps } from '../deps.ts';
import type { SendMessageJob } from '../jobs/tasks.ts';
import type { Channels } from './channel.ts';
import { composeMessage } from './compose-message.ts';
import * as queries from './queries.ts';

type SendDeps = Pick<Deps, 'clock' | 'config' | 'database' | 'links' | 'publicUrl'>;

/** How long a message is tried before its delivery has failed. */
export const TRY_FOR_MS = 86_400_000;

/**
 * Sends the message of a delivery, outside any transaction, and records what came of it. A worker killed between the two
 * sends the same message again under the same reference; one that was frozen meanwhile records nothing, because the
 * delivery is not pending any more. Nothing is sent for a gift that was deleted, redirected, opened or settled meanwhile.
 *
 * @throws where trying again later may help
 */
export async function sendMessage(deps: SendDeps, channels: Channels, job: SendMessageJob): Promise<void> {
  const one = [job.organizationId, job.environment, job.giftId, job.deliveryId] as const;
  const [row] = await queries.selectMessage(deps.database.read, [...one]);
  const channel = channels[job.channel];
  if (row?.state !== 'pending' || !row.is_latest || channel === undefined) return;
  try {
    const result = await channel.send(composeMessage(deps, row));
    const now = new Date(deps.clock.now());
    if (result.outcome === 'refused') await queries.recordFailed(deps.database.read, [...one, result.reason, now]);
    else await queries.recordAccepted(deps.database.read, [...one, channel.name, result.providerId ?? null, now]);
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    const nowMs = deps.clock.now();
    if (nowMs - row.created_at.getTime() >= TRY_FOR_MS) {
      await queries.recordFailed(deps.database.read, [...one, `Given up after a day: ${reason}`, new Date(nowMs)]);
      return;
    }
    await queries.recordTry(deps.database.read, [...one, reason]);
    throw error;
  }
}
