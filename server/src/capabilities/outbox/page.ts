import { html } from 'ghtml';
import { isolated } from '../../platform/languages/isolated.ts';
import { page } from '../../platform/pages/layout.ts';
import { filterForm, isFiltered, type OutboxFilters } from './filters.ts';
import { keptBecause, messageStateOf, messageStates } from './message-state.ts';
import { type OutboxGiftMessage, type OutboxMessage, titleOf } from './outbox.ts';
import { outboxScript } from './outbox-script.ts';

const KINDS = { email: 'Email', phone: 'Text message' } as const;
const time = (at: Date) =>
  html`<time datetime="${at.toISOString()}">${at.toISOString().slice(0, 19).replace('T', ' ')} UTC</time>`;
/** The page's script writes here which zone its times are in. */
const zoneLine = html`<p class="zone"></p>`;

/** The subject, and a code that the text has on a line for itself, so that nobody opens a message for it. */
function lineOf({ message }: OutboxMessage): string {
  const [, code] = /^(\d{6})$/m.exec(message.text) ?? [];
  return code === undefined ? titleOf(message) : `${titleOf(message)}: ${code}`;
}

const channelOf = ({ message }: OutboxMessage) => (message.html === undefined ? 'phone' : 'email');
/** Undefined for a mail to a member. */
const environmentOf = (found: OutboxMessage) => (found.kind === 'gift' ? found.row.environment : undefined);

function statusOf(found: OutboxMessage): string {
  const { provider, state, reason, tries } = found.row;
  const environment = environmentOf(found) ?? null;
  const shown = messageStateOf({ environment, state, provider });
  const word = messageStates[shown];
  const why = reason === null ? '' : `: ${reason}`;
  if (shown === 'kept') return `${word}: ${keptBecause(environment, channelOf(found))}`;
  if (shown === 'pending' && tries > 0) return `${word} after ${tries === 1 ? '1 attempt' : `${tries} attempts`}${why}`;
  return shown === 'failed' ? `${word}${why}` : word;
}

function listItem(found: OutboxMessage, path: string): string {
  const { message, row } = found;
  const status = [environmentOf(found), statusOf(found)].filter((part) => part !== undefined).join(' · ');
  return html`<li>
<div><a href="${path}/${message.reference}">!${isolated(lineOf(found))}</a><p>${KINDS[channelOf(found)]} to !${isolated(message.to)}</p></div>
<p class="state">${status}<br>!${time(row.created_at)}</p>
</li>`;
}

const EXPLANATION = html`<p class="lead">All messages to recipients and members, exactly as they are sent. This page works only on this machine, while nothing is sent, and its address is secret, because it shows gift links and sign-in codes.</p>`;

/** The latest messages, newest first; `path` is the outbox's. */
export function outboxPage(messages: readonly OutboxMessage[], filters: OutboxFilters, path: string): string {
  const list =
    messages.length === 0
      ? html`<p class="none">${isFiltered(filters) ? 'None of the latest messages matches.' : 'No messages yet. Order a gift by email or phone to see its message here.'}</p>`
      : html`<ol class="outbox">!${messages.map((found) => listItem(found, path))}</ol>`;
  return page({
    title: 'Outbox',
    description: 'The latest messages.',
    wide: true,
    scriptPath: outboxScript.path,
    body: html`<div class="stack"><h1>Outbox</h1>!${EXPLANATION}</div>!${filterForm(filters, path)}!${list}!${zoneLine}`,
  });
}

/** A message: its link, its status, its HTML in a frame, and its text. */
export function messagePage(outboxMessage: OutboxMessage, path: string): string {
  const { message } = outboxMessage;
  const mail =
    message.html === undefined
      ? ''
      : html`<section class="stack"><h2>HTML</h2><iframe src="${path}/${message.reference}/html" title="Email as HTML" sandbox="allow-same-origin"></iframe><p><a href="${path}/${message.reference}/html">Open full size</a></p></section>`;
  return page({
    title: titleOf(message),
    description: 'A message.',
    wide: true,
    scriptPath: outboxScript.path,
    body: html`<nav class="crumb" aria-label="Breadcrumb"><a href="${path}">Outbox</a></nav>
<div class="stack"><h1>!${isolated(titleOf(message))}</h1>!${outboxMessage.kind === 'gift' ? linkOf(outboxMessage) : ''}!${factsOf(outboxMessage)}</div>
<div class="mail">!${mail}<section class="stack"><h2>Text</h2><pre><code>${message.text}</code></pre></section></div>!${zoneLine}`,
  });
}

function linkOf({ row, link }: OutboxGiftMessage): string {
  return row.is_latest
    ? html`<p class="actions"><a class="button primary" href="${link}">Open gift link</a></p>`
    : html`<p><strong>There is a newer message.</strong> <a href="${link}">This link</a> may no longer work.</p>`;
}

function factsOf(found: OutboxMessage): string {
  const { message, row } = found;
  const environment = environmentOf(found);
  const facts = [
    ['To', message.to],
    message.html === undefined ? ['Sender', message.senderName] : ['From', message.fromName],
    ...(environment === undefined ? [] : [['Environment', environment] as const]),
    ['Status', statusOf(found)],
  ] as const;
  return html`<dl class="facts">!${facts.map(([label, value]) => html`<div><dt>${label}</dt><dd>!${isolated(value)}</dd></div>`)}<div><dt>Created</dt><dd>!${time(row.created_at)}</dd></div><div><dt>Reference</dt><dd><code>${message.reference}</code></dd></div></dl>`;
}
