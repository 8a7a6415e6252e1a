import type { Logger } from 'pino';
import type { Tracer } from '../base/tracer.ts';
import type { Config } from '../configuration/config.ts';

interface OpenedTracer {
  /** Undefined without OTEL_EXPORTER_OTLP_ENDPOINT; the libraries are then not loaded. */
  tracer: Tracer | undefined;
  /** Sends pending spans, for a few seconds at most. */
  close(): Promise<void>;
}

export async function openTracer(
  { tracesUrl }: Pick<Config, 'tracesUrl'>,
  log: Pick<Logger, 'warn'>,
): Promise<OpenedTracer> {
  if (tracesUrl === undefined) return { tracer: undefined, close: async () => undefined };
  const { createOpenTelemetryTracer } = await import('./open-telemetry-tracer.ts');
  return createOpenTelemetryTracer(tracesUrl, log);
}
