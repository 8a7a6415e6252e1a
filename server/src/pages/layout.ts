import { html } from 'ghtml';
import { stylesheetPath } from './stylesheet.ts';
import { wordmark } from './wordmark.ts';

interface Page {
  /** Plain text. The browser tab shows it before “Bestow”. */
  title: string;
  /** A sentence for search engines and previews, as plain text. */
  description: string;
  /** HTML of `main`, with the only `h1` of the page. */
  body: string;
  /** Wide enough for a grid of cards; otherwise as wide as a line of text. */
  wide?: boolean;
  /** The page's path, if the header links to it. */
  path?: '/catalog' | '/docs' | '/docs/api';
  /** An extra stylesheet. */
  stylePath?: string;
  /** For recipients: without navigation, and hidden from search engines. */
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

/** The header of a page: wordmark and navigation. */
export function masthead(page: Pick<Page, 'path' | 'isPrivate'>): string {
  return page.isPrivate
    ? html`<header class="masthead"><span class="home">!${wordmark}</span></header>`
    : html`<header class="masthead"><a class="home" href="/">!${wordmark}</a>!${navigation(page.path)}</header>`;
}

/** Renders an HTML document without scripts and inline styles. */
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
<a class="skip" href="#content">Skip to content</a>
!${masthead({ isPrivate, ...(path === undefined ? {} : { path }) })}
<main id="content"!${wide ? '' : ' class="narrow"'}>
!${body}
</main>
<footer class="footer"><p>${isPrivate ? 'Sent with Bestow.' : 'Bestow: gifts ordered by software, opened by people.'}</p></footer>
</body>
</html>
`;
}
