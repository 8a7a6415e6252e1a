import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { endWithTest } from './end-with-test.ts';

/** A span in OTLP's JSON (opentelemetry-proto, trace.proto). */
export interface CollectedSpan {
  traceId: string;
  spanId: string;
  parentSpanId?: string;
  name: string;
  kind: number;
  attributes: { key: string; value: Record<string, unknown> }[];
  links?: { traceId: string; spanId: string }[];
  status?: { code?: number };
}

/** Receives traces as an OpenTelemetry collector does. */
export interface TraceCollector {
  url: string;
  spans: CollectedSpan[];
  /** Everything received. */
  text(): string;
  close(): Promise<void>;
}

export async function startTraceCollector(): Promise<TraceCollector> {
  const spans: CollectedSpan[] = [];
  let received = '';
  const server = createServer(async (request, response) => {
    let text = '';
    for await (const chunk of request) text += chunk;
    if (request.method !== 'POST' || request.url !== '/v1/traces') return response.writeHead(404).end();
    received += text;
    const { resourceSpans } = JSON.parse(text) as { resourceSpans: { scopeSpans: { spans: CollectedSpan[] }[] }[] };
    for (const { scopeSpans } of resourceSpans) for (const scope of scopeSpans) spans.push(...scope.spans);
    return response.writeHead(200, { 'Content-Type': 'application/json' }).end('{}');
  }).listen(0, '127.0.0.1');
  await new Promise((resolve) => server.once('listening', resolve));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    spans,
    text: () => received,
    close: endWithTest(() => {
      server.close();
      server.closeAllConnections();
    }),
  };
}
