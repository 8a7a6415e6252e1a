import { promisify } from 'node:util';
import { gzip } from 'node:zlib';
import type { onSendAsyncHookHandler } from 'fastify';

const compress = promisify(gzip);
const ACCEPTS_GZIP = /(^|,)\s*gzip\s*(,|;(?!\s*q=0(\.0*)?\s*(,|$))|$)/i;

/** Compresses the answer of one route, which is always the same page, for clients that accept it. */
export function createCompression(): onSendAsyncHookHandler {
  let kept: { page: string; small: Promise<Buffer> } | undefined;
  return async ({ headers }, reply, payload) => {
    reply.header('vary', 'Accept-Encoding');
    if (typeof payload !== 'string' || payload === '' || !ACCEPTS_GZIP.test(`${headers['accept-encoding'] ?? ''}`))
      return payload;
    if (kept?.page !== payload) kept = { page: payload, small: compress(payload) };
    reply.header('content-encoding', 'gzip').removeHeader('content-length');
    return await kept.small;
  };
}
