import type { FastifyInstance, FastifyRequest } from 'fastify';
import { isLoopback } from '../base/loopback.ts';
import { mailArtworkUrl } from '../catalog/artwork.ts';
import type { Config } from '../config.ts';
import type { Deps } from '../deps.ts';
import { BestowError } from '../errors.ts';
import { htmlReply, mailPolicy, pagePolicy } from '../pages/html-reply.ts';
import { findOutboxMessage, listOutbox, type OutboxMessage } from './outbox.ts';
import { messagePage, outboxPage } from './page.ts';

const SHOWN_MESSAGES = 50;

/** Whether the service has an outbox page: only at a loopback address, and never in production. */
export function hasOutboxPage({ isProduction }: Pick<Config, 'isProduction'>, publicUrl: string): boolean {
  return !isProduction && isLoopback(new URL(publicUrl).hostname);
}

const LOOPBACK_PEER = /^(?:::1|(?:::ffff:)?127(?:\.\d{1,3}){3})$/;
const FORWARDING_HEADER = /^(?:forwarded|x-forwarded-.*|via|x-real-ip)$/;

/**
 * Whether a browser on this machine sent the request without a proxy. The `Host` check stops DNS rebinding, the peer check
 * stops other machines. Browsers never send HTTP/1.0; nginx did by default for years, without a forwarding header.
 */
function isFromThisMachine({ headers, raw }: FastifyRequest): boolean {
  const [, host = ''] = /^(.*?)(?::\d{1,5})?$/.exec(headers.host ?? '') ?? [];
  return (
    raw.httpVersion !== '1.0' &&
    isLoopback(host) &&
    LOOPBACK_PEER.test(raw.socket.remoteAddress ?? '') &&
    !Object.keys(headers).some((name) => FORWARDING_HEADER.test(name))
  );
}

/** The outbox, for developers. Its messages contain gift links and sign-in codes. */
export function outboxRoutes(app: FastifyInstance, deps: Deps): void {
  if (!hasOutboxPage(deps.config, deps.publicUrl())) return;

  const requireThisMachine = async (request: FastifyRequest) => {
    if (!isFromThisMachine(request)) throw new BestowError('resource_missing');
  };
  const findMessage = async (reference: string): Promise<OutboxMessage> => {
    const message = await findOutboxMessage(deps, reference);
    if (message === undefined) throw new BestowError('resource_missing');
    return message;
  };

  app.get('/outbox', { onRequest: requireThisMachine }, async (_request, reply) =>
    htmlReply(reply, outboxPage(await listOutbox(deps, SHOWN_MESSAGES))),
  );

  app.get<{ Params: { reference: string } }>(
    '/outbox/:reference',
    { onRequest: requireThisMachine },
    async ({ params }, reply) =>
      htmlReply(reply, messagePage(await findMessage(params.reference)), 200, {
        contentSecurityPolicy: `${pagePolicy()}; frame-src 'self'`,
      }),
  );

  app.get<{ Params: { reference: string } }>(
    '/outbox/:reference/html',
    { onRequest: requireThisMachine },
    async ({ params }, reply) => {
      const found = await findMessage(params.reference);
      const { html } = found.message;
      if (html === undefined) throw new BestowError('resource_missing');
      const artwork = found.kind === 'gift' ? mailArtworkUrl(found.row.artwork, deps.publicUrl()) : null;
      return htmlReply(reply, html, 200, { contentSecurityPolicy: mailPolicy([artwork]) });
    },
  );
}
