import type { FastifyReply } from 'fastify';
import { html } from 'ghtml';
import { htmlReply } from './html-reply.ts';
import { page } from './layout.ts';

const document = page({
  title: 'Page not found',
  description: 'There is no such page.',
  body: html`<div class="stack"><h1>Page not found</h1>
<p class="lead">There is no page at this address. Check it for a missing or extra character.</p>
<p class="actions"><a class="button primary" href="/docs">Documentation</a> <a class="button" href="/portal">Portal</a></p></div>`,
});

/** Answers a browser at an unknown address. */
export const sendMissingPage = (reply: FastifyReply): FastifyReply => htmlReply(reply, document, 404);
