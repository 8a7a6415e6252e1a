import { AsyncLocalStorage } from 'node:async_hooks';
import {
  type Context,
  DiagLogLevel,
  diag,
  isSpanContextValid,
  ROOT_CONTEXT,
  type Span,
  type SpanContext,
  SpanKind,
  SpanStatusCode,
  TraceFlags,
  trace,
} from '@opentelemetry/api';
import { OTLPTraceExporter } from '@opentelemetry/exporter-trace-otlp-http';
import { resourceFromAttributes } from '@opentelemetry/resources';
import { BatchSpanProcessor, TracerProvider } from '@opentelemetry/sdk-trace';
import type { Logger } from 'pino';
import serverPackage from '../../../package.json' with { type: 'json' };
import type { SpanOptions, Tracer } from '../base/tracer.ts';
import { within } from '../base/within.ts';

/** Limits shutdown if the collector hangs. */
const CLOSE_WITHIN_MS = 3_000;

const kinds: Record<SpanOptions['kind'], SpanKind> = {
  server: SpanKind.SERVER,
  client: SpanKind.CLIENT,
  consumer: SpanKind.CONSUMER,
  internal: SpanKind.INTERNAL,
};

/**
 * Sends spans to a collector with OTLP over HTTP. OpenTelemetry reads further settings from its own variables
 * (https://opentelemetry.io/docs/languages/sdk-configuration/otlp-exporter/).
 *
 * @param url such as `http://collector:4318/v1/traces`
 */
export function createOpenTelemetryTracer(
  url: string,
  log: Pick<Logger, 'warn'>,
): { tracer: Tracer; close(): Promise<void> } {
  const provider = createProvider(url, log);
  const library = provider.getTracer('bestow');
  // Not the library's global context, because tests run several services in one process.
  const around = new AsyncLocalStorage<Span>();

  function start({ name, kind, attributes = {}, parent, links = [] }: SpanOptions): Span {
    const linked = links.flatMap((link) => parseTraceparent(link) ?? []).map((context) => ({ context }));
    return library.startSpan(name, { kind: kinds[kind], attributes, links: linked }, contextOf(parent));
  }

  function contextOf(parent: string | undefined): Context {
    const given = parent === undefined ? undefined : parseTraceparent(parent);
    if (given !== undefined) return trace.setSpanContext(ROOT_CONTEXT, { ...given, isRemote: true });
    const span = around.getStore();
    return span === undefined ? ROOT_CONTEXT : trace.setSpan(ROOT_CONTEXT, span);
  }

  const tracer: Tracer = {
    span(options, act) {
      const span = start(options);
      return around.run(span, async () => {
        try {
          return await act();
        } catch (error) {
          span.setStatus({ code: SpanStatusCode.ERROR });
          // Only the name: the message may contain personal data.
          span.setAttribute('error.type', error instanceof Error ? error.name : typeof error);
          throw error;
        } finally {
          span.end();
        }
      });
    },
    begin(options, next) {
      const span = start(options);
      around.run(span, next);
      return (attributes, failed) => {
        span.setAttributes(attributes);
        if (failed) span.setStatus({ code: SpanStatusCode.ERROR });
        span.end();
      };
    },
    current() {
      const context = around.getStore()?.spanContext();
      return context === undefined ? undefined : formatTraceparent(context);
    },
  };
  const ignore = () => undefined;
  return { tracer, close: () => within(CLOSE_WITHIN_MS, provider.shutdown().catch(ignore), ignore) };
}

function createProvider(url: string, log: Pick<Logger, 'warn'>): TracerProvider {
  const warn = (message: string) => log.warn({ from: 'opentelemetry' }, message);
  const quiet = () => undefined;
  diag.setLogger(
    { error: warn, warn, info: quiet, debug: quiet, verbose: quiet },
    { logLevel: DiagLogLevel.WARN, suppressOverrideMessage: true },
  );
  return new TracerProvider({
    resource: resourceFromAttributes({ 'service.name': 'bestow', 'service.version': serverPackage.version }),
    spanProcessors: [new BatchSpanProcessor({ exporter: new OTLPTraceExporter({ url }) })],
  });
}

/** https://www.w3.org/TR/trace-context/#traceparent-header */
function parseTraceparent(text: string): SpanContext | undefined {
  const [, traceId = '', spanId = '', flags = ''] =
    /^(?!ff)[0-9a-f]{2}-([0-9a-f]{32})-([0-9a-f]{16})-([0-9a-f]{2})(?:-|$)/.exec(text) ?? [];
  const context = { traceId, spanId, traceFlags: Number.parseInt(flags, 16) & TraceFlags.SAMPLED };
  return isSpanContextValid(context) ? context : undefined;
}

const formatTraceparent = ({ traceId, spanId, traceFlags }: SpanContext) =>
  `00-${traceId}-${spanId}-0${traceFlags & TraceFlags.SAMPLED}`;
