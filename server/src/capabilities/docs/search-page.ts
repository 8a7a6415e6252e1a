import { html } from 'ghtml';
import type { SearchResult } from './search.ts';

const result = ({ address, title, heading, excerpt }: SearchResult) => html`<li>
<h2><a href="${address}">${heading}</a></h2>
!${title === heading ? '' : html`<p class="page">${title}</p>`}
<p>!${excerpt.map((part, index) => (index % 2 === 1 ? html`<mark>${part}</mark>` : html`${part}`))}</p>
</li>`;

/** Renders the body of the search page. */
export function searchBody(query: string, results: readonly SearchResult[]): string {
  if (query.trim() === '')
    return html`<h1>Search</h1><p class="lead">Enter an error code, a setting, a field or any other word.</p>`;
  if (results.length === 0)
    return html`<h1>Nothing found</h1><p class="lead">No page has a word of “${query}”. Try other words, or the beginning of a word.</p>`;
  return html`<h1>Search</h1>
<p class="lead">${results.length === 1 ? 'One result' : `${results.length} results`} for “${query}”</p>
<ol class="results">!${results.map(result)}</ol>`;
}
