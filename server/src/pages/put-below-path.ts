import type { FastifyInstance } from 'fastify';

/** Before an address of this service as every page writes it, from the root; `//` would begin another host's. */
const BEFORE_ADDRESS = /\s(?:href|src|action|data-url)="(?=\/(?!\/))/g;

/**
 * Puts the path of PUBLIC_URL, where it has one, before the addresses on every page: the proxy takes it off again. Text
 * cannot be taken for an address, because quotation marks in it are escaped.
 */
export function putBelowPath(app: FastifyInstance, publicUrl: string): void {
  const { pathname } = new URL(publicUrl);
  if (pathname === '/') return;
  app.addHook('onSend', async (_request, reply, payload) =>
    typeof payload === 'string' && String(reply.getHeader('content-type')).startsWith('text/html')
      ? payload.replaceAll(BEFORE_ADDRESS, (attribute) => attribute + pathname)
      : payload,
  );
}
