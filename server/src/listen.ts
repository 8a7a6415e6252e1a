import { once } from 'node:events';
import { createServer } from 'node:net';
import type { FastifyInstance } from 'fastify';

interface Listening {
  host: string;
  port: number;
  backlog: number;
}

/** Not every machine speaks IPv6. */
const ABSENT = new Set(['EADDRNOTAVAIL', 'EAFNOSUPPORT']);

/**
 * What lets the app listen; where the host is `localhost`, on both its addresses, as programs take one or the other. Fastify
 * itself would make a server for each, and only one of them would have the door's limits, and know of a stop. Call it before
 * the app is ready.
 *
 * @returns resolves to the port; rejects as `net.Server` does
 */
export function createListener(app: FastifyInstance): (options: Listening) => Promise<number> {
  // As a server of HTTP takes its connections.
  const second = createServer({ allowHalfOpen: true, noDelay: true }, (socket) => {
    app.server.emit('connection', socket);
  });
  let closed = Promise.resolve();
  app.addHook('preClose', (done) => {
    closed = new Promise((resolve) => second.close(() => resolve()));
    done();
  });
  // After the app's own connections and before whatever else is closed.
  app.addHook('onClose', () => closed);

  return async ({ host, port, backlog }) => {
    const isLocalhost = host === 'localhost';
    await app.listen({ host: isLocalhost ? '127.0.0.1' : host, port, backlog });
    const [bound] = app.addresses();
    const taken = typeof bound === 'object' ? bound.port : port;
    if (isLocalhost)
      await once(second.listen({ host: '::1', port: taken, backlog }), 'listening').catch(
        (error: NodeJS.ErrnoException) => {
          if (!ABSENT.has(error.code ?? '')) throw error;
        },
      );
    return taken;
  };
}
