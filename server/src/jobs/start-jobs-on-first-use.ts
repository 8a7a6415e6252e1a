import type { Jobs } from './jobs.ts';

/**
 * Opens the queues at the first use, because it takes 100 ms and many commands add no jobs.
 *
 * @param start called at most once
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
