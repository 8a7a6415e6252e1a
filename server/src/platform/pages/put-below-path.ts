import type { FastifyInstance } from 'fastify';

/** Matches the start of an attribute with a root-relative URL. `//` would start a URL of another host. */
const BEFORE_ADDRESS = /\s(?:href|src|action|data-url)="(?=\/(?!\/))/g;

/**
 * Adds the path of PUBLIC_URL to the URLs on every page; the proxy removes it again. Text never matches, because its
 * quotation marks are escaped.
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
