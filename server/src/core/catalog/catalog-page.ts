import { html } from 'ghtml';
import { isolated } from '../../platform/languages/isolated.ts';
import { page } from '../../platform/pages/layout.ts';
import { portalLinkScript } from '../../platform/pages/portal-link-script.ts';
import { artworkImage } from './artwork-image.ts';
import type { ShownCategory } from './category-page.ts';

const card = (category: ShownCategory) => html`<li>
!${artworkImage(category.artwork)}
<h2><a href="/catalog/${encodeURIComponent(category.category_id)}">!${isolated(category.name)}</a></h2>
<p>${category.description}</p>
</li>`;

export function catalogPage(categories: readonly ShownCategory[]): string {
  const offered = categories.filter(({ retired_at }) => retired_at === null);
  return page({
    title: 'Catalog',
    description: 'The gifts that can be sent, and whom each of them suits.',
    wide: true,
    scriptPath: portalLinkScript.path,
    path: '/catalog',
    body: html`<div class="stack">
<h1>Catalog</h1>
<p class="lead">Choose what the gift is for. The person you send it to chooses the rest.</p>
</div>
!${offered.length === 0 ? '<p class="lead">There is nothing in the catalog yet.</p>' : html`<ul class="grid">!${offered.map(card)}</ul>`}`,
  });
}
