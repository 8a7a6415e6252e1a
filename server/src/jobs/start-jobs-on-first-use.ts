import type { Jobs } from './jobs.ts';

/**
 * Jobs for a process that may add none: opening the queues takes a tenth of a second, which a command that only reads
 * need not spend.
 *
 * @param start called once, at the first use
 */
export function startJobsOnFirstUse(start: () => Promise<Jobs>): Jobs {
  let started: Promise<Jobs> | undefined;
  const jobs = () => {
    started ??= start();
    return started;
  };
  return {
    completeOrdersLater: async (client, added) => (await jobs()).completeOrdersLater(client, added),
    sendMessagesLater: async (client, added) => (await jobs()).sendMessagesLater(client, added),
    sendNoticesLater: async (client, added) => (await jobs()).sendNoticesLater(client, added),
    work: async (tasks, queueNames) => (await jobs()).work(tasks, queueNames),
    finish: async () => (await started?.catch(() => undefined))?.finish(),
    stop: async () => (await started?.catch(() => undefined))?.stop(),
  };
}
