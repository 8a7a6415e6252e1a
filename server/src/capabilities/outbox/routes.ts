import type { FastifyInstance, FastifyRequest } from 'fastify';
import { mailArtworkUrl } from '../../core/catalog/artwork.ts';
import { BestowError } from '../../platform/base/errors.ts';
import { isFromThisMachine } from '../../platform/http/from-this-machine.ts';
import { hasOutboxPage } from '../../platform/messaging/has-outbox-page.ts';
import { htmlReply, measuredMailPolicy, scriptedPolicy } from '../../platform/pages/html-reply.ts';
import type { OutboxPathDeps } from './address.ts';
import { isOutboxPath } from './address.ts';
import { isFiltered, isShown, readFilters } from './filters.ts';
import { findOutboxMessage, listOutbox, type OutboxMessage } from './outbox.ts';
import { outboxScript } from './outbox-script.ts';
import { messagePage, outboxPage } from './page.ts';

const SHOWN_MESSAGES = 50;
const SEARCHED_MESSAGES = 500;

/** The outbox, for developers. Its messages contain gift links and sign-in codes. */
export function outboxRoutes(app: FastifyInstance, deps: OutboxPathDeps): void {
  if (!hasOutboxPage(deps.config, deps.publicUrl())) return;

  outboxScript.register(app);
  const { outboxPath } = deps;
  const requireAddress = async (request: FastifyRequest<{ Params: { address: string } }>) => {
    if (!isFromThisMachine(request) || !isOutboxPath(outboxPath, `/outbox/${request.params.address}`))
      throw new BestowError('resource_missing');
  };
  const findMessage = async (reference: string): Promise<OutboxMessage> => {
    const message = await findOutboxMessage(deps, reference);
    if (message === undefined) throw new BestowError('resource_missing');
    return message;
  };

  app.get<{ Params: { address: string } }>(
    '/outbox/:address',
    { onRequest: requireAddress },
    async ({ query }, reply) => {
      const filters = readFilters(query);
      const latest = await listOutbox(deps, isFiltered(filters) ? SEARCHED_MESSAGES : SHOWN_MESSAGES);
      const shown = latest.filter((found) => isShown(found, filters)).slice(0, SHOWN_MESSAGES);
      return htmlReply(reply, outboxPage(shown, filters, outboxPath), 200, {
        contentSecurityPolicy: scriptedPolicy(),
      });
    },
  );

  app.get<{ Params: { address: string; reference: string } }>(
    '/outbox/:address/:reference',
    { onRequest: requireAddress },
    async ({ params }, reply) =>
      htmlReply(reply, messagePage(await findMessage(params.reference), outboxPath), 200, {
        contentSecurityPolicy: `${scriptedPolicy()}; frame-src 'self'`,
      }),
  );

  app.get<{ Params: { address: string; reference: string } }>(
    '/outbox/:address/:reference/html',
    { onRequest: requireAddress },
    async ({ params }, reply) => {
      const found = await findMessage(params.reference);
      const { html } = found.message;
      if (html === undefined) throw new BestowError('resource_missing');
      const artwork = found.kind === 'gift' ? mailArtworkUrl(found.row.artwork, deps.publicUrl()) : null;
      return htmlReply(reply, html, 200, { contentSecurityPolicy: measuredMailPolicy([artwork]) });
    },
  );
}
