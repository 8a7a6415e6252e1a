import type { IncomingMessage } from 'node:http';
import { BestowError } from '../errors.ts';
import { pruneJson } from './prune-json.ts';
import type { BodyUse } from './request-context.ts';

/** 1 MB (decisions, «Order of checks»). */
export const BODY_LIMIT_BYTES = 1_048_576;

/** An order of ten gifts with every field at its longest stays under it, unless it is escaped; so short a body parses fast. */
const PLAIN_LIMIT_BYTES = 32 * 1024;

const utf8 = new TextDecoder('utf-8', { fatal: true });
// For signatures every character counts, a byte order mark too.
const exactUtf8 = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true });

/** Whether its headers announce one. */
export const hasBody = ({ headers }: IncomingMessage): boolean =>
  headers['transfer-encoding'] !== undefined || headers['content-length'] !== undefined;

/**
 * Reads a request's body and parses it as JSON, whatever its content type says; with `raw` it is the text as it came.
 *
 * Not Fastify's own reader: that one refuses content types, takes an empty JSON body for an error, closes the connection
 * on a client that still writes, and lets broken UTF-8 pass.
 *
 * @returns undefined where there is no body, or it is to be ignored
 * @throws BestowError `request_body_too_large`, `request_body_invalid`
 */
export async function readBody(request: IncomingMessage, use: BodyUse): Promise<unknown> {
  if (Number(request.headers['content-length'] ?? 0) > BODY_LIMIT_BYTES)
    throw new BestowError('request_body_too_large');
  const bytes = await collect(request);
  if (use === 'ignored' || bytes.length === 0) return undefined;
  try {
    if (use === 'raw') return exactUtf8.decode(bytes);
    // Drops a byte order mark, as RFC 8259 allows.
    const text = utf8.decode(bytes);
    if (bytes.length <= PLAIN_LIMIT_BYTES) return JSON.parse(text) as unknown;
    return JSON.parse(pruneJson(Buffer.from(text)).toString()) as unknown;
  } catch {
    throw new BestowError('request_body_invalid');
  }
}

const BROKEN_OFF = 'brokenOff';
const brokenOff = new WeakMap<IncomingMessage, BestowError>();

/** Tells whoever reads the body, now or later, that its end will never come. */
export function breakOff(request: IncomingMessage, error: BestowError): void {
  brokenOff.set(request, error);
  request.emit(BROKEN_OFF);
}

/** What is there already. */
function readAll(request: IncomingMessage): Buffer {
  const chunks: Buffer[] = [];
  for (let chunk = request.read(); chunk !== null; chunk = request.read()) chunks.push(chunk);
  return joined(chunks);
}

const joined = (chunks: Buffer[]) => (chunks.length === 1 && chunks[0] ? chunks[0] : Buffer.concat(chunks));

/** Without iterating the stream, whose end would destroy the socket before a client that still writes has its answer. */
function collect(request: IncomingMessage): Promise<Buffer> {
  return new Promise((resolve, reject) => {
    const chunks: Buffer[] = [];
    let length = 0;
    const stop = () => {
      request.off('data', onData).off('end', onEnd);
      request.off(BROKEN_OFF, onBroken).off('error', onBroken).off('close', onBroken);
    };
    const onData = (chunk: Buffer) => {
      length += chunk.length;
      if (length > BODY_LIMIT_BYTES) {
        stop();
        reject(new BestowError('request_body_too_large'));
      } else chunks.push(chunk);
    };
    const onEnd = () => {
      stop();
      resolve(joined(chunks));
    };
    const onBroken = () => {
      stop();
      reject(brokenOff.get(request) ?? new BestowError('request_body_invalid'));
    };
    // A client may have hung up while its key was looked up: then no event comes any more.
    if (request.destroyed || brokenOff.has(request)) onBroken();
    // Most came with their headers: then it is all there, and no listener is needed.
    else if (request.complete && request.readableLength <= BODY_LIMIT_BYTES) resolve(readAll(request));
    else {
      request.on('data', onData).on('end', onEnd);
      request.on(BROKEN_OFF, onBroken).on('error', onBroken).on('close', onBroken);
    }
  });
}

const DRAIN_LIMIT_BYTES = 16 * BODY_LIMIT_BYTES;
const DRAIN_LIMIT_MS = 2_000;

/**
 * Reads and drops the rest of a body that was too large, up to 16 MiB or two seconds, so that a client that writes first
 * still gets its answer; one that goes on is cut off.
 */
export function drain(request: IncomingMessage): void {
  const { socket } = request;
  if (request.complete) return;
  let length = 0;
  const cut = setTimeout(() => socket.destroy(), DRAIN_LIMIT_MS).unref();
  request.on('data', (chunk: Buffer) => {
    length += chunk.length;
    if (length > DRAIN_LIMIT_BYTES) socket.destroy();
  });
  request.once('close', () => clearTimeout(cut)).once('end', () => clearTimeout(cut));
  request.on('error', () => undefined);
  request.resume();
}
