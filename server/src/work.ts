import type { Config } from './config.ts';
import { createDeps } from './create-deps.ts';
import { createWorker } from './jobs/worker.ts';
import { addressOfServer } from './local-address.ts';
import { openMeter } from './metrics/open-meter.ts';
import { openMetrics } from './metrics/open-metrics.ts';
import { runUntilStopped } from './run-until-stopped.ts';
import { openTracer } from './tracing/open-tracer.ts';

/**
 * Works on the queues alone, until the same signals: messages under way are finished first.
 *
 * @throws OperatorError where a setting or the database stands in the way
 */
export async function work(config: Config): Promise<void> {
  const address = addressOfServer(config);
  // A command may use the embedded PostgreSQL beside the server, or start it where there is none.
  await runUntilStopped(config, 'command', async ({ surroundings, description }) => {
    const { meter, registry } = await openMeter(config);
    const { tracer, close: closeTracer } = await openTracer(config, surroundings.log);
    const deps = await createDeps(config, surroundings, () => address, { meter, tracer });
    const worker = await createWorker(deps);
    const measured = { ...deps, target: surroundings.target, channels: worker.channels };
    const metrics = await openMetrics(config, registry, measured);
    return {
      async close() {
        await worker.stop();
        await deps.jobs.stop();
        await metrics?.close();
        await deps.keyUse.stop();
        await deps.signIn.close();
        deps.rateLimits.close();
        await deps.database.close();
        await closeTracer();
      },
      async start() {
        const metricsAddress = await metrics?.listen();
        await worker.start();
        const measured = metricsAddress === undefined ? '' : `Its metrics are at ${metricsAddress}.\n`;
        process.stdout.write(`\nBestow’s worker is ready, on ${description}.\n${measured}Stop it with Ctrl-C.\n\n`);
        surroundings.log.info({ database: description, metrics_url: metricsAddress }, 'ready');
      },
    };
  });
}
