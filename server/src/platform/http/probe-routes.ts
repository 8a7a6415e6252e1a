import type { FastifyInstance } from 'fastify';

/**
 * Adds the operator's health checks. `/healthz`: the process runs; restart it if this fails. `/readyz`: the process can
 * serve requests, or answers 503 with the reasons. Neither is rate limited: all probes of a cluster may share an address.
 *
 * @param findReasons returns the reasons why the process is not ready
 */
export function probeRoutes(app: FastifyInstance, findReasons: () => Promise<string[]>): void {
  app.get('/healthz', { config: { isProbe: true } }, async () => ({ status: 'ok' }));
  app.get('/readyz', { config: { isProbe: true } }, async (_request, reply) => {
    const reasons = app.server.listening ? await findReasons() : ['stopping'];
    if (reasons.length === 0) return { status: 'ok' };
    return reply.code(503).send({ status: 'unavailable', reasons });
  });
}
