import { html } from 'ghtml';
import { page } from '../../platform/pages/layout.ts';
import { resources } from './api-description.ts';
import { type GuideSlug, guidePath, guides } from './guides.ts';
import { REFERENCE_PATH, resourcePath } from './reference-path.ts';
import type { Heading } from './render-markdown.ts';

type Titles = Readonly<Record<GuideSlug, string>>;

/** A group of links under “On this page”. */
export interface Contents {
  heading?: string;
  links: readonly Heading[];
}

/** A page in the order of reading. */
export interface Neighbour {
  path: string;
  title: string;
}

/** What follows the text. */
interface Onward {
  /** Address of the page's Markdown. */
  markdownPath?: string;
  previous: Neighbour | undefined;
  next: Neighbour | undefined;
}

interface GuidePage {
  /** The page's address. */
  path: string;
  title: string;
  description: string;
  /** HTML with the page's one `h1`. */
  body: string;
  contents: readonly Contents[];
  onward?: Onward;
  titles: Titles;
  /** Addresses of the stylesheet and the script that only these pages need. */
  stylePath: string;
  scriptPath: string;
  /** The search query, on the search page. */
  query?: string;
}

const GROUPS = ['Start', 'Build', 'Run'] as const;
export const SEARCH_PATH = '/docs/search';

/** Without an end tag, which HTML adds: every page has this list. */
const link = (path: string, title: string, current: string, inner = '') =>
  html`<li><a href="${path}"!${path === current ? ' aria-current="page"' : ''}>${title}</a>!${inner}`;

const isInReference = (path: string) => path === REFERENCE_PATH || path.startsWith(`${REFERENCE_PATH}/`);

/** The resources are listed only between them, because the guides' list is long. */
const referenceLinks = (current: string) => {
  const inner = html`<ul>
!${resources.map((name) => link(resourcePath(name), name, current))}
</ul>`;
  return link(REFERENCE_PATH, 'API reference', current, isInReference(current) ? inner : '');
};

const group = (name: (typeof GROUPS)[number], { path, titles }: GuidePage) => html`<h2>${name}</h2>
<ul>
!${guides.filter((guide) => guide.group === name).map((guide) => link(guidePath(guide.slug), titles[guide.slug], path))}
!${name === 'Build' ? referenceLinks(path) : ''}
</ul>`;

const searchForm = (query: string) => html`<form class="search" action="${SEARCH_PATH}" role="search">
<label for="q">Search the documentation</label>
<input id="q" name="q" type="search" value="${query}" placeholder="Search (press /)" maxlength="200" autocomplete="off" required>
</form>`;

const navigation = (guide: GuidePage) =>
  html`<div class="guides">
!${searchForm(guide.query ?? '')}
<nav aria-label="Documentation"><details><summary>All pages</summary>
!${GROUPS.map((name) => group(name, guide))}
</details></nav>
</div>`;

/** Allows line breaks after each word of a code or of an object's name. */
const breakable = (text: string) => html`${text}`.replaceAll(/_|[a-z](?=[A-Z])/g, '$&<wbr>');

const contentsList = (contents: readonly Contents[]) => {
  if (contents.every(({ links }) => links.length === 0)) return '';
  return html`<nav class="contents" aria-label="On this page"><details><summary>On this page</summary>
!${contents.map(
    ({ heading, links }) => html`!${heading === undefined ? '' : html`<h2>${heading}</h2>`}
<ul>!${links.map(({ id, text }) => html`<li><a href="#${id}">!${breakable(text)}</a></li>`)}</ul>`,
  )}
</details></nav>`;
};

/** Links to the Markdown and to the previous and next page. */
const onwardLinks = ({
  markdownPath,
  previous,
  next,
}: Onward) => html`!${markdownPath === undefined ? '' : html`<p class="source"><a href="${markdownPath}">This page as Markdown</a></p>`}
<nav class="onward" aria-label="Previous and next page">
!${previous === undefined ? '' : html`<a rel="prev" href="${previous.path}"><small>Previous</small> ${previous.title}</a>`}
!${next === undefined ? '' : html`<a rel="next" href="${next.path}"><small>Next</small> ${next.title}</a>`}
</nav>`;

/** Renders a documentation page in the frame that all of them share. */
export function guidePage(guide: GuidePage): string {
  const { path, title, description, body, contents, onward, stylePath, scriptPath } = guide;
  return page({
    title,
    description,
    wide: true,
    path: isInReference(path) ? REFERENCE_PATH : '/docs',
    stylePath,
    scriptPath,
    body: html`<div class="guide">
!${navigation(guide)}
!${contentsList(contents)}
<article class="text">
!${body}
!${onward === undefined ? '' : onwardLinks(onward)}
</article>
</div>`,
  });
}
