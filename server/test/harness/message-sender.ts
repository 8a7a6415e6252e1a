import assert from 'node:assert/strict';
import type { SendMessageJob } from '../../src/platform/jobs/tasks.ts';
import { openChannels } from '../../src/platform/messaging/channels.ts';
import { createTasks } from '../../src/surfaces/process/create-tasks.ts';
import type { TestService } from './test-service.ts';

/** Sends messages by the queue's task, without the queue's polls and delays. */
export interface MessageSender {
  /** Attempts every message that was ever queued, all at once; returns the errors after which the queue retries. */
  send(): Promise<Error[]>;
  close(): Promise<void>;
}

export async function openSender({ service: { deps }, sql }: TestService): Promise<MessageSender> {
  const channels = await openChannels(deps.config, deps.log, deps.publicUrl);
  const [tasks = assert.fail()] = createTasks(deps, channels);
  return {
    async send() {
      const jobs = await sql<{ data: SendMessageJob }>(
        `select data from pgboss.job where name in ('send-email', 'send-phone') order by created_on, id`,
      );
      const results = await Promise.allSettled(jobs.map(({ data }) => tasks.sendMessage(data)));
      return results.flatMap((result) => (result.status === 'rejected' ? [result.reason as Error] : []));
    },
    async close() {
      for (const channel of Object.values(channels)) await channel?.close();
    },
  };
}
