import { html } from 'ghtml';
import type { SearchResult } from './search.ts';

const result = ({ address, title, heading, excerpt }: SearchResult) => html`<li>
<h2><a href="${address}">${heading}</a></h2>
!${title === heading ? '' : html`<p class="place">${title}</p>`}
<p>!${excerpt.map((part, index) => (index % 2 === 1 ? html`<mark>${part}</mark>` : html`${part}`))}</p>
</li>`;

/** What a search found, as the body of its page. */
export function searchBody(query: string, results: readonly SearchResult[]): string {
  if (query.trim() === '')
    return html`<h1>Search</h1><p class="lead">Type what you look for, such as an error code, a setting or a field.</p>`;
  if (results.length === 0)
    return html`<h1>Nothing found</h1><p class="lead">No page has all of “${query}”. Try fewer words, or the beginning of a word.</p>`;
  return html`<h1>Search</h1>
<p class="lead">${results.length === 1 ? 'One place' : `${results.length} places`} for “${query}”</p>
<ol class="results">!${results.map(result)}</ol>`;
}
