import { html } from 'ghtml';
import { page } from '../pages/layout.ts';
import { type GuideSlug, guidePath, guides, markdownPath } from './guides.ts';
import type { Heading } from './render-markdown.ts';

type Titles = Readonly<Record<GuideSlug, string>>;

/** A group of links under “On this page”. */
export interface Contents {
  heading?: string;
  links: readonly Heading[];
}

interface GuidePage {
  /** Undefined for pages that are not guides: the search and the API reference. */
  slug: GuideSlug | undefined;
  isReference?: boolean;
  title: string;
  description: string;
  /** HTML with the page's one `h1`. */
  body: string;
  contents: readonly Contents[];
  titles: Titles;
  /** Addresses of the stylesheet and the script that only these pages need. */
  stylePath: string;
  scriptPath: string;
  /** The search query, on the search page. */
  query?: string;
}

const GROUPS = ['Start', 'Build', 'Run'] as const;
export const REFERENCE_PATH = '/docs/api';
export const SEARCH_PATH = '/docs/search';

const link = (path: string, title: string, isCurrent: boolean) =>
  html`<li><a href="${path}"!${isCurrent ? ' aria-current="page"' : ''}>${title}</a></li>`;

const group = (name: (typeof GROUPS)[number], { slug, titles, isReference = false }: GuidePage) => html`<h2>${name}</h2>
<ul>
!${guides
  .filter((guide) => guide.group === name)
  .map((guide) => link(guidePath(guide.slug), titles[guide.slug], guide.slug === slug))}
!${name === 'Build' ? link(REFERENCE_PATH, 'API reference', isReference) : ''}
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

/** Allows line breaks after each word of a code. */
const breakable = (text: string) => html`${text}`.replaceAll('_', '_<wbr>');

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
const onward = (slug: GuideSlug, titles: Titles) => {
  const index = guides.findIndex((guide) => guide.slug === slug);
  const [previous, next] = [guides[index - 1], guides[index + 1]];
  return html`<p class="source"><a href="${markdownPath(slug)}">This page as Markdown</a></p>
<nav class="onward" aria-label="Previous and next page">
!${previous === undefined ? '' : html`<a rel="prev" href="${guidePath(previous.slug)}"><small>Previous</small> ${titles[previous.slug]}</a>`}
!${next === undefined ? '' : html`<a rel="next" href="${guidePath(next.slug)}"><small>Next</small> ${titles[next.slug]}</a>`}
</nav>`;
};

/** Renders a documentation page in the frame that all of them share. */
export function guidePage(guide: GuidePage): string {
  const { slug, title, description, body, contents, titles, stylePath, scriptPath, isReference } = guide;
  return page({
    title: slug === 'index' ? 'Documentation' : title,
    description,
    wide: true,
    path: isReference ? REFERENCE_PATH : '/docs',
    stylePath,
    scriptPath,
    body: html`<div class="guide">
!${navigation(guide)}
!${contentsList(contents)}
<article class="text">
!${body}
!${slug === undefined ? '' : onward(slug, titles)}
</article>
</div>`,
  });
}
