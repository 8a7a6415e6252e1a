import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { html } from 'ghtml';
import type { Deps } from '../../core/deps.ts';
import { button, recipientPage, unknownLinkPage } from '../../faces/redemption/page.ts';
import { maskAddress } from '../../platform/base/mask-address.ts';
import { isolated, isolatedAddress } from '../../platform/languages/isolated.ts';
import type { Words } from '../../platform/languages/words.ts';
import { htmlReply } from '../../platform/pages/html-reply.ts';
import { pageWords } from '../../platform/pages/page-words.ts';
import { findRecipient, unsubscribe } from './unsubscribe.ts';

type StopRequest = FastifyRequest<{ Params: { token: string } }>;

/**
 * The page that ends reminders, and the one-click request of mail programs (RFC 8058). GET changes nothing, because mail
 * scanners open every link.
 */
export function reminderRoutes(app: FastifyInstance, deps: Deps): void {
  app.get('/g/:token/stop', { config: { access: 'public' } }, async (request: StopRequest, reply: FastifyReply) => {
    const found = await findRecipient(deps, request.params.token);
    const words = pageWords(reply, found);
    if (found === undefined) return htmlReply(reply, unknownLinkPage(words), 404);
    return htmlReply(reply, stopPage(words, found.senderName, maskAddress(found.address)));
  });

  app.post(
    '/g/:token/stop',
    { config: { access: 'public', body: 'ignored' } },
    async (request: StopRequest, reply: FastifyReply) => {
      const found = await unsubscribe(deps, request.params.token);
      const words = pageWords(reply, found);
      return found === undefined ? htmlReply(reply, unknownLinkPage(words), 404) : htmlReply(reply, stoppedPage(words));
    },
  );
}

const stopPage = (words: Words, senderName: string, address: string) =>
  recipientPage(
    words.say('stop.title'),
    html`<div class="gift">
<h1>${words.say('stop.question')}</h1>
<p>!${words.say('stop.text', { sender: isolated(senderName), address: isolatedAddress(address) })}</p>
!${button('stop', words.say('stop.title'))}
</div>`,
    { words },
  );

const stoppedPage = (words: Words) =>
  recipientPage(
    words.say('stopped.title'),
    html`<div class="gift">
<h1>${words.say('stopped.title')}</h1>
<p role="status">${words.say('stopped.text')}</p>
</div>`,
    { words },
  );
