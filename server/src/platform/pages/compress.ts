import { promisify } from 'node:util';
import { gzip } from 'node:zlib';
import type { onSendAsyncHookHandler } from 'fastify';

const compress = promisify(gzip);
const ACCEPTS_GZIP = /(^|,)\s*gzip\s*(,|;(?!\s*q=0(\.0*)?\s*(,|$))|$)/i;

/**
 * Compresses the answer of one route, which is always the same text, for clients that accept it. Not for pages with secrets:
 * the size of a compressed page tells about its content.
 */
export function createCompression(): onSendAsyncHookHandler {
  let kept: { content: string | Buffer; small: Promise<Buffer> } | undefined;
  return async ({ headers }, reply, payload) => {
    reply.header('vary', 'Accept-Encoding');
    if (!ACCEPTS_GZIP.test(`${headers['accept-encoding'] ?? ''}`)) return payload;
    if (!(typeof payload === 'string' || payload instanceof Buffer) || payload.length === 0) return payload;
    if (kept?.content !== payload) kept = { content: payload, small: compress(payload) };
    reply.header('content-encoding', 'gzip').removeHeader('content-length');
    return await kept.small;
  };
}
