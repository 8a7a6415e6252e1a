import { html } from 'ghtml';
import { page } from '../pages/layout.ts';
import { type OutboxGiftMessage, type OutboxMessage, titleOf } from './outbox.ts';

const KINDS = { email: 'Email', phone: 'Text message' } as const;
const time = (at: Date) =>
  html`<time datetime="${at.toISOString()}">${at.toISOString().slice(0, 19).replace('T', ' ')}</time>`;

const kindOf = (found: OutboxMessage) => KINDS[found.kind === 'gift' ? found.row.channel : 'email'];
/** Undefined: it is about the organization as a whole. */
const environmentOf = (found: OutboxMessage) => (found.kind === 'gift' ? found.row.environment : undefined);

/** What became of it, in words; a sandbox's message goes to nobody. */
function stateOf(found: OutboxMessage): string {
  const { provider, state, reason, tries } = found.row;
  const why = reason === null ? '' : `: ${reason}`;
  if (state === 'pending' && environmentOf(found) === 'sandbox') return 'kept here, the sandbox sends nothing';
  if (state === 'pending' && tries > 0) return `tried ${tries === 1 ? 'once' : `${tries} times`}${why}`;
  if (state === 'sent' && provider === 'outbox') return 'kept here, nothing is set to send it';
  return state === 'failed' ? `failed${why}` : state;
}

function listItem(found: OutboxMessage): string {
  const { message, row } = found;
  const state = [environmentOf(found), stateOf(found)].filter((part) => part !== undefined).join(', ');
  return html`<li>
<div><a href="/outbox/${message.reference}"><bdi>${titleOf(message)}</bdi></a><p>${kindOf(found)} to <bdi>${message.to}</bdi></p></div>
<p class="state">${state}<br>!${time(row.created_at)} UTC</p>
</li>`;
}

const EXPLANATION = html`<p class="lead">What the service sends to recipients and to the people of organizations, exactly as it goes out. Nobody but this machine can see this page, and never in production: it shows links that are worth money, and codes to sign in with.</p>`;

/** The latest messages, newest first. */
export function outboxPage(messages: readonly OutboxMessage[]): string {
  const list =
    messages.length === 0
      ? html`<p>Nothing yet. Order a gift by email or phone, and its message is here.</p>`
      : html`<ol class="outbox">!${messages.map(listItem)}</ol>`;
  return page({
    title: 'Outbox',
    description: 'The latest messages.',
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
    description: 'A message as it goes out.',
    wide: true,
    body: html`<nav class="crumb" aria-label="Breadcrumb"><a href="/outbox">Outbox</a></nav>
<div class="stack"><h1><bdi>${titleOf(message)}</bdi></h1>!${outboxMessage.kind === 'gift' ? linkOf(outboxMessage) : ''}!${factsOf(outboxMessage)}</div>
<div class="letter">!${letter}<section class="stack"><h2>As text</h2><pre><code>${message.text}</code></pre></section></div>`,
  });
}

function linkOf({ row, link }: OutboxGiftMessage): string {
  return row.is_latest
    ? html`<p class="actions"><a class="button primary" href="${link}">Open its link</a></p>`
    : html`<p><strong>A later message has followed this one.</strong> <a href="${link}">Its link</a> may have ended.</p>`;
}

function factsOf(found: OutboxMessage): string {
  const { message, row } = found;
  const environment = environmentOf(found);
  const facts = [
    ['To', message.to],
    message.html === undefined ? ['In the name of', message.senderName] : ['From', message.fromName],
    ...(environment === undefined ? [] : [['Environment', environment] as const]),
    ['State', stateOf(found)],
  ] as const;
  return html`<dl class="facts">!${facts.map(([label, value]) => html`<div><dt>${label}</dt><dd><bdi>${value}</bdi></dd></div>`)}<div><dt>Made</dt><dd>!${time(row.created_at)} UTC</dd></div><div><dt>Reference</dt><dd><code>${message.reference}</code></dd></div></dl>`;
}
