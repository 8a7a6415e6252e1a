import type { ServerResponse } from 'node:http';
import type { FastifyInstance } from 'fastify';
import type { Logger } from 'pino';
import { buildApp } from './app.ts';
import type { Clock } from './base/clock.ts';
import { createIdGenerator } from './base/ids.ts';
import { OperatorError } from './base/operator-error.ts';
import type { Config } from './config.ts';
import { type ConnectionTarget, connectDatabase } from './database/connections.ts';
import { openChannels } from './delivery/channels.ts';
import type { Deps } from './deps.ts';
import { createTasks, queuesOf } from './jobs/create-tasks.ts';
import { startJobs } from './jobs/jobs.ts';
import { createKeyUseRecorder } from './keys/record-key-use.ts';
import { createPlacementQueue } from './orders/placement-queue.ts';
import { createLinks } from './redemption/links.ts';

export interface Service {
  app: FastifyInstance;
  deps: Deps;
  /** Listens and starts the work on jobs; returns the public address. */
  listen(): Promise<string>;
  /** Answers the requests under way, lets jobs under way finish, and closes every connection. */
  close(): Promise<void>;
}

interface Surroundings {
  target: ConnectionTarget;
  clock: Clock;
  log: Logger;
  linkSecrets: readonly string[];
}

/** Wires the service around a migrated database. The process, its signals and its database are `serve.ts`'s. */
export async function createService(
  config: Config,
  { target, clock, log, linkSecrets }: Surroundings,
): Promise<Service> {
  let address = config.publicUrl ?? localAddress(config.host, config.port);
  const publicUrl = () => address;
  const database = connectDatabase(target, (error) => log.warn({ err: error }, 'A database connection was lost.'));
  const ids = createIdGenerator(clock);
  const jobs = await startJobs(target, clock, log);
  const deps: Deps = {
    config,
    publicUrl,
    clock,
    ids,
    database,
    jobs,
    log,
    links: createLinks(linkSecrets, publicUrl),
    placementQueue: createPlacementQueue({ placement: database.placement, jobs, log }),
    keyUse: createKeyUseRecorder({ database, clock, log }),
  };
  const channels = await openChannels(config, log);
  const app = await buildApp(deps);
  const answersUnderWay = new Set<ServerResponse>();
  app.server.on('request', (_request, answer) => {
    answersUnderWay.add(answer);
    answer.once('close', () => answersUnderWay.delete(answer));
  });

  return {
    app,
    deps,
    async listen() {
      try {
        await app.listen({ host: config.host, port: config.port });
      } catch (error) {
        throw explainListenError(error, config);
      }
      const [bound] = app.addresses();
      address = config.publicUrl ?? localAddress(config.host, typeof bound === 'object' ? bound.port : config.port);
      await jobs.work(createTasks(deps, channels), queuesOf(channels));
      return address;
    },
    async close() {
      // Otherwise their connections stay open for a next request, and closing waits for that.
      for (const answer of answersUnderWay) answer.shouldKeepAlive = false;
      await app.close();
      await jobs.stop();
      for (const channel of Object.values(channels)) await channel?.close();
      await deps.keyUse.stop();
      await database.close();
    },
  };
}

const ANY_ADDRESS = new Set(['0.0.0.0', '::', '127.0.0.1', 'localhost']);

function localAddress(host: string, port: number): string {
  const name = ANY_ADDRESS.has(host) ? 'localhost' : host.includes(':') ? `[${host}]` : host;
  return `http://${name}:${port}`;
}

function explainListenError(error: unknown, { host, port }: Config): unknown {
  const unknownHost = `HOST ${host} is not known; set it to an address of this machine.`;
  const sentences: Record<string, string> = {
    EADDRINUSE: `Port ${port} on ${host} is taken; stop what listens there, or set PORT to another one.`,
    EACCES: `Port ${port} is not allowed for this user; set PORT to 1024 or above.`,
    EADDRNOTAVAIL: `HOST ${host} is not an address of this machine.`,
    EAFNOSUPPORT: `HOST ${host} is of a kind that this machine does not speak; set it to another address of it.`,
    ENOTFOUND: unknownHost,
    EAI_AGAIN: unknownHost,
  };
  const sentence = sentences[String((error as NodeJS.ErrnoException).code)];
  return sentence === undefined ? error : new OperatorError(sentence);
}
