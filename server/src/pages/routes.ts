import { readFileSync } from 'node:fs';
import type { FastifyInstance } from 'fastify';
import type { Deps } from '../deps.ts';
import { asset, assetReply, IMMUTABLE } from './asset-reply.ts';
import { htmlReply, PUBLIC_PAGE_CACHE } from './html-reply.ts';
import { landingPage } from './landing.ts';
import { stylesheet, stylesheetPath } from './stylesheet.ts';

const style = asset(stylesheet, { contentType: 'text/css; charset=utf-8', cacheControl: IMMUTABLE });
const favicon = asset(readFileSync(new URL('favicon.svg', import.meta.url)), {
  contentType: 'image/svg+xml',
  cacheControl: 'public, max-age=86400',
});

/** The landing page, the stylesheet and the icon. */
export function pageRoutes(app: FastifyInstance, _deps: Pick<Deps, never>): void {
  app.get(stylesheetPath, (request, reply) => assetReply(request, reply, style));
  app.get('/favicon.svg', (request, reply) => assetReply(request, reply, favicon));
  app.get('/', (_request, reply) => htmlReply(reply, landingPage, 200, { cacheControl: PUBLIC_PAGE_CACHE }));
}
