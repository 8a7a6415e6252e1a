import { html } from 'ghtml';
import { messageStateOf, messageStates } from './message-state.ts';
import type { OutboxMessage } from './outbox.ts';

const KINDS = { email: 'Gift by email', phone: 'Gift by text message', member: 'Mail to a member' };
const LONGEST_TEXT = 254;

/** What the page shows: an empty text is any. */
export interface OutboxFilters {
  to: string;
  kind: string;
  state: string;
}

/** Reads the query of the page; a value that it does not offer is any. */
export function readFilters(query: unknown): OutboxFilters {
  const given = new Map(Object.entries(query ?? {}));
  const text = (name: string) => String(given.get(name) ?? '').trim();
  const known = (name: string, options: object) => (Object.hasOwn(options, text(name)) ? text(name) : '');
  return { to: text('to').slice(0, LONGEST_TEXT), kind: known('kind', KINDS), state: known('state', messageStates) };
}

export const isFiltered = (filters: OutboxFilters): boolean => Object.values(filters).some((value) => value !== '');

const kindOf = ({ kind, message }: OutboxMessage) =>
  kind === 'notice' ? 'member' : message.html === undefined ? 'phone' : 'email';

const stateOf = ({ kind, row }: OutboxMessage) =>
  messageStateOf({ environment: kind === 'gift' ? row.environment : null, state: row.state, provider: row.provider });

export const isShown = (found: OutboxMessage, { to, kind, state }: OutboxFilters): boolean =>
  found.message.to.toLowerCase().includes(to.toLowerCase()) &&
  ['', kindOf(found)].includes(kind) &&
  ['', stateOf(found)].includes(state);

const select = (name: string, label: string, options: object, chosen: string) =>
  html`<p><label for="${name}">${label}</label><select id="${name}" name="${name}"><option value="">All</option>!${Object.entries(
    options,
  ).map(
    ([value, text]) => html`<option value="${value}"!${value === chosen ? ' selected' : ''}>${text}</option>`,
  )}</select></p>`;

export const filterForm = (filters: OutboxFilters, path: string): string =>
  html`<form class="filters" action="${path}" role="search" aria-label="Messages">
<p><label for="to">Address contains</label><input id="to" name="to" type="search" maxlength="${LONGEST_TEXT}" value="${filters.to}"></p>
!${select('kind', 'Kind', KINDS, filters.kind)}
!${select('state', 'State', messageStates, filters.state)}
<button class="button">Filter</button>
!${isFiltered(filters) ? html`<a href="${path}">Show all</a>` : ''}
</form>`;
