import type { Queryable } from '../database/statement.ts';
import { addLater } from './queries.ts';
import { type QueueName, queues, type SendMessageJob, type SendNoticeJob } from './tasks.ts';

/** Most servers deliver such a message, and RFC 5321 asks for half an hour between two tries. */
const HANDED_OVER_DELAY_SECONDS = 1_800;
/** A code is of no use after some minutes. */
const CODE_DELAY_SECONDS = 60;
const MOST_HANDED_OVER = 3;

/**
 * Tries a message again much later, because a server has it and its answer was lost.
 *
 * @param database of the job
 * @returns false after the third time: it is not tried again
 */
export async function tryHandedOverLater<Job extends SendMessageJob | SendNoticeJob>(
  database: Queryable,
  queue: QueueName,
  job: Job,
  isCode = false,
): Promise<boolean> {
  const handedOver = (job.handedOver ?? 0) + 1;
  if (handedOver >= MOST_HANDED_OVER) return false;
  const delaySeconds = isCode ? CODE_DELAY_SECONDS : HANDED_OVER_DELAY_SECONDS;
  await addLater(database, [queues[queue].name, JSON.stringify({ ...job, handedOver }), delaySeconds]);
  return true;
}
