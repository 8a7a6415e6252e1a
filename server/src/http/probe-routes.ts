import type { FastifyInstance } from 'fastify';

/**
 * For whoever runs the process. `/healthz`: it lives, restart it where this fails. `/readyz`: send it requests, or, with
 * 503 and the reasons, for the moment none. Neither is limited by address: all probes of a cluster may come from one.
 *
 * @param hindrances what keeps the process from serving; none where nothing does
 */
export function probeRoutes(app: FastifyInstance, hindrances: () => Promise<string[]>): void {
  app.get('/healthz', { config: { isProbe: true } }, async () => ({ status: 'ok' }));
  app.get('/readyz', { config: { isProbe: true } }, async (_request, reply) => {
    const reasons = app.server.listening ? await hindrances() : ['stopping'];
    if (reasons.length === 0) return { status: 'ok' };
    return reply.code(503).send({ status: 'unavailable', reasons });
  });
}
