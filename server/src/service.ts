import type { ServerResponse } from 'node:http';
import type { FastifyInstance } from 'fastify';
import { buildApp } from './app.ts';
import { OperatorError } from './base/operator-error.ts';
import type { Config } from './config.ts';
import { createDeps, type Surroundings } from './create-deps.ts';
import type { Deps } from './deps.ts';
import { createWorker } from './jobs/worker.ts';
import { localAddress } from './local-address.ts';

export interface Service {
  app: FastifyInstance;
  deps: Deps;
  /** Listens and starts the work on jobs; returns the public address. */
  listen(): Promise<string>;
  /** Answers the requests under way, lets jobs under way finish, and closes every connection. */
  close(): Promise<void>;
}

export interface ServiceOptions {
  /** False leaves the jobs to workers of their own. */
  works?: boolean;
}

/** Wires the service around a migrated database. The process, its signals and its database are `serve.ts`'s. */
export async function createService(
  config: Config,
  surroundings: Surroundings,
  { works = true }: ServiceOptions = {},
): Promise<Service> {
  let address = config.publicUrl ?? localAddress(config.host, config.port);
  const deps = await createDeps(config, surroundings, () => address);
  const worker = works ? await createWorker(deps) : undefined;
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
      await worker?.start();
      return address;
    },
    async close() {
      // Otherwise their connections stay open for a next request, and closing waits for that.
      for (const answer of answersUnderWay) answer.shouldKeepAlive = false;
      await app.close();
      await (worker?.stop() ?? deps.jobs.stop());
      await deps.keyUse.stop();
      await deps.database.close();
    },
  };
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
