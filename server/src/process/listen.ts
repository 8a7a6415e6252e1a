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

/** Many turns of the event loop, each of which reads what has arrived. */
const READ_FOR_MS = 50;

/**
 * What lets the app listen, and stop; where the host is `localhost`, on both its addresses, as programs take one or the
 * other. Fastify itself would make a server for each, and only one of them would have the door's limits, and know of a stop.
 * Call it before the app is ready.
 *
 * @returns resolves to the port; rejects as `net.Server` does
 */
export function createListener(app: FastifyInstance): (options: Listening) => Promise<number> {
  // As a server of HTTP takes its connections.
  const second = createServer({ allowHalfOpen: true, noDelay: true }, (socket) => {
    app.server.emit('connection', socket);
  });
  // A connection without a request is closed at a stop, and one that was accepted a moment before looks like that: its
  // request may be on this machine, and nobody has read it yet. So what has arrived is read first, and answered.
  const closeIdle = app.server.closeIdleConnections.bind(app.server);
  app.server.closeIdleConnections = () => {
    // And turns, not time alone: where the process was held up, the timer is due before anything is read.
    setTimeout(() => setImmediate(() => setImmediate(closeIdle)), READ_FOR_MS);
  };
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
