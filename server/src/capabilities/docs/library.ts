import { readFileSync } from 'node:fs';
import { setImmediate } from 'node:timers/promises';
import { type Asset, asset } from '../../platform/pages/asset-reply.ts';
import { type Resource, resources } from './api-description.ts';
import { collectionOf } from './collection.ts';
import { errorEntries, errorsBody, errorsContents, errorsMarkdown } from './errors-page.ts';
import { fillTables, withoutMarks } from './fill-tables.ts';
import { type Contents, guidePage, type Neighbour, SEARCH_PATH } from './guide-page.ts';
import { type GuideSlug, guidePath, guides, markdownPath } from './guides.ts';
import { createReference } from './reference.ts';
import { resourceMarkdownPath } from './reference-path.ts';
import { type RenderedMarkdown, renderMarkdown } from './render-markdown.ts';
import { createSearch, type SearchEntry, type SearchResult } from './search.ts';
import { searchBody } from './search-page.ts';
import { type Document, documentOf } from './send-document.ts';

interface LibraryOptions {
  /** Without a final slash; the samples contain it. */
  publicUrl: string;
  sandboxMailDomain: string;
  stylePath: string;
  scriptPath: string;
  /** Makes the OpenAPI document of `/v1`. */
  describe: () => object;
}

/** All pages of the documentation, rendered. */
export interface Library {
  pages: Readonly<Record<GuideSlug, { document: Document; markdown: Asset }>>;
  /** A page of the API reference, rendered with the first call. @param name undefined for the overview */
  reference(name?: Resource): Document;
  referenceMarkdown(name?: Resource): Asset;
  /** The requests of `/v1` for Postman, Bruno and others, made with the first call. */
  collection(): Asset;
  /** For LLMs: https://llmstxt.org. */
  llms: Asset;
  search(query: string): SearchResult[];
  searchPage(query: string): string;
}

/** Address and domain in the files and in examples, replaced when a page is shown. */
const WRITTEN_URL = 'http://localhost:3000';
const WRITTEN_MAIL_DOMAIN = 'sandbox.gift.test';

const FOLDER = new URL('../../../../docs/', import.meta.url);

const plain = (text: string, contentType: string) =>
  asset(Buffer.from(text), { contentType: `${contentType}; charset=utf-8`, cacheControl: 'public, max-age=300' });

const byGuide = <Value>(make: (slug: GuideSlug) => Value) =>
  Object.fromEntries(guides.map(({ slug }) => [slug, make(slug)])) as Record<GuideSlug, Value>;

/** Reads and renders every page; yields between pages so that requests are answered. */
export async function openLibrary({
  publicUrl,
  sandboxMailDomain,
  describe,
  ...assets
}: LibraryOptions): Promise<Library> {
  const here = (text: string) =>
    text.replaceAll(WRITTEN_URL, publicUrl).replaceAll(WRITTEN_MAIL_DOMAIN, sandboxMailDomain);
  const texts = {} as Record<GuideSlug, string>;
  const rendered = {} as Record<GuideSlug, RenderedMarkdown>;
  for (const { slug } of guides) {
    await setImmediate();
    const text = slug === 'errors' ? errorsMarkdown() : readFileSync(new URL(`${slug}.md`, FOLDER), 'utf8');
    texts[slug] = withoutMarks(fillTables(here(text), sandboxMailDomain));
    rendered[slug] = renderMarkdown(texts[slug]);
  }
  const titles = byGuide((slug) => rendered[slug].title);
  const frame = { titles, ...assets };

  const document = (slug: GuideSlug, { title, description, html, headings }: RenderedMarkdown) => {
    const contents: Contents[] = slug === 'errors' ? errorsContents() : [{ links: headings }];
    const body = slug === 'errors' ? errorsBody(publicUrl) : html;
    const index = guides.findIndex((guide) => guide.slug === slug);
    const neighbour = (at: number): Neighbour | undefined => {
      const guide = guides[at];
      return guide && { path: guidePath(guide.slug), title: titles[guide.slug] };
    };
    const onward = { markdownPath: markdownPath(slug), previous: neighbour(index - 1), next: neighbour(index + 1) };
    const shown = slug === 'index' ? 'Documentation' : title;
    return documentOf(
      guidePage({ ...frame, path: guidePath(slug), title: shown, description, body, contents, onward }),
    );
  };

  const entries: SearchEntry[] = guides.flatMap(({ slug }) => {
    const { title, sections } = rendered[slug];
    return slug === 'errors'
      ? errorEntries()
      : sections.map((section) => ({ ...section, path: guidePath(slug), title }));
  });

  const describeHere = () => JSON.parse(here(JSON.stringify(describe())));
  const reference = createReference({ describe: describeHere, publicUrl, frame });
  // Made with the first search, because the document of `/v1` is.
  let find: ReturnType<typeof createSearch> | undefined;
  const search = (query: string) => {
    find ??= createSearch([...entries, ...reference.searchEntries()]);
    return find(query);
  };
  return {
    pages: byGuide((slug) => ({
      document: document(slug, rendered[slug]),
      markdown: plain(texts[slug], 'text/markdown'),
    })),
    reference: (name) => reference.page(name),
    referenceMarkdown: (name) => plain(reference.markdown(name), 'text/markdown'),
    collection: () => plain(JSON.stringify(collectionOf(describeHere(), publicUrl), null, 2), 'application/json'),
    llms: plain(llmsText(publicUrl, rendered), 'text/plain'),
    search,
    searchPage: (query) =>
      guidePage({
        ...frame,
        path: SEARCH_PATH,
        title: 'Search',
        description: 'Search the documentation of Bestow.',
        body: searchBody(query, search(query)),
        contents: [],
        query,
      }),
  };
}

function llmsText(publicUrl: string, rendered: Record<GuideSlug, RenderedMarkdown>): string {
  const lines = guides.map(({ slug }) => {
    const { title, description } = rendered[slug];
    return `- [${title}](${publicUrl}${markdownPath(slug)}): ${description}`;
  });
  const pages = resources.map((name) => `  - [${name}](${publicUrl}${resourceMarkdownPath(name)})`);
  return `# Bestow

> A gift ordering service. Programs buy gifts through its HTTP interface, pay for them from a balance, and send each one to a person by email, by phone or as a link. The sandbox lets you test every outcome.

## Documentation

${lines.join('\n')}

## Reference

- [OpenAPI document](${publicUrl}/v1/openapi.json): every operation, field and answer
- [API reference](${publicUrl}${resourceMarkdownPath()}): the same with samples, a page for each resource
${pages.join('\n')}
`;
}
