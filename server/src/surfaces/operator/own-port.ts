import { once } from 'node:events';
import { createServer, type Server } from 'node:net';
import type { FastifyInstance } from 'fastify';
import { BestowError } from '../../platform/base/errors.ts';
import { explainListenError } from '../../platform/base/explain-listen-error.ts';
import type { Config } from '../../platform/configuration/config.ts';
import { stylesheetPath } from '../../platform/pages/stylesheet.ts';

/** What the page needs besides itself: the sign-in, the icon, the style before it is set up, and a load balancer's probes. */
const BESIDES = /^\/(?:portal\/api\/auth\/|favicon\.svg$|healthz$|readyz$)/;
const OWN = /^\/operator(?:\/|$)/;
const isOnOwnPort = (path: string) => OWN.test(path) || BESIDES.test(path) || path === stylesheetPath;

/** With an own port, the operator's page is there and nowhere else, and nothing else is there. */
export function ownPort(app: FastifyInstance, { port }: Config['operatorPage']): void {
  if (port === undefined) return;
  app.addHook('onRequest', async ({ raw, url }) => {
    const [path = ''] = url.split('?', 1);
    const isHere = raw.socket.localPort === port;
    if (isHere ? !isOnOwnPort(path) : OWN.test(path)) throw new BestowError('resource_missing');
  });
}

/**
 * Listens on the own port, if one is set, and hands its connections to the app's server.
 *
 * @throws OperatorError if the port cannot be used
 */
export async function listenOnOwnPort(
  app: FastifyInstance,
  { host, operatorPage: { port } }: Pick<Config, 'host' | 'operatorPage'>,
): Promise<Server | undefined> {
  if (port === undefined) return undefined;
  const server = createServer((socket) => app.server.emit('connection', socket));
  try {
    await once(server.listen(port, host), 'listening');
  } catch (error) {
    throw explainListenError(error, { host, port, portSetting: 'OPERATOR_PAGE_PORT' });
  }
  return server;
}
