import { createHash } from 'node:crypto';
import type { FastifyReply, FastifyRequest } from 'fastify';

export interface Asset {
  content: Buffer;
  contentType: string;
  /** A quoted hash of the content. */
  etag: string;
  cacheControl: string;
}

/** For URLs that contain a hash of their content. */
export const IMMUTABLE = 'public, max-age=31536000, immutable';

export function asset(content: Buffer, rest: Omit<Asset, 'content' | 'etag'>): Asset {
  return { content, etag: `"${createHash('sha256').update(content).digest('base64url').slice(0, 22)}"`, ...rest };
}

/** Sends a file from memory, or 304 if the client has it. */
export function assetReply(request: FastifyRequest, reply: FastifyReply, file: Asset): FastifyReply {
  reply.headers({
    etag: file.etag,
    'cache-control': file.cacheControl,
    'x-content-type-options': 'nosniff',
    'content-security-policy': "default-src 'none'; frame-ancestors 'none'",
  });
  if (isKnown(file, request.headers['if-none-match'])) return reply.code(304).send();
  return reply.type(file.contentType).send(file.content);
}

/** Whether the client names what it has: one tag or several, also weak ones, or any (RFC 9110, 13.1.2). */
const isKnown = ({ etag }: Asset, named = ''): boolean =>
  named.split(',').some((one) => one.trim() === '*' || one.trim().replace(/^W\//, '') === etag);
