import type { FastifyInstance } from 'fastify';
import type { Deps } from '../../core/deps.ts';
import { BestowError } from '../../platform/base/errors.ts';
import { decodeId } from '../../platform/base/ids.ts';
import { asset, assetReply, IMMUTABLE } from '../../platform/pages/asset-reply.ts';
import { selectPicture } from './picture-queries.ts';

const PICTURE_FILE = /^([0-9a-f]{32})\.webp$/;

/** Pictures of what recipients choose from. */
export function pictureRoutes(app: FastifyInstance, { database }: { database: Pick<Deps['database'], 'pool'> }): void {
  app.get<{ Params: { organization_id: string; file: string } }>(
    '/offers/pictures/:organization_id/:file',
    { config: { access: 'public' } },
    async (request, reply) => {
      const organizationId = decodeId('org', request.params.organization_id);
      const [, pictureId] = PICTURE_FILE.exec(request.params.file) ?? [];
      if (organizationId === undefined || pictureId === undefined) throw new BestowError('resource_missing');
      const [found] = await selectPicture(database.pool, [organizationId, pictureId]);
      if (found === undefined) throw new BestowError('resource_missing');
      return assetReply(request, reply, asset(found.content, { contentType: 'image/webp', cacheControl: IMMUTABLE }));
    },
  );
}
