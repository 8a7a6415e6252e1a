import type { FastifyReply, FastifyRequest } from 'fastify';
import type { Logger } from 'pino';
import { isStall } from '../base/database-stall.ts';
import { errorCode } from '../base/error-code.ts';
import { BestowError, type ErrorCode } from '../base/errors.ts';

/** The catalogue's codes for Fastify's own errors; all others are `internal_error`. */
const codeOfFastifyError: Record<string, ErrorCode> = {
  FST_ERR_BAD_URL: 'resource_missing',
  FST_ERR_MAX_PARAM_LENGTH: 'resource_missing',
  FST_ERR_CTP_BODY_TOO_LARGE: 'request_body_too_large',
  FST_ERR_CTP_INVALID_CONTENT_LENGTH: 'request_body_invalid',
  FST_ERR_CTP_INVALID_MEDIA_TYPE: 'request_body_invalid',
  FST_ERR_CTP_EMPTY_JSON_BODY: 'request_body_invalid',
  FST_ERR_CTP_INVALID_JSON_BODY: 'request_body_invalid',
};

/** PostgreSQL's code for a lock time-out. */
const LOCK_NOT_AVAILABLE = '55P03';

/** The contract's unexpected failure, with an outcome that the operator can tell apart. */
export const databaseUnavailable = () => new BestowError('internal_error', { outcome: 'database_unavailable' });

/** Whether something else held a lock for so long that the caller shall repeat the request. */
export const isLocked = (error: unknown): boolean =>
  errorCode(error) === LOCK_NOT_AVAILABLE || (error instanceof BestowError && error.code === 'resource_locked');

const codeOfFastify = (error: unknown) => codeOfFastifyError[String((error as { code?: unknown } | undefined)?.code)];

/** Whether the error is the caller's: in the catalogue, or a refusal of Fastify. */
export const isAnsweredAsIs = (error: unknown) => error instanceof BestowError || codeOfFastify(error) !== undefined;

/** Turns any error into one of the catalogue. Logs unexpected errors, whose details the caller does not see. */
export function asBestowError(error: unknown, log: Logger, requestId: string): BestowError {
  if (error instanceof BestowError) return error;
  if (isStall(error)) {
    log.error({ err: error, request_id: requestId }, 'The database is stalled, full or unreachable.');
    return databaseUnavailable();
  }
  if (isLocked(error)) return new BestowError('resource_locked');
  const code = codeOfFastify(error);
  if (code !== undefined) return new BestowError(code);
  log.error({ err: error, request_id: requestId }, 'Unexpected error.');
  return new BestowError('internal_error');
}

interface ErrorAnswer {
  status: number;
  headers: Record<string, string>;
  body: string;
}

/** Makes the answer to an error, both for Fastify's replies and for malformed requests. */
export function errorAnswer(error: BestowError, requestId: string, publicUrl: string): ErrorAnswer {
  const { status, type, code, message, reason, param, orderId: order_id, retryAfterSeconds } = error;
  const isOfV1 = type !== undefined;
  const doc_url = isOfV1 ? `${publicUrl}/docs/errors#${code}` : undefined;
  return {
    status,
    headers: {
      'Content-Type': 'application/json; charset=utf-8',
      ...(retryAfterSeconds === undefined ? {} : { 'Retry-After': String(retryAfterSeconds) }),
      ...(isOfV1 && status === 401 ? { 'WWW-Authenticate': 'Bearer' } : {}),
    },
    body: JSON.stringify({ error: { type, code, message, reason, param, order_id, doc_url, request_id: requestId } }),
  };
}

/** For the log and the request log. */
export function noteError(request: FastifyRequest, error: BestowError): void {
  request.errorCode = error.outcome ?? error.code;
  request.error = error;
}

export function sendError(
  request: FastifyRequest,
  reply: FastifyReply,
  error: BestowError,
  publicUrl: string,
): FastifyReply {
  noteError(request, error);
  const { status, headers, body } = errorAnswer(error, request.requestId, publicUrl);
  return reply.code(status).headers(headers).send(body);
}
