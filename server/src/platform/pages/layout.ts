import { withoutTurns } from 'bestow-readers/direction.ts';
import { html } from 'ghtml';
import { isolated } from '../languages/isolated.ts';
import { englishWords, type Words } from '../languages/words.ts';
import { languageSwitch } from './language-switch.ts';
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
  /** A script that the page can do without; its policy must allow it. */
  scriptPath?: string;
  /** The browser loads this URL after so many seconds. */
  refresh?: { seconds: number; url: string } | undefined;
  /** What chats show of a link to the page: nothing personal. */
  preview?: { title: string; pictureUrl: string; hasIcon?: boolean } | undefined;
  /** For recipients: without navigation, and hidden from search engines. */
  isPrivate?: boolean;
  /** English if absent. */
  words?: Words;
  /** Whether the reader can choose another language. */
  canSwitch?: boolean;
  /** How the organization behind the page looks. */
  face?: PageFace | undefined;
}

/** What an organization's pages wear instead of the service's look. */
export interface PageFace {
  organizationName: string;
  logo: { path: string; width: number; height: number } | undefined;
  /** In lines. */
  footer: string | undefined;
  stylePath: string | undefined;
}

const TOUCH_ICON = '<link rel="apple-touch-icon" href="/touch-icon.png">\n';

const NAVIGATION = [
  { path: '/catalog', text: 'Catalog' },
  { path: '/docs', text: 'Documentation' },
  { path: '/docs/api', text: 'API reference' },
] as const;

const navigation = (current: Page['path']) => html`<nav aria-label="Main"><ul>
!${NAVIGATION.map(({ path, text }) => html`<li><a href="${path}"!${path === current ? ' aria-current="page"' : ''}>${text}</a></li>`)}
</ul></nav>`;

/** The header of a page: wordmark and navigation. */
function masthead(page: Pick<Page, 'path' | 'isPrivate' | 'face'>): string {
  return page.isPrivate
    ? html`<header class="masthead"><span class="home">!${logoOf(page.face) ?? wordmark}</span></header>`
    : html`<header class="masthead"><a class="home" href="/">!${wordmark}</a>!${navigation(page.path)}</header>`;
}

const logoOf = (face: PageFace | undefined) =>
  face?.logo &&
  html`<img class="logo" src="${face.logo.path}" width="${face.logo.width}" height="${face.logo.height}" alt="${withoutTurns(face.organizationName)}">`;

const ownFooter = (face: PageFace | undefined) =>
  face?.footer === undefined ? '' : html`<p class="own">!${isolated(face.footer)}</p>`;

/** Chats need absolute addresses. The picture has the size of wrapped-gift.jpg. */
const previewTags = ({ title, pictureUrl }: NonNullable<Page['preview']>, description: string, { say }: Words) =>
  html`<meta property="og:type" content="website">
<meta property="og:site_name" content="Bestow">
<meta property="og:title" content="${title}">
<meta property="og:description" content="${description}">
<meta property="og:image" content="${pictureUrl}">
<meta property="og:image:width" content="1200">
<meta property="og:image:height" content="630">
<meta property="og:image:alt" content="${say('chrome.picture')}">
<meta name="twitter:card" content="summary_large_image">
`;

/** Renders an HTML document without inline scripts and styles. */
export function page({
  title,
  description,
  body,
  wide = false,
  path,
  stylePath,
  scriptPath,
  refresh,
  preview,
  isPrivate = false,
  words = englishWords,
  canSwitch = false,
  face,
}: Page): string {
  return html`<!doctype html>
<html lang="${words.language}"!${words.direction === 'rtl' ? ' dir="rtl"' : ''}>
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>${title === 'Bestow' ? title : `${withoutTurns(title)} · Bestow`}</title>
<meta name="description" content="${description}">
!${isPrivate ? '<meta name="robots" content="noindex, nofollow">' : ''}!${refresh === undefined ? '' : html`<meta http-equiv="refresh" content="${refresh.seconds}; url=${refresh.url}">`}
!${preview === undefined ? '' : previewTags(preview, description, words)}!${preview?.hasIcon ? TOUCH_ICON : ''}<meta name="theme-color" content="#9c2544">
<link rel="icon" href="/favicon.svg" type="image/svg+xml">
<link rel="stylesheet" href="${stylesheetPath}">
!${[stylePath, face?.stylePath].map((path) => (path === undefined ? '' : html`<link rel="stylesheet" href="${path}">`))}
!${scriptPath === undefined ? '' : html`<script src="${scriptPath}" defer></script>`}
</head>
<body>
<a class="skip" href="#content">${words.say('chrome.skip')}</a>
!${masthead({ isPrivate, face, ...(path === undefined ? {} : { path }) })}
<main id="content"!${wide ? '' : ' class="narrow"'}>
!${body}
</main>
<footer class="footer">!${ownFooter(face)}<p>${isPrivate ? words.say('chrome.footer') : 'Bestow: gifts ordered by software, opened by people.'}</p>!${canSwitch ? languageSwitch(words) : ''}</footer>
</body>
</html>
`;
}
