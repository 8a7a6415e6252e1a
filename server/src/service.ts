import type { FastifyInstance } from 'fastify';
import { buildApp } from './app.ts';
import type { Config } from './config.ts';
import { createDeps, type Surroundings } from './create-deps.ts';
import type { Deps } from './deps.ts';
import { explainListenError } from './explain-listen-error.ts';
import { createWorker } from './jobs/worker.ts';
import { localAddress } from './local-address.ts';
import { openMeter } from './metrics/open-meter.ts';
import { openMetrics } from './metrics/open-metrics.ts';
import { openTracer } from './tracing/open-tracer.ts';

/** Connections that wait to be taken: as many may come in the same moment. Linux takes 4,096 at most unless told otherwise. */
const BACKLOG = 4_096;

export interface Service {
  app: FastifyInstance;
  deps: Deps;
  /** Listens and starts the work on jobs; returns the public address. */
  listen(): Promise<string>;
  /** Where Prometheus reads the metrics, once the service listens; undefined without METRICS_PORT. */
  metricsAddress(): string | undefined;
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
  const { meter, registry } = await openMeter(config);
  const { tracer, close: closeTracer } = await openTracer(config, surroundings.log);
  const deps = await createDeps(config, surroundings, () => address, { meter, tracer });
  const worker = works ? await createWorker(deps) : undefined;
  const measured = { ...deps, target: surroundings.target, channels: worker?.channels };
  const metrics = await openMetrics(config, registry, measured);
  let metricsAddress: string | undefined;
  const app = await buildApp(deps);

  return {
    app,
    deps,
    async listen() {
      try {
        await app.listen({ host: config.host, port: config.port, backlog: BACKLOG });
      } catch (error) {
        throw explainListenError(error, { host: config.host, port: config.port, portSetting: 'PORT' });
      }
      const [bound] = app.addresses();
      address = config.publicUrl ?? localAddress(config.host, typeof bound === 'object' ? bound.port : config.port);
      metricsAddress = await metrics?.listen();
      await worker?.start();
      return address;
    },
    metricsAddress: () => metricsAddress,
    async close() {
      // At the same time: while a client holds its connection up, no job is taken that the end of the stop would cut off.
      await Promise.all([app.close(), worker?.stop()]);
      await metrics?.close();
      await deps.jobs.stop();
      await deps.keyUse.stop();
      await deps.signIn.close();
      deps.rateLimits.close();
      await deps.database.close();
      await closeTracer();
    },
  };
}
