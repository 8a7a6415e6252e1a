import { createHash } from 'node:crypto';
import type { FastifyInstance } from 'fastify';
import { asset, assetReply, IMMUTABLE } from './asset-reply.ts';

/** A script that pages load. */
interface PageScript {
  /** Contains a hash, so that browsers can cache the file forever. */
  path: string;
  register(app: FastifyInstance): void;
}

export function pageScript(name: string, content: Buffer): PageScript {
  const path = `/assets/${name}-${createHash('sha256').update(content).digest('hex').slice(0, 12)}.js`;
  const script = asset(content, { contentType: 'text/javascript; charset=utf-8', cacheControl: IMMUTABLE });
  return {
    path,
    register: (app) =>
      void app.get(path, { config: { access: 'public' } }, (request, reply) => assetReply(request, reply, script)),
  };
}
