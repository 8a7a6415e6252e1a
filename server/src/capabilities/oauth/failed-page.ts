import type { FastifyReply } from 'fastify';
import { html } from 'ghtml';
import { htmlReply } from '../../platform/pages/html-reply.ts';
import { page } from '../../platform/pages/layout.ts';

/** Tells a person why an assistant cannot be signed in. Nothing leads back to the program, which may not be what it says. */
export function sendFailedPage(reply: FastifyReply, status: number, reason: string): FastifyReply {
  const document = page({
    title: 'The assistant could not be connected',
    description: 'Nothing was granted.',
    body: html`<div class="stack"><h1>The assistant could not be connected</h1>
<p class="lead">Nothing was granted. Go back to the assistant and connect it again; the link of an earlier try works only once, for 30 minutes, and in the same browser.</p>
<p>For its makers: ${reason}</p></div>`,
  });
  return htmlReply(reply, document, status);
}
