import { readFileSync } from 'node:fs';
import type { FastifyInstance } from 'fastify';
import type { Deps } from '../deps.ts';
import { type Asset, asset, assetReply, IMMUTABLE } from '../pages/asset-reply.ts';
import { htmlReply, PUBLIC_PAGE_CACHE } from '../pages/html-reply.ts';
import { REFERENCE_PATH, SEARCH_PATH } from './guide-page.ts';
import { guidePath, guides, markdownPath } from './guides.ts';
import type { Library } from './library.ts';
import { REFERENCE_POLICY, referencePage, scalarPath } from './reference-page.ts';
import { createScalarScript, scalarVersion } from './scalar-script.ts';
import { sendDocument } from './send-document.ts';
import { sendScript } from './send-script.ts';

const styleOf = (file: string) =>
  asset(readFileSync(new URL(file, import.meta.url)), {
    contentType: 'text/css; charset=utf-8',
    cacheControl: IMMUTABLE,
  });
const stylePathOf = (name: string, { etag }: Asset) => `/docs/assets/${name}-${etag.slice(1, 13)}.css`;

const referenceStyle = styleOf('reference.css');
const guideStyle = styleOf('guide.css');
const referenceStylePath = stylePathOf('reference', referenceStyle);
const guideStylePath = stylePathOf('guide', guideStyle);

/** Registers the documentation: pages, their Markdown, the search and the API reference. */
export function docsRoutes(app: FastifyInstance, deps: Pick<Deps, 'publicUrl' | 'config'>): void {
  const loadScript = createScalarScript();
  const reference = referencePage(referenceStylePath);
  let opened: { publicUrl: string; library: Promise<Library> } | undefined;

  // Rendered with the first request: the samples' address is known only when the server listens.
  function library(): Promise<Library> {
    const publicUrl = deps.publicUrl();
    if (opened?.publicUrl !== publicUrl) {
      const { sandboxMailDomain } = deps.config;
      const options = { publicUrl, sandboxMailDomain, stylePath: guideStylePath };
      const library = import('./library.ts').then(({ openLibrary }) => openLibrary(options));
      opened = { publicUrl, library };
    }
    return opened.library;
  }

  for (const { slug } of guides) {
    app.get(guidePath(slug), async (request, reply) =>
      sendDocument(request, reply, (await library()).pages[slug].document),
    );
    app.get(markdownPath(slug), async (request, reply) =>
      assetReply(request, reply, (await library()).pages[slug].markdown),
    );
  }
  for (const path of ['/llms.txt', '/docs/llms.txt'])
    app.get(path, async (request, reply) => assetReply(request, reply, (await library()).llms));
  app.get<{ Querystring: { q?: unknown } }>(SEARCH_PATH, async (request, reply) => {
    const { q } = request.query;
    return htmlReply(reply, (await library()).searchPage(typeof q === 'string' ? q : ''));
  });

  app.get(REFERENCE_PATH, (_request, reply) =>
    htmlReply(reply, reference, 200, { cacheControl: PUBLIC_PAGE_CACHE, contentSecurityPolicy: REFERENCE_POLICY }),
  );
  app.get(referenceStylePath, (request, reply) => assetReply(request, reply, referenceStyle));
  app.get(guideStylePath, (request, reply) => assetReply(request, reply, guideStyle));
  app.get(scalarPath, (request, reply) => sendScript(request, reply, { etag: `"${scalarVersion}"`, load: loadScript }));
}
