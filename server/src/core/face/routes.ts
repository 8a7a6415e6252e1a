import type { FastifyInstance } from 'fastify';
import { BestowError } from '../../platform/base/errors.ts';
import { decodeId } from '../../platform/base/ids.ts';
import { asset, assetReply, IMMUTABLE } from '../../platform/pages/asset-reply.ts';
import { inScheme, readScheme } from '../../platform/pages/scheme.ts';
import type { Deps } from '../deps.ts';
import { brandStyle, brandStylePath } from './colors.ts';
import { contrast, LEAST_CONTRAST } from './contrast.ts';
import { selectLogo } from './queries.ts';

/** An earlier logo's address leads to the current one, because mails keep it. */
const STYLE_FILE = /^([0-9a-f]{6})-([0-9a-f]{6})-[0-9a-f]{12}\.css$/;
const MOVED_CACHE = 'public, max-age=300';

/** The logo and the colours that mails and pages of recipients wear. */
export function brandRoutes(app: FastifyInstance, { database }: { database: Pick<Deps['database'], 'pool'> }): void {
  app.get<{ Params: { organization_id: string; file: string } }>(
    '/assets/logo/:organization_id/:file',
    { config: { access: 'public' } },
    async (request, reply) => {
      const organizationId = decodeId('org', request.params.organization_id);
      const [found] = organizationId === undefined ? [] : await selectLogo(database.pool, [organizationId]);
      if (organizationId === undefined || found === undefined) throw new BestowError('resource_missing');
      if (request.params.file !== `${found.logo_hash}.png`)
        return reply.header('cache-control', MOVED_CACHE).redirect(`./${found.logo_hash}.png`, 302);
      return assetReply(request, reply, asset(found.logo, { contentType: 'image/png', cacheControl: IMMUTABLE }));
    },
  );

  app.get<{ Params: { file: string }; Querystring: { scheme?: unknown } }>(
    '/assets/brand/:file',
    { config: { access: 'public' } },
    async (request, reply) => {
      const [, color, textColor] = STYLE_FILE.exec(request.params.file) ?? [];
      const colors = { color: `#${color}`, text_color: `#${textColor}` };
      if (color === undefined || contrast(colors.color, colors.text_color) < LEAST_CONTRAST)
        throw new BestowError('resource_missing');
      const isCurrent = brandStylePath(colors).endsWith(`/${request.params.file}`);
      const cacheControl = isCurrent ? IMMUTABLE : MOVED_CACHE;
      const scheme = readScheme(request.query.scheme);
      const style = brandStyle(colors);
      const content = Buffer.from(scheme === undefined ? style : inScheme(style, scheme));
      return assetReply(request, reply, asset(content, { contentType: 'text/css; charset=utf-8', cacheControl }));
    },
  );
}
