import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { maskRequest } from './mask-body.ts';
import type { KeyOwner, RequestEntry } from './request-row.ts';
import { type RequestBuffer, type WriterDeps, writeRequests } from './write-requests.ts';

/**
 * Logs requests with an organization's key, also refused ones. A request does not wait for its row: rows are collected in
 * memory and written every second, up to a limit.
 */
export function recordRequests(app: FastifyInstance, deps: WriterDeps): void {
  const { clock, config, log } = deps;
  const buffer = createRequestBuffer<RequestEntry>();
  const stop = writeRequests(deps, buffer);

  // Not `onResponse`, which never comes if the client closes the connection.
  app.addHook('onSend', (request, reply, payload, done) => {
    const { caller } = request;
    const keyId = caller?.found?.key_id ?? null;
    if (caller !== undefined && keyId !== null)
      try {
        const { organizationId, environment } = caller;
        const keyOwner = { organizationId, environment, keyId };
        buffer.offer(() =>
          entryOf(request, reply, { payload, keyOwner, nowMs: clock.now(), mailDomain: config.sandboxMailDomain }),
        );
      } catch (error) {
        log.error({ err: error, request_id: request.requestId }, 'A request could not be noted for the request log.');
      }
    done();
  });
  app.addHook('onClose', stop);
}

/** Rows that a process keeps per second on average; a burst may use the rows that were not needed before. */
export const ENTRIES_PER_SECOND = 200;
export const MAX_ENTRIES = 1_000;

/** Keeps a bounded number of a second's requests. */
export function createRequestBuffer<Entry>(): RequestBuffer<Entry> {
  let entries: Entry[] = [];
  let room = MAX_ENTRIES;
  let leftOut = 0;
  return {
    offer(make) {
      if (entries.length < room) entries.push(make());
      else leftOut += 1;
    },
    take() {
      const taken = entries;
      room = Math.min(MAX_ENTRIES, room - taken.length + ENTRIES_PER_SECOND);
      entries = [];
      return taken;
    },
    takeLeftOut() {
      const count = leftOut;
      leftOut = 0;
      return count;
    },
  };
}

const MAX_HELD_BYTES = 16_384;
/** An order of ten gifts. Longer answers are lists, which tell little and cost much. */
const MAX_ANSWER_CHARACTERS = 8_192;
const MIN_NOT_SUCCEEDED = 300;
const MAX_INTEGER = 2_147_483_647;

function entryOf(
  request: FastifyRequest,
  reply: FastifyReply,
  { payload, keyOwner, nowMs, mailDomain }: { payload: unknown; keyOwner: KeyOwner; nowMs: number; mailDomain: string },
): RequestEntry {
  const { body, headers, method, raw } = request;
  const durationMs = performance.now() - request.startedAtMs;
  const length = headers['content-length'];
  const bodyBytes = length === undefined ? null : Math.min(Number(length), MAX_INTEGER) || null;
  // The server sets an empty body if the body is optional and missing.
  const hasBody = body !== undefined && (bodyBytes !== null || headers['transfer-encoding'] !== undefined);
  const isSmall = bodyBytes !== null && bodyBytes <= MAX_HELD_BYTES;
  return {
    requestId: request.requestId,
    keyOwner,
    createdAtMs: nowMs - durationMs,
    durationMs,
    method,
    pattern: request.routePattern ?? '',
    url: raw.url ?? '',
    status: reply.statusCode,
    error: request.error,
    agentCall: request.agentCall,
    clientAddress: request.ip,
    body: hasBody
      ? isSmall
        ? { parsed: body }
        : { masked: maskRequest(request.routePattern, body, mailDomain) }
      : undefined,
    bodyBytes,
    ...answerOf(reply, payload),
  };
}

function answerOf(reply: FastifyReply, payload: unknown): Pick<RequestEntry, 'answer' | 'answerBytes'> {
  const isJson = String(reply.getHeader('content-type')).startsWith('application/json');
  if (typeof payload !== 'string' || !isJson) return { answer: undefined, answerBytes: null };
  const isKept = reply.statusCode < MIN_NOT_SUCCEEDED && payload.length <= MAX_ANSWER_CHARACTERS;
  return { answer: isKept ? payload : undefined, answerBytes: Buffer.byteLength(payload) };
}
