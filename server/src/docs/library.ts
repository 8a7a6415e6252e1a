import { readFileSync } from 'node:fs';
import { setImmediate } from 'node:timers/promises';
import { inlineAnswers } from '../api/v1-document.ts';
import { type Asset, asset } from '../pages/asset-reply.ts';
import { errorEntries, errorsBody, errorsContents, errorsMarkdown } from './errors-page.ts';
import { fillTables, withoutMarks } from './fill-tables.ts';
import { type Contents, guidePage, REFERENCE_PATH } from './guide-page.ts';
import { type GuideSlug, guidePath, guides, markdownPath } from './guides.ts';
import { type ReferenceDocument, referenceBody, referenceContents } from './reference-page.ts';
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
  /** Rendered with the first call. */
  reference(): Document;
  /** For LLMs: https://llmstxt.org. */
  llms: Asset;
  search(query: string): SearchResult[];
  searchPage(query: string): string;
}

/** Address and domain in the files, replaced when a page is shown. */
const WRITTEN_URL = 'http://localhost:3000';
const WRITTEN_MAIL_DOMAIN = 'sandbox.gift.test';

const FOLDER = new URL('../../../docs/', import.meta.url);

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
  const texts = {} as Record<GuideSlug, string>;
  const rendered = {} as Record<GuideSlug, RenderedMarkdown>;
  for (const { slug } of guides) {
    await setImmediate();
    const text = slug === 'errors' ? errorsMarkdown() : readFileSync(new URL(`${slug}.md`, FOLDER), 'utf8');
    const here = text.replaceAll(WRITTEN_URL, publicUrl).replaceAll(WRITTEN_MAIL_DOMAIN, sandboxMailDomain);
    texts[slug] = withoutMarks(fillTables(here, sandboxMailDomain));
    rendered[slug] = renderMarkdown(texts[slug]);
  }
  const titles = byGuide((slug) => rendered[slug].title);
  const frame = { titles, ...assets };

  const document = (slug: GuideSlug, { title, description, html, headings }: RenderedMarkdown) => {
    const contents: Contents[] = slug === 'errors' ? errorsContents() : [{ links: headings }];
    const body = slug === 'errors' ? errorsBody(publicUrl) : html;
    return documentOf(guidePage({ ...frame, slug, title, description, body, contents }));
  };

  const entries: SearchEntry[] = guides.flatMap(({ slug }) => {
    const { title, sections } = rendered[slug];
    return slug === 'errors'
      ? errorEntries()
      : sections.map((section) => ({ ...section, path: guidePath(slug), title }));
  });

  const search = createSearch(entries);
  let reference: Document | undefined;
  return {
    pages: byGuide((slug) => ({
      document: document(slug, rendered[slug]),
      markdown: plain(texts[slug], 'text/markdown'),
    })),
    reference() {
      reference ??= referenceDocument(inlineAnswers(describe() as ReferenceDocument), publicUrl, frame);
      return reference;
    },
    llms: plain(llmsText(publicUrl, rendered), 'text/plain'),
    search,
    searchPage: (query) =>
      guidePage({
        ...frame,
        slug: undefined,
        title: 'Search',
        description: 'Search the documentation of Bestow.',
        body: searchBody(query, search(query)),
        contents: [],
        query,
      }),
  };
}

function referenceDocument(
  described: ReferenceDocument,
  publicUrl: string,
  frame: Pick<Parameters<typeof guidePage>[0], 'titles' | 'stylePath' | 'scriptPath'>,
): Document {
  return documentOf(
    guidePage({
      ...frame,
      slug: undefined,
      isReference: true,
      title: 'API reference',
      description: 'Every operation, field and answer of the Bestow API.',
      body: referenceBody(described, publicUrl),
      contents: referenceContents(described),
    }),
  );
}

function llmsText(publicUrl: string, rendered: Record<GuideSlug, RenderedMarkdown>): string {
  const lines = guides.map(({ slug }) => {
    const { title, description } = rendered[slug];
    return `- [${title}](${publicUrl}${markdownPath(slug)}): ${description}`;
  });
  return `# Bestow

> A gift ordering service. Programs buy gifts through its HTTP interface, pay for them from a balance, and send each one to a person by email, by phone or as a link. The sandbox lets you test every outcome.

## Documentation

${lines.join('\n')}

## Reference

- [OpenAPI document](${publicUrl}/v1/openapi.json): every operation, field and answer
- [API reference](${publicUrl}${REFERENCE_PATH}): the same in the browser
`;
}
