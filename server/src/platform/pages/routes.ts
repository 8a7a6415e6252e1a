import { readFileSync } from 'node:fs';
import type { FastifyInstance } from 'fastify';
import type { PlatformDeps } from '../deps.ts';
import { hasOutboxPage } from '../messaging/has-outbox-page.ts';
import { asset, assetReply, IMMUTABLE } from './asset-reply.ts';
import { createCompression } from './compress.ts';
import { htmlReply, PUBLIC_PAGE_CACHE } from './html-reply.ts';
import { landingPage } from './landing.ts';
import { portalLinkScript } from './portal-link-script.ts';
import { inScheme, readScheme } from './scheme.ts';
import { stylesheet, stylesheetPath } from './stylesheet.ts';

const styleOf = (content: Buffer) =>
  asset(content, { contentType: 'text/css; charset=utf-8', cacheControl: IMMUTABLE });
const style = styleOf(stylesheet);
const landingStyle = styleOf(readFileSync(new URL('landing.css', import.meta.url)));
const landingStylePath = `/assets/landing-${landingStyle.etag.slice(1, 13)}.css`;
const favicon = asset(readFileSync(new URL('favicon.svg', import.meta.url)), {
  contentType: 'image/svg+xml',
  cacheControl: 'public, max-age=86400',
});

const touchIcon = asset(readFileSync(new URL('touch-icon.png', import.meta.url)), {
  contentType: 'image/png',
  cacheControl: 'public, max-age=86400',
});

/** The landing page, the stylesheet, the script of the header and the icons. */
export function pageRoutes(
  app: FastifyInstance,
  { publicUrl, config }: Pick<PlatformDeps, 'publicUrl' | 'config'>,
): void {
  portalLinkScript.register(app);
  app.get<{ Querystring: { scheme?: unknown } }>(stylesheetPath, { onSend: createCompression() }, (request, reply) => {
    const scheme = readScheme(request.query.scheme);
    const file = scheme === undefined ? style : styleOf(Buffer.from(inScheme(stylesheet.toString(), scheme)));
    return assetReply(request, reply, file);
  });
  app.get(landingStylePath, { onSend: createCompression() }, (request, reply) =>
    assetReply(request, reply, landingStyle),
  );
  app.get('/favicon.svg', (request, reply) => assetReply(request, reply, favicon));
  app.get('/touch-icon.png', (request, reply) => assetReply(request, reply, touchIcon));
  app.get('/', (_request, reply) => {
    const landing = landingPage(landingStylePath, publicUrl(), hasOutboxPage(config, publicUrl()));
    return htmlReply(reply, landing, 200, { cacheControl: PUBLIC_PAGE_CACHE });
  });
}
