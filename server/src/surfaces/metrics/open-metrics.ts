import { once } from 'node:events';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { Registry } from 'prom-client';
import { explainListenError } from '../../platform/base/explain-listen-error.ts';
import type { Config } from '../../platform/configuration/config.ts';
import { localAddress } from '../../platform/configuration/server-address.ts';
import type { Measured, MetricsText, Pools } from './registry.ts';

/** The metrics server for Prometheus, on a private port. */
interface Metrics {
  /**
   * @returns the URL to scrape
   * @throws OperatorError if the port or host cannot be used
   */
  listen(): Promise<string>;
  /** Aborts running scrapes. */
  close(): Promise<void>;
}

const PATH = '/metrics';
const MAX_CONNECTIONS = 50;

type MetricsConfig = Pick<Config, 'metricsHost' | 'metricsPort'>;

/** Undefined without METRICS_PORT. */
export async function openMetrics(
  config: MetricsConfig,
  meterRegistry: Registry | undefined,
  measured: Measured & { database: Pools },
): Promise<Metrics | undefined> {
  if (config.metricsPort === undefined || meterRegistry === undefined) return undefined;
  const { addProcess, createRegistry } = await import('./registry.ts');
  addProcess(meterRegistry, measured.database);
  return createMetrics(config.metricsHost, config.metricsPort, createRegistry(meterRegistry, measured), measured);
}

/** For one of several processes, whose metrics the first one serves. */
export async function shareMetrics(meterRegistry: Registry | undefined, pools: Pools): Promise<undefined> {
  if (meterRegistry === undefined) return;
  const { addProcess } = await import('./registry.ts');
  const { answerMetrics } = await import('./process-metrics.ts');
  addProcess(meterRegistry, pools);
  answerMetrics(meterRegistry);
}

/** For the first of several processes; undefined without METRICS_PORT. */
export async function openSummedMetrics(config: MetricsConfig, measured: Measured): Promise<Metrics | undefined> {
  if (config.metricsPort === undefined) return undefined;
  const { createSummedRegistry } = await import('./registry.ts');
  return createMetrics(config.metricsHost, config.metricsPort, createSummedRegistry(measured), measured);
}

function createMetrics(
  host: string,
  metricsPort: number,
  registry: MetricsText,
  { log }: Pick<Measured, 'log'>,
): Metrics {
  const server = createServer((request, response) => {
    answer(registry, request, response).catch((error: unknown) => {
      log.error({ err: error }, 'Could not write the metrics.');
      response.destroy();
    });
  });
  server.maxConnections = MAX_CONNECTIONS;
  return {
    async listen() {
      try {
        await once(server.listen(metricsPort, host), 'listening');
      } catch (error) {
        throw explainListenError(error, { host, port: metricsPort, portSetting: 'METRICS_PORT' });
      }
      const bound = server.address();
      return localAddress(host, typeof bound === 'object' && bound ? bound.port : metricsPort) + PATH;
    },
    async close() {
      if (!server.listening) return;
      const closed = once(server, 'close');
      server.close();
      server.closeAllConnections();
      await closed;
    },
  };
}

async function answer(registry: MetricsText, request: IncomingMessage, response: ServerResponse): Promise<void> {
  response.setHeader('Cache-Control', 'no-store').setHeader('X-Content-Type-Options', 'nosniff');
  if (request.method !== 'GET' || request.url?.split('?', 1)[0] !== PATH) {
    response.writeHead(404, { 'Content-Type': 'text/plain; charset=utf-8' }).end(`Not found. Use GET ${PATH}.\n`);
    return;
  }
  const text = await registry.read();
  response.writeHead(200, { 'Content-Type': registry.contentType }).end(text);
}
