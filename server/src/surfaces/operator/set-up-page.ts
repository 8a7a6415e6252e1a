import type { FastifyReply } from 'fastify';
import { html } from 'ghtml';
import { BESTOW_PATH } from '../../faces/command-line/bestow-path.ts';
import { htmlReply } from '../../platform/pages/html-reply.ts';
import { page } from '../../platform/pages/layout.ts';

const EXAMPLE = 'you@example.com';

/** Says how to name the first operator. 404, because the page itself does not exist yet. */
export const sendSetUpPage = (reply: FastifyReply, publicUrl: string): FastifyReply =>
  htmlReply(reply, setUpPage(publicUrl), 404);

const setUpPage = (publicUrl: string) =>
  page({
    title: 'The operator’s page is not set up yet',
    description: 'How to name the first operator.',
    body: html`<div class="stack"><h1>The operator’s page is not set up yet</h1>
<p class="lead">It shows every organization, its money and what needs attention. Name a person who may open it, in a terminal on this machine:</p>
<pre class="command" aria-label="The command"><code>${BESTOW_PATH} operator add ${EXAMPLE}</code></pre>
<p>Type your own address for <code>${EXAMPLE}</code>. The command needs the settings of the service, such as <code>DATABASE_URL</code> or <code>DATA_DIR</code>.</p>
<p>Then set up a passkey or an authenticator app in <a href="${publicUrl}/portal/account">your account</a>, where you sign in with a code by mail, and load this page again.</p>
<p>Only a browser on this machine sees these lines, and only until the first operator is named. <a href="${publicUrl}/docs/operator-page">About the operator’s page</a></p></div>`,
  });
