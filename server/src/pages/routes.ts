import { readFileSync } from 'node:fs';
import type { FastifyInstance } from 'fastify';
import type { Deps } from '../deps.ts';
import { asset, assetReply, IMMUTABLE } from './asset-reply.ts';
import { createCompression } from './compress.ts';
import { htmlReply, PUBLIC_PAGE_CACHE } from './html-reply.ts';
import { landingPage } from './landing.ts';
import { inScheme, readScheme } from './scheme.ts';
import { stylesheet, stylesheetPath } from './stylesheet.ts';

const styleOf = (content: Buffer) =>
  asset(content, { contentType: 'text/css; charset=utf-8', cacheControl: IMMUTABLE });
const style = styleOf(stylesheet);
const landingStyle = styleOf(readFileSync(new URL('landing.css', import.meta.url)));
const landingStylePath = `/assets/landing-${landingStyle.etag.slice(1, 13)}.css`;
const landing = landingPage(landingStylePath);
const favicon = asset(readFileSync(new URL('favicon.svg', import.meta.url)), {
  contentType: 'image/svg+xml',
  cacheControl: 'public, max-age=86400',
});

/** The landing page, the stylesheet and the icon. */
export function pageRoutes(app: FastifyInstance, _deps: Pick<Deps, never>): void {
  app.get<{ Querystring: { scheme?: unknown } }>(stylesheetPath, { onSend: createCompression() }, (request, reply) => {
    const scheme = readScheme(request.query.scheme);
    const file = scheme === undefined ? style : styleOf(Buffer.from(inScheme(stylesheet.toString(), scheme)));
    return assetReply(request, reply, file);
  });
  app.get(landingStylePath, { onSend: createCompression() }, (request, reply) =>
    assetReply(request, reply, landingStyle),
  );
  app.get('/favicon.svg', (request, reply) => assetReply(request, reply, favicon));
  app.get('/', (_request, reply) => htmlReply(reply, landing, 200, { cacheControl: PUBLIC_PAGE_CACHE }));
}
