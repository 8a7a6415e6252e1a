import { gunzipSync } from 'node:zlib';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { IMMUTABLE } from '../pages/asset-reply.ts';
import type { ScalarScript } from './scalar-script.ts';

const accepts = (request: FastifyRequest, encoding: 'br' | 'gzip') =>
  new RegExp(`(^|,)\\s*${encoding}\\s*(,|;(?!\\s*q=0(\\.0*)?\\s*(,|$))|$)`, 'i').test(
    `${request.headers['accept-encoding'] ?? ''}`,
  );

/** Sends the script in the best encoding that the client accepts. */
export async function sendScript(
  request: FastifyRequest,
  reply: FastifyReply,
  { etag, load }: { etag: string; load: () => Promise<ScalarScript> },
): Promise<FastifyReply> {
  reply.headers({ etag, 'cache-control': IMMUTABLE, vary: 'Accept-Encoding', 'x-content-type-options': 'nosniff' });
  if (request.headers['if-none-match'] === etag) return reply.code(304).send();
  const script = await load();
  reply.type('text/javascript; charset=utf-8');
  for (const encoding of ['br', 'gzip'] as const)
    if (accepts(request, encoding)) return reply.header('content-encoding', encoding).send(script[encoding]);
  return reply.send(gunzipSync(script.gzip));
}
