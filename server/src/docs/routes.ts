import { readFileSync } from 'node:fs';
import { gunzipSync } from 'node:zlib';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import type { Deps } from '../deps.ts';
import { asset, assetReply, IMMUTABLE } from '../pages/asset-reply.ts';
import { htmlReply, PUBLIC_PAGE_CACHE } from '../pages/html-reply.ts';
import { errorsPage } from './errors-page.ts';
import { REFERENCE_POLICY, referencePage, scalarPath } from './reference-page.ts';
import { createScalarScript, type ScalarScript, scalarVersion } from './scalar-script.ts';

const style = asset(readFileSync(new URL('reference.css', import.meta.url)), {
  contentType: 'text/css; charset=utf-8',
  cacheControl: IMMUTABLE,
});
const stylePath = `/docs/assets/reference-${style.etag.slice(1, 13)}.css`;

const accepts = (request: FastifyRequest, encoding: 'br' | 'gzip') =>
  new RegExp(`(^|,)\\s*${encoding}\\s*(,|;(?!\\s*q=0(\\.0*)?\\s*(,|$))|$)`, 'i').test(
    `${request.headers['accept-encoding'] ?? ''}`,
  );

function sendScript(request: FastifyRequest, reply: FastifyReply, script: ScalarScript): FastifyReply {
  reply.type('text/javascript; charset=utf-8');
  for (const encoding of ['br', 'gzip'] as const)
    if (accepts(request, encoding)) return reply.header('content-encoding', encoding).send(script[encoding]);
  return reply.send(gunzipSync(script.gzip));
}

/** The documentation for people: the API reference and every error explained. */
export function docsRoutes(app: FastifyInstance, deps: Pick<Deps, 'publicUrl'>): void {
  const loadScript = createScalarScript();
  const reference = referencePage(stylePath);
  const etag = `"${scalarVersion}"`;

  app.get('/docs', (_request, reply) =>
    htmlReply(reply, reference, 200, { cacheControl: PUBLIC_PAGE_CACHE, contentSecurityPolicy: REFERENCE_POLICY }),
  );
  app.get('/docs/errors', (_request, reply) =>
    htmlReply(reply, errorsPage(deps.publicUrl()), 200, { cacheControl: PUBLIC_PAGE_CACHE }),
  );
  app.get(stylePath, (request, reply) => assetReply(request, reply, style));
  app.get(scalarPath, async (request, reply) => {
    reply.headers({ etag, 'cache-control': IMMUTABLE, vary: 'Accept-Encoding', 'x-content-type-options': 'nosniff' });
    if (request.headers['if-none-match'] === etag) return reply.code(304).send();
    return sendScript(request, reply, await loadScript());
  });
}
