import type { Deps } from '../deps.ts';
import type { Channels } from '../messaging/channel.ts';
import { openChannels } from '../messaging/channels.ts';
import { createTasks, queuesOf } from './create-tasks.ts';

/** Works on the queues, in the server's process or a separate one; several workers share the work. */
interface Worker {
  channels: Channels;
  start(): Promise<void>;
  /** Finishes running jobs and closes the channels. */
  stop(): Promise<void>;
}

export async function createWorker(deps: Deps): Promise<Worker> {
  const channels = await openChannels(deps.config, deps.log, deps.publicUrl);
  return {
    channels,
    start: () => deps.jobs.work(createTasks(deps, channels), queuesOf(channels)),
    async stop() {
      await deps.jobs.finish();
      for (const channel of Object.values(channels)) await channel?.close();
    },
  };
}
