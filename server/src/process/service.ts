import type { FastifyInstance } from 'fastify';
import { buildApp } from '../app.ts';
import { explainListenError } from '../base/explain-listen-error.ts';
import type { Config } from '../config.ts';
import type { Surroundings } from '../create-deps.ts';
import type { Deps } from '../deps.ts';
import { localAddress } from '../server-address.ts';
import { createListener } from './listen.ts';
import { openProcess, type ProcessOptions } from './open-process.ts';

/** Connections that wait to be taken: as many may come in the same moment. Linux takes 4,096 at most unless told otherwise. */
const BACKLOG = 4_096;
/** What is under way when the service closes has so long, and the process a second more to write what is still in memory. */
const ANSWERED_WITHIN_MS = 9_000;

export interface Service {
  app: FastifyInstance;
  deps: Deps;
  /** Listens and starts the work on jobs; returns the public address. */
  listen(): Promise<string>;
  /** Where Prometheus reads the metrics, once the service listens; undefined without METRICS_PORT. */
  metricsAddress(): string | undefined;
  /** Answers the requests under way within nine seconds, lets jobs under way finish, and closes every connection. */
  close(): Promise<void>;
}

/** Wires the service around a migrated database. The process, its signals and its database are `serve.ts`'s. */
export async function createService(
  config: Config,
  surroundings: Surroundings,
  options?: ProcessOptions,
): Promise<Service> {
  let address = config.publicUrl ?? localAddress(config.host, config.port);
  const { deps, start, close } = await openProcess(config, surroundings, () => address, options);
  let metricsAddress: string | undefined;
  const app = await buildApp(deps);
  const listen = createListener(app);
  await app.ready();

  return {
    app,
    deps,
    async listen() {
      const { host, port } = config;
      const taken = await listen({ host, port, backlog: BACKLOG }).catch((error: unknown) => {
        throw explainListenError(error, { host, port, portSetting: 'PORT' });
      });
      address = config.publicUrl ?? localAddress(host, taken);
      metricsAddress = await start();
      return address;
    },
    metricsAddress: () => metricsAddress,
    close: () =>
      close(async () => {
        const cut = setTimeout(() => {
          surroundings.log.error('Requests did not end in time and were cut off.');
          app.server.closeAllConnections();
        }, ANSWERED_WITHIN_MS);
        await app.close().finally(() => clearTimeout(cut));
      }),
  };
}
