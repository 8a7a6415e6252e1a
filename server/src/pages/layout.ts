import { html } from 'ghtml';
import { stylesheetPath } from './stylesheet.ts';
import { wordmark } from './wordmark.ts';

interface Page {
  /** As text; the tab shows it before the name of the service. */
  title: string;
  /** One sentence for search engines and previews, as text. */
  description: string;
  /** The content of `main`, as HTML, with the page's one `h1`. */
  body: string;
  /** As wide as a grid of cards; otherwise as wide as a comfortable line of text. */
  wide?: boolean;
  /** The path of the page, where the header links to it. */
  path?: '/catalog' | '/docs' | '/docs/api';
  /** Of a stylesheet that it needs beside the one of all pages. */
  stylePath?: string;
  /** For whoever received a gift: no way into the documentation, and nothing for search engines. */
  isPrivate?: boolean;
}

const NAVIGATION = [
  { path: '/catalog', text: 'Catalog' },
  { path: '/docs', text: 'Documentation' },
  { path: '/docs/api', text: 'API reference' },
] as const;

const navigation = (current: Page['path']) => html`<nav aria-label="Main"><ul>
!${NAVIGATION.map(({ path, text }) => html`<li><a href="${path}"!${path === current ? ' aria-current="page"' : ''}>${text}</a></li>`)}
</ul></nav>`;

/** The wordmark with its link and, where wanted, the navigation: the head of every page. */
export function masthead(page: Pick<Page, 'path' | 'isPrivate'>): string {
  return page.isPrivate
    ? html`<header class="masthead"><span class="home">!${wordmark}</span></header>`
    : html`<header class="masthead"><a class="home" href="/">!${wordmark}</a>!${navigation(page.path)}</header>`;
}

/** A whole HTML document in the look that all pages share. It holds no script and no inline style. */
export function page({ title, description, body, wide = false, path, stylePath, isPrivate = false }: Page): string {
  return html`<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>${title === 'Bestow' ? title : `${title} · Bestow`}</title>
<meta name="description" content="${description}">
!${isPrivate ? '<meta name="robots" content="noindex, nofollow">' : ''}
<meta name="theme-color" content="#9c2544">
<link rel="icon" href="/favicon.svg" type="image/svg+xml">
<link rel="stylesheet" href="${stylesheetPath}">
!${stylePath === undefined ? '' : html`<link rel="stylesheet" href="${stylePath}">`}
</head>
<body>
<a class="skip" href="#content">Skip to the content</a>
!${masthead({ isPrivate, ...(path === undefined ? {} : { path }) })}
<main id="content"!${wide ? '' : ' class="narrow"'}>
!${body}
</main>
<footer class="footer"><p>${isPrivate ? 'Sent with Bestow.' : 'Bestow: gifts, ordered by your software and opened by people.'}</p></footer>
</body>
</html>
`;
}
