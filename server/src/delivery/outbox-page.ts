import { html } from 'ghtml';
import { page } from '../pages/layout.ts';
import { type OutboxMessage, titleOf } from './outbox.ts';
import type { MessageRow } from './queries.ts';

const KINDS = { email: 'Email', phone: 'Text message' } as const;
const time = (at: Date) =>
  html`<time datetime="${at.toISOString()}">${at.toISOString().slice(0, 19).replace('T', ' ')}</time>`;

/** What became of it, in words; a sandbox's message goes to nobody. */
function stateOf({ environment, provider, state, reason, tries }: MessageRow): string {
  const why = reason === null ? '' : `: ${reason}`;
  if (state === 'pending' && environment === 'sandbox') return 'kept here, the sandbox sends nothing';
  if (state === 'pending' && tries > 0) return `tried ${tries === 1 ? 'once' : `${tries} times`}${why}`;
  if (state === 'sent' && provider === 'outbox') return 'kept here, nothing is set to send it';
  return state === 'failed' ? `failed${why}` : state;
}

const listItem = ({ message, row }: OutboxMessage) => html`<li>
<div><a href="/outbox/${message.reference}"><bdi>${titleOf(message)}</bdi></a><p>${KINDS[row.channel]} to <bdi>${message.to}</bdi></p></div>
<p class="state">${row.environment}, ${stateOf(row)}<br>!${time(row.created_at)} UTC</p>
</li>`;

const EXPLANATION = html`<p class="lead">What the service sends to recipients, exactly as it goes out. Nobody but this machine can see this page, and never in production: each message holds a link that is worth money.</p>`;

/** The latest messages, newest first. */
export function outboxPage(messages: readonly OutboxMessage[]): string {
  const list =
    messages.length === 0
      ? html`<p>Nothing yet. Order a gift by email or phone, and its message is here.</p>`
      : html`<ol class="outbox">!${messages.map(listItem)}</ol>`;
  return page({
    title: 'Outbox',
    description: 'The latest messages to recipients.',
    wide: true,
    body: html`<div class="stack"><h1>Outbox</h1>!${EXPLANATION}</div>!${list}`,
  });
}

/** One message: its letter in a frame of its own, its text, its link, and what became of it. */
export function messagePage(outboxMessage: OutboxMessage): string {
  const { message } = outboxMessage;
  const letter =
    message.html === undefined
      ? ''
      : html`<section class="stack"><h2>As a letter</h2><iframe src="/outbox/${message.reference}/html" title="The email as a letter" sandbox></iframe><p><a href="/outbox/${message.reference}/html">See it on its own</a>, at any width.</p></section>`;
  return page({
    title: titleOf(message),
    description: 'A message to a recipient.',
    wide: true,
    body: html`<nav class="crumb" aria-label="Breadcrumb"><a href="/outbox">Outbox</a></nav>
<div class="stack"><h1><bdi>${titleOf(message)}</bdi></h1>!${linkOf(outboxMessage)}!${factsOf(outboxMessage)}</div>
<div class="letter">!${letter}<section class="stack"><h2>As text</h2><pre><code>${message.text}</code></pre></section></div>`,
  });
}

function linkOf({ row, link }: OutboxMessage): string {
  return row.is_latest
    ? html`<p class="actions"><a class="button primary" href="${link}">Open its link</a></p>`
    : html`<p><strong>A later message has followed this one.</strong> <a href="${link}">Its link</a> may have ended.</p>`;
}

function factsOf({ message, row }: OutboxMessage): string {
  const facts = [
    ['To', message.to],
    row.channel === 'email' ? ['From', `${message.senderName} via Bestow`] : ['In the name of', message.senderName],
    ['Environment', row.environment],
    ['State', stateOf(row)],
  ] as const;
  return html`<dl class="facts">!${facts.map(([label, value]) => html`<div><dt>${label}</dt><dd><bdi>${value}</bdi></dd></div>`)}<div><dt>Made</dt><dd>!${time(row.created_at)} UTC</dd></div><div><dt>Reference</dt><dd><code>${message.reference}</code></dd></div></dl>`;
}
