import { readFileSync } from 'node:fs';
import { basename } from 'node:path';
import type { FastifyInstance } from 'fastify';
import type { Deps } from '../../core/deps.ts';
import { type Asset, asset, assetReply, IMMUTABLE } from '../../platform/pages/asset-reply.ts';
import { createCompression } from '../../platform/pages/compress.ts';
import { htmlReply } from '../../platform/pages/html-reply.ts';
import { portalLink } from '../../platform/pages/portal-link-script.ts';
import { resources } from './api-description.ts';
import { SEARCH_PATH } from './guide-page.ts';
import { guidePath, guides, markdownPath } from './guides.ts';
import type { Library } from './library.ts';
import { REFERENCE_PATH, resourceMarkdownPath, resourcePath } from './reference-path.ts';
import { GUIDE_POLICY, sendDocument } from './send-document.ts';

const styleOf = (file: string) =>
  asset(readFileSync(new URL(file, import.meta.url)), {
    contentType: 'text/css; charset=utf-8',
    cacheControl: IMMUTABLE,
  });
const pathOf = (name: string, { etag }: Asset, ending: 'css' | 'js') =>
  `/docs/assets/${name}-${etag.slice(1, 13)}.${ending}`;

const guideStyle = styleOf('guide.css');
const guideScript = asset(Buffer.concat([readFileSync(new URL('guide.js', import.meta.url)), portalLink]), {
  contentType: 'text/javascript; charset=utf-8',
  cacheControl: IMMUTABLE,
});
const guideScriptPath = pathOf('guide', guideScript, 'js');
const guideStylePath = pathOf('guide', guideStyle, 'css');

const COLLECTION_PATH = '/sdk/bestow.postman_collection.json';

/** The overview and the resources. */
const referencePages = [
  { path: REFERENCE_PATH, name: undefined },
  ...resources.map((name) => ({ path: resourcePath(name), name })),
];

/**
 * Registers the documentation: pages, their Markdown, the search and the API reference.
 *
 * @param describe makes the document of `/v1`
 * @returns how to get the pages, which are rendered with the first call
 */
export function docsRoutes(
  app: FastifyInstance,
  deps: Pick<Deps, 'publicUrl' | 'config'>,
  describe: () => object,
): () => Promise<Library> {
  let opened: { publicUrl: string; library: Promise<Library> } | undefined;

  // Rendered with the first request: the samples' address is known only when the server listens.
  function library(): Promise<Library> {
    const publicUrl = deps.publicUrl();
    if (opened?.publicUrl !== publicUrl) {
      const { sandboxMailDomain } = deps.config;
      const options = {
        publicUrl,
        sandboxMailDomain,
        stylePath: guideStylePath,
        scriptPath: guideScriptPath,
        describe,
      };
      const library = import('./library.ts').then(({ openLibrary }) => openLibrary(options));
      opened = { publicUrl, library };
    }
    return opened.library;
  }

  for (const { slug } of guides) {
    app.get(guidePath(slug), { onSend: createCompression() }, async (request, reply) =>
      sendDocument(request, reply, (await library()).pages[slug].document),
    );
    app.get(markdownPath(slug), async (request, reply) =>
      assetReply(request, reply, (await library()).pages[slug].markdown),
    );
  }
  // Relative, because PUBLIC_URL may have a path.
  for (const path of [
    ...guides.map(({ slug }) => guidePath(slug)),
    SEARCH_PATH,
    ...referencePages.map(({ path }) => path),
  ])
    app.get(`${path}/`, (_request, reply) => reply.redirect(`../${basename(path)}`, 308));
  for (const path of ['/llms.txt', '/docs/llms.txt'])
    app.get(path, async (request, reply) => assetReply(request, reply, (await library()).llms));
  app.get(COLLECTION_PATH, async (request, reply) => assetReply(request, reply, (await library()).collection()));
  app.get<{ Querystring: { q?: unknown } }>(SEARCH_PATH, async (request, reply) => {
    const { q } = request.query;
    const found = (await library()).searchPage(typeof q === 'string' ? q : '');
    return htmlReply(reply, found, 200, { contentSecurityPolicy: GUIDE_POLICY });
  });

  for (const { path, name } of referencePages) {
    app.get(path, { onSend: createCompression() }, async (request, reply) =>
      sendDocument(request, reply, (await library()).reference(name)),
    );
    app.get(resourceMarkdownPath(name), { onSend: createCompression() }, async (request, reply) =>
      assetReply(request, reply, (await library()).referenceMarkdown(name)),
    );
  }
  app.get(guideStylePath, { onSend: createCompression() }, (request, reply) => assetReply(request, reply, guideStyle));
  app.get(guideScriptPath, { onSend: createCompression() }, (request, reply) =>
    assetReply(request, reply, guideScript),
  );
  return library;
}
