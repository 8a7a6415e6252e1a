import type { IncomingMessage } from 'node:http';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import { bodyValidatorOf } from '../api/validate.ts';
import { BestowError } from '../base/errors.ts';
import { findCrowdedObject } from './crowded-object.ts';
import { parseExactly } from './exact-json.ts';
import type { BodyUse } from './request-context.ts';

/** 1 MB. */
export const BODY_LIMIT_BYTES = 1_048_576;

/** An order has five levels. `JSON.parse` takes 130 ms for a megabyte of `[[[[…`. */
const MAX_DEPTH = 64;

// A signature covers every character, also a byte order mark.
const exactUtf8 = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true });

/** Whether the headers announce a body. */
const hasBody = ({ headers }: IncomingMessage): boolean =>
  headers['transfer-encoding'] !== undefined || headers['content-length'] !== undefined;

/** Reads and validates bodies as their routes say. */
export function addBodyParser(app: FastifyInstance): void {
  // Fastify reads no body of a GET, but a body over the limit must be refused and the rest skipped.
  app.addHook('preParsing', (request, _reply, _payload, done) => {
    const { raw } = request;
    if (!hasBody(raw) || (raw.method !== 'GET' && raw.method !== 'HEAD')) done();
    else readBody(raw, 'ignored').then(() => done(), done);
  });

  app.removeAllContentTypeParsers();
  app.addContentTypeParser('*', (request: FastifyRequest, payload: IncomingMessage) =>
    readBody(payload, request.routeConfig.body ?? 'ignored'),
  );

  app.addHook('preValidation', (request, _reply, done) => {
    const { body: use } = request.routeConfig;
    // Fastify would validate a missing body as null. Clients of some languages send null for no body.
    if (use === 'optional') request.body ??= {};
    if (request.body === undefined && use === 'required')
      done(new BestowError('request_body_invalid', { message: 'This operation needs a body: a JSON object.' }));
    else done();
  });

  app.setValidatorCompiler(({ schema, httpPart }) => {
    // Routes parse paths, queries and headers themselves; their schemas are for the OpenAPI document.
    if (httpPart !== 'body') return () => true;
    return bodyValidatorOf(schema as object);
  });
}

/**
 * Reads a request's body and parses it as JSON for every content type; `raw` returns the text.
 *
 * Fastify's own reader refuses content types, takes an empty JSON body for an error, closes the connection while a client
 * still writes, and accepts malformed UTF-8.
 *
 * @returns undefined if there is no body or the route ignores it
 * @throws BestowError `request_body_too_large`, `request_body_invalid`, `parameter_invalid`
 */
export async function readBody(request: IncomingMessage, use: BodyUse): Promise<unknown> {
  if (Number(request.headers['content-length'] ?? 0) > BODY_LIMIT_BYTES)
    throw new BestowError('request_body_too_large');
  const bytes = await collect(request);
  if (use === 'ignored' || bytes.length === 0) return undefined;
  if (use !== 'raw' && isTooDeep(bytes))
    throw new BestowError('request_body_invalid', { message: `The body has more than ${MAX_DEPTH} nested levels.` });
  const crowded = use === 'raw' ? undefined : findCrowdedObject(bytes);
  if (crowded !== undefined)
    throw new BestowError('parameter_invalid', {
      param: crowded,
      message: 'An object has more than 1,000 members.',
    });
  try {
    return use === 'raw' ? exactUtf8.decode(bytes) : parseExactly(bytes);
  } catch (error) {
    throw error instanceof BestowError ? error : new BestowError('request_body_invalid');
  }
}

/** Counts brackets outside of strings. */
function isTooDeep(json: Buffer): boolean {
  let depth = 0;
  let isInString = false;
  for (let index = 0; index < json.length; index += 1) {
    const character = json[index];
    if (character === 0x22) isInString = !isInString;
    else if (isInString) {
      // A backslash escapes the next character.
      if (character === 0x5c) index += 1;
    } else if (character === 0x5b || character === 0x7b) {
      depth += 1;
      if (depth > MAX_DEPTH) return true;
    } else if (character === 0x5d || character === 0x7d) depth -= 1;
  }
  return false;
}

const BROKEN_OFF = 'brokenOff';
const brokenOff = new WeakMap<IncomingMessage, BestowError>();

/** Makes the current or next reader of the body fail with this error. */
export function breakOff(request: IncomingMessage, error: BestowError): void {
  brokenOff.set(request, error);
  request.emit(BROKEN_OFF);
}

/** Does not iterate the stream, whose end would destroy the socket before a client that still writes has its answer. */
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
      resolve(Buffer.concat(chunks));
    };
    const onBroken = () => {
      stop();
      reject(brokenOff.get(request) ?? new BestowError('request_body_invalid'));
    };
    // The client may have closed the connection during the key look-up; no event comes after that.
    if (request.destroyed || brokenOff.has(request)) onBroken();
    else {
      request.on('data', onData).on('end', onEnd);
      request.on(BROKEN_OFF, onBroken).on('error', onBroken).on('close', onBroken);
    }
  });
}

const DRAIN_LIMIT_BYTES = 16 * BODY_LIMIT_BYTES;
const DRAIN_LIMIT_MS = 2_000;

/**
 * Skips up to 16 MiB or two seconds of the rest of a body that is answered with an error, so that a client that writes first
 * gets its answer.
 *
 * @param options `closes`: the client asked for the end of the connection after the answer
 */
export function drain(request: IncomingMessage, { closes }: { closes: boolean }): void {
  const { socket } = request;
  const isRead = request.complete || request.readableEnded;
  if (!hasBody(request) || isRead || request.destroyed || brokenOff.has(request)) return;
  let length = 0;
  const cut = setTimeout(() => socket.destroy(), DRAIN_LIMIT_MS).unref();
  let closeAfterBody: (() => void) | undefined;
  if (closes) {
    // Node closes the connection after the answer, and bytes that were not read would destroy the answer on its way. The
    // parser refuses what follows the body.
    const close = socket.destroySoon.bind(socket);
    socket.destroySoon = () => {
      if (request.complete) close();
      else {
        closeAfterBody = close;
        socket.end();
      }
    };
  }
  request.on('data', (chunk: Buffer) => {
    length += chunk.length;
    if (length > DRAIN_LIMIT_BYTES) socket.destroy();
  });
  // Not of the socket, which would keep a listener for each request of the connection.
  request.once('close', () => clearTimeout(cut));
  request.once('end', () => {
    clearTimeout(cut);
    closeAfterBody?.();
  });
  request.on('error', () => undefined);
  request.resume();
}
