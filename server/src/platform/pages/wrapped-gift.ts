import { readFileSync } from 'node:fs';
import type { FastifyInstance } from 'fastify';
import { asset, assetReply } from './asset-reply.ts';

const picture = asset(readFileSync(new URL('wrapped-gift.jpg', import.meta.url)), {
  contentType: 'image/jpeg',
  cacheControl: 'public, max-age=86400',
});

/** A wrapped gift of 1200 by 630 pixels, without personal data: for mails, and for previews of links. Mails keep the path for years. */
export const wrappedGiftPath = '/assets/wrapped-gift.jpg';

export const wrappedGiftRoute = (app: FastifyInstance): unknown =>
  app.get(wrappedGiftPath, { config: { access: 'public' } }, (request, reply) => assetReply(request, reply, picture));
