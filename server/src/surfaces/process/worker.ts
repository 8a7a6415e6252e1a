import { encryptAgain } from '../../capabilities/secret-rotation/encrypt-again.ts';
import { createPusher } from '../../capabilities/webhooks/pusher.ts';
import { createSender } from '../../capabilities/webhooks/send-push.ts';
import { homeQueues, queuesOf, type Tasks } from '../../platform/jobs/tasks.ts';
import type { Channels } from '../../platform/messaging/channel.ts';
import { openChannels } from '../../platform/messaging/channels.ts';
import type { AllDeps } from '../deps.ts';
import { createHomeTasks, createTasks } from './create-tasks.ts';

/** Works on the queues, in the server's process or a separate one; several workers share the work. */
interface Worker {
  channels: Channels;
  start(): Promise<void>;
  /** Finishes running jobs and closes the channels. */
  stop(): Promise<void>;
}

/** A clock may be set between two looks. The job is tried again. */
function refuseWrongClock(tasks: Tasks, { clockWatch }: Pick<AllDeps, 'clockWatch'>, server: number): Tasks {
  const refuse =
    <Job>(task: (job: Job) => Promise<void>) =>
    async (job: Job) => {
      if (!clockWatch.isRight(server)) throw new Error('The clock of this machine was set.');
      await task(job);
    };
  const guarded = Object.entries(tasks).map(([name, task]) => [name, refuse(task)]);
  return Object.fromEntries(guarded) as Tasks;
}

export async function createWorker(deps: AllDeps): Promise<Worker> {
  // Logged once the process has started: one that cannot listen says only why.
  const warnings: string[] = [];
  const channels = await openChannels(deps.config, { warn: (message) => warnings.push(message) }, deps.publicUrl);
  const pusher = createPusher(deps, createSender(deps, { allowedNetworks: deps.config.webhookAllowedNetworks }));
  let resealing: Promise<void> | undefined;
  return {
    channels,
    async start() {
      for (const message of warnings.splice(0)) deps.log.warn(message);
      const tasks = createTasks(deps, channels).map((each, server) => refuseWrongClock(each, deps, server));
      const names = queuesOf(channels, deps.config.serveEnvironments, deps.stripe !== undefined);
      await deps.jobs.work(tasks, names);
      await deps.homeJobs?.work(
        tasks.slice(0, 1).map((first) => createHomeTasks(deps, first)),
        names.filter((name) => homeQueues.includes(name)),
      );
      pusher.start();
      // A restart is part of each step that replaces the link secret.
      resealing = encryptAgain(deps).catch((error: unknown) =>
        deps.log.warn({ err: error }, 'Encrypted values were not encrypted again with the first LINK_SECRET.'),
      );
    },
    async stop() {
      await resealing;
      await Promise.all([deps.jobs.finish(), deps.homeJobs?.finish(), pusher.stop()]);
      for (const channel of Object.values(channels)) await channel?.close();
    },
  };
}
