import type { FastifyInstance } from 'fastify';
import { assetReply } from '../../platform/pages/asset-reply.ts';
import { createClientPackages } from './client-packages.ts';

/** Registers the packages of the clients: those of all versions below `/sdk/`, and the newest for npm at `/sdk.tgz`. */
export function clientRoutes(app: FastifyInstance, ...release: Parameters<typeof createClientPackages>): void {
  const packages = createClientPackages(...release);
  app.get('/sdk.tgz', async (request, reply) => assetReply(request, reply, await packages.newest()));
  app.get<{ Params: { '*': string } }>('/sdk/*', async (request, reply) =>
    assetReply(request, reply, await packages.find(request.params['*'])),
  );
}
