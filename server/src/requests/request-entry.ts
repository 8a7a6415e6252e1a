import type { FastifyReply, FastifyRequest } from 'fastify';
import { decodeId } from '../base/ids.ts';
import type { Scope } from '../base/principal.ts';
import type { BestowError } from '../errors.ts';
import { maskAnswer, maskBody } from './mask-body.ts';
import { maskError } from './mask-error.ts';
import { maskPath } from './mask-path.ts';
import type { NewRequestRow } from './queries.ts';

/** UUIDs. */
type KeyOwner = Scope & { keyId: string };

/** A request before it is written. Keeps references, because under load most entries are dropped. */
export interface RequestEntry {
  requestId: string;
  keyOwner: KeyOwner;
  createdAtMs: number;
  durationMs: number;
  method: string;
  pattern: string;
  url: string;
  status: number;
  error: BestowError | undefined;
  clientAddress: string | undefined;
  /** Large bodies are masked immediately, so that the entries of a second stay below 16 MB. */
  body: { parsed: unknown } | { masked: string } | undefined;
  bodyBytes: number | null;
  answer: string | undefined;
  answerBytes: number | null;
}

const MAX_HELD_BYTES = 16_384;
/** An order of ten gifts. Longer answers are lists, which tell little and cost much. */
const MAX_ANSWER_CHARACTERS = 8_192;
const MIN_NOT_SUCCEEDED = 300;
const MAX_INTEGER = 2_147_483_647;
const MAX_ADDRESS_CHARACTERS = 64;

export function entryOf(
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
    clientAddress: request.ip,
    body: hasBody ? (isSmall ? { parsed: body } : { masked: maskBody(body, mailDomain) }) : undefined,
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

/** Builds the row of an entry, with addresses and names masked. */
export function rowOf(entry: RequestEntry, mailDomain: string): NewRequestRow {
  const { keyOwner, error, body, answer } = entry;
  return {
    organization_id: keyOwner.organizationId,
    environment: keyOwner.environment,
    request_id: decodeId('req', entry.requestId) ?? '',
    created_at: new Date(entry.createdAtMs).toISOString(),
    method: entry.method,
    path: maskPath(entry.pattern, entry.url, mailDomain),
    status: entry.status,
    error_code: error?.code ?? null,
    ...(error === undefined ? { error_message: null, error_param: null } : maskError(error, mailDomain)),
    key_id: keyOwner.keyId,
    client_address: entry.clientAddress?.slice(0, MAX_ADDRESS_CHARACTERS) ?? null,
    duration_ms: entry.durationMs,
    body: body === undefined ? null : 'masked' in body ? body.masked : maskBody(body.parsed, mailDomain),
    body_bytes: entry.bodyBytes,
    answer: answer === undefined ? null : maskAnswer(JSON.parse(answer), mailDomain),
    answer_bytes: entry.answerBytes,
  };
}
