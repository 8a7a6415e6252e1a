import { pipeline, Readable } from 'node:stream';
import { promisify } from 'node:util';
import { createGzip, gzip } from 'node:zlib';
import type { FastifyRequest, onSendAsyncHookHandler, onSendHookHandler } from 'fastify';

const compress = promisify(gzip);
const ACCEPTS_GZIP = /(^|,)\s*gzip\s*(,|;(?!\s*q=0(\.0*)?\s*(,|$))|$)/i;
const acceptsGzip = ({ headers }: FastifyRequest) => ACCEPTS_GZIP.test(`${headers['accept-encoding'] ?? ''}`);

/**
 * Compresses the answer of one route, which is always the same text, for clients that accept it. Not for pages with secrets:
 * the size of a compressed page tells about its content.
 */
export function createCompression(): onSendAsyncHookHandler {
  let kept: { content: string | Buffer; small: Promise<Buffer> } | undefined;
  return async (request, reply, payload) => {
    reply.header('vary', 'Accept-Encoding');
    if (!acceptsGzip(request)) return payload;
    if (!(typeof payload === 'string' || payload instanceof Buffer) || payload.length === 0) return payload;
    if (kept?.content !== payload) kept = { content: payload, small: compress(payload) };
    reply.header('content-encoding', 'gzip').removeHeader('content-length');
    return await kept.small;
  };
}

/** A shorter answer arrives in the first round trip, which carries ten packets. */
const LEAST_CHARACTERS = 14_000;
/** Level 6 takes twice the processor time for a tenth fewer bytes. Brotli and zstd save a quarter of the time at most. */
const FAST = { level: 1 };

/**
 * Compresses an answer that is a long list or a file, for clients that accept it. Not a list with links of gifts: they are
 * secrets beside names that others choose, and the size of what is compressed tells how alike the two are. No cache keeps
 * these answers, so one that is not compressed needs no `Vary`.
 */
export const compressList: onSendHookHandler<unknown> = (request, reply, payload, done) => {
  // A file that could not be read became an error.
  if (reply.statusCode !== 200) reply.removeHeader('content-encoding').removeHeader('vary');
  else if (acceptsGzip(request) && isLong(payload)) {
    reply.headers({ 'content-encoding': 'gzip', vary: 'Accept-Encoding' });
    if (typeof payload === 'string') gzip(payload, FAST, done);
    // What reads the rows reports an error.
    else
      done(
        null,
        pipeline(payload, createGzip(FAST), () => undefined),
      );
    return;
  }
  done(null, payload);
};

/** A file is sent while its rows are read. */
const isLong = (payload: unknown): payload is string | Readable =>
  payload instanceof Readable ||
  (typeof payload === 'string' && payload.length >= LEAST_CHARACTERS && !payload.includes('"link":"'));
