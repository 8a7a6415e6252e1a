import { html } from 'ghtml';
import { isolated } from '../../platform/languages/isolated.ts';
import { page } from '../../platform/pages/layout.ts';
import { portalLinkScript } from '../../platform/pages/portal-link-script.ts';
import { artworkImage } from './artwork-image.ts';
import { builtInCategories } from './built-in.ts';

export interface ShownCategory {
  category_id: string;
  name: string;
  description: string;
  artwork: string | null;
  product_details_url: string | null;
  retired_at: Date | null;
}

function wholeAmount(amount: number, currency: string): string {
  return new Intl.NumberFormat('en', { style: 'currency', currency, maximumFractionDigits: 0 }).format(amount);
}

function suits(category: ShownCategory): string {
  const details = builtInCategories.find(({ id }) => id === category.category_id)?.details;
  if (details === undefined) return html`<p class="lead">${category.description}</p>`;
  return html`<p class="lead">${details.introduction}</p>
<h2>Who it suits</h2>
<p>${category.description}</p>
<ul>!${details.suits.map((phrase) => html`<li>${phrase}</li>`)}</ul>`;
}

function moreLink(url: string | null): string {
  const isWebAddress = url !== null && URL.canParse(url) && ['http:', 'https:'].includes(new URL(url).protocol);
  return isWebAddress ? html`<p><a href="${url}" rel="noopener noreferrer">Read more about this gift</a></p>` : '';
}

/** Returns the public page of one category. @param currency ISO 4217 code of the amounts */
export function categoryPage(category: ShownCategory, currency: string): string {
  return page({
    title: category.name,
    description: category.description,
    wide: true,
    scriptPath: portalLinkScript.path,
    body: html`<nav class="crumb" aria-label="Breadcrumb"><a href="/catalog">Catalog</a></nav>
<article class="category">
!${artworkImage(category.artwork)}
<div class="stack">
<h1>!${isolated(category.name)}</h1>
!${category.retired_at === null ? '' : '<p><strong>This gift can no longer be ordered.</strong> Gifts that were bought before stay good.</p>'}
!${suits(category)}
<h2>How it works</h2>
<ol>
<li>An organization orders the gift and says how it arrives: by email, by phone or as a link.</li>
<li>The person it is for opens it and claims it onto a card.</li>
<li>They spend it when they like, at once or little by little.</li>
</ol>
<h2>Good to know</h2>
<dl class="facts">
<div><dt>Amount</dt><dd>${wholeAmount(10, currency)} to ${wholeAmount(500, currency)}</dd></div>
<div><dt>Expires</dt><dd>Never</dd></div>
<div><dt>Arrives by</dt><dd>Email, phone or link</dd></div>
<div><dt>In the API</dt><dd><code>${category.category_id}</code></dd></div>
</dl>
!${moreLink(category.product_details_url)}
</div>
</article>`,
  });
}
