import type { FastifyInstance } from 'fastify';
import type { Tracer } from '../base/tracer.ts';

/** Makes a span of each request, from its headers to the end of its answer. Continues the caller's trace if there is one. */
export function traceRequests(app: FastifyInstance, tracer: Tracer): void {
  app.addHook('onRequest', (request, reply, done) => {
    const { url: route } = request.routeOptions;
    const { method, headers } = request;
    const { traceparent } = headers;
    const attributes = { 'http.request.method': method, ...(route === undefined ? {} : { 'http.route': route }) };
    const end = tracer.begin(
      {
        name: route === undefined ? method : `${method} ${route}`,
        kind: 'server',
        attributes,
        parent: typeof traceparent === 'string' ? traceparent : undefined,
      },
      done,
    );
    reply.raw.once('close', () => {
      const { statusCode } = reply.raw;
      const hasAnswer = reply.raw.headersSent;
      end(
        { 'bestow.request_id': request.requestId, ...(hasAnswer ? { 'http.response.status_code': statusCode } : {}) },
        !hasAnswer || statusCode >= 500,
      );
    });
  });
}
