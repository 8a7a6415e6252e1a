import type { Config } from '../config.ts';
import { createDeps, type Surroundings } from '../create-deps.ts';
import type { Deps } from '../deps.ts';
import { createWorker } from '../jobs/worker.ts';
import { openMeter } from '../metrics/open-meter.ts';
import { openMetrics } from '../metrics/open-metrics.ts';
import { openTracer } from '../tracing/open-tracer.ts';

export interface ProcessOptions {
  /** False leaves the jobs to workers of their own. */
  works?: boolean;
}

/** What a process has open while it serves or works. */
interface OpenProcess {
  deps: Deps;
  /** Starts the work on jobs; returns where Prometheus reads the metrics, undefined without METRICS_PORT. */
  start(): Promise<string | undefined>;
  /** Lets jobs under way finish, while `endRequests` does so for requests, and closes every connection. */
  close(endRequests?: () => Promise<void>): Promise<void>;
}

export async function openProcess(
  config: Config,
  surroundings: Surroundings,
  publicUrl: () => string,
  { works = true }: ProcessOptions = {},
): Promise<OpenProcess> {
  const { meter, registry } = await openMeter(config);
  const { tracer, close: closeTracer } = await openTracer(config, surroundings.log);
  const deps = await createDeps(config, surroundings, publicUrl, { meter, tracer });
  const worker = works ? await createWorker(deps) : undefined;
  const measured = { ...deps, target: surroundings.target, channels: worker?.channels };
  const metrics = await openMetrics(config, registry, measured);
  return {
    deps,
    async start() {
      const metricsAddress = await metrics?.listen();
      await worker?.start();
      return metricsAddress;
    },
    async close(endRequests) {
      const closeDoor = async () => {
        await endRequests?.();
        // Not after the jobs: those that do not end in time must not cost it.
        await deps.keyUse.stop();
      };
      // At the same time: while a client holds its connection up, no job is taken that the end of the stop would cut off.
      await Promise.all([closeDoor(), worker?.stop()]);
      await metrics?.close();
      await deps.jobs.stop();
      await deps.signIn.close();
      deps.rateLimits.close();
      await deps.database.close();
      await closeTracer();
    },
  };
}
