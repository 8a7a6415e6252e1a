import type { FastifyReply, FastifyRequest } from 'fastify';
import type { Logger } from 'pino';
import { QueueFull } from '../base/batch.ts';
import { errorCode } from '../base/error-code.ts';
import { BestowError, catalogue, type ErrorCode } from '../errors.ts';

/** Fastify's own refusals in terms of the catalogue; whatever is not listed is `internal_error`. */
const codeOfFastifyError: Record<string, ErrorCode> = {
  FST_ERR_BAD_URL: 'resource_missing',
  FST_ERR_MAX_PARAM_LENGTH: 'resource_missing',
  FST_ERR_CTP_BODY_TOO_LARGE: 'request_body_too_large',
  FST_ERR_CTP_INVALID_CONTENT_LENGTH: 'request_body_invalid',
  FST_ERR_CTP_INVALID_MEDIA_TYPE: 'request_body_invalid',
  FST_ERR_CTP_EMPTY_JSON_BODY: 'request_body_invalid',
  FST_ERR_CTP_INVALID_JSON_BODY: 'request_body_invalid',
};

/** PostgreSQL's, where an act waited for a lock for too long. */
const LOCK_NOT_AVAILABLE = '55P03';

const codeOfFastify = (error: unknown) => codeOfFastifyError[String((error as { code?: unknown } | undefined)?.code)];

/** Whether it stands in the catalogue already. What does not is ours, as a database that fails or a queue that is full. */
export const isAnsweredAsIs = (error: unknown) => error instanceof BestowError || codeOfFastify(error) !== undefined;

/** What to tell the caller of an error; an unexpected one is logged with all it says and answered without. */
export function asBestowError(error: unknown, log: Logger, requestId: string): BestowError {
  if (error instanceof BestowError) return error;
  if (error instanceof QueueFull) return new BestowError('rate_limit_exceeded');
  if (errorCode(error) === LOCK_NOT_AVAILABLE) return new BestowError('resource_locked');
  const code = codeOfFastify(error);
  if (code !== undefined) return new BestowError(code);
  log.error({ err: error, request_id: requestId }, 'Unexpected error.');
  return new BestowError('internal_error');
}

export interface ErrorAnswer {
  status: number;
  headers: Record<string, string>;
  body: string;
}

/** The answer of an error: the same for Fastify's replies and for sockets that never became a request. */
export function errorAnswer(error: BestowError, requestId: string, publicUrl: string): ErrorAnswer {
  const { status, type, retry } = catalogue[error.code];
  return {
    status,
    headers: {
      'Content-Type': 'application/json; charset=utf-8',
      ...(retry === 'yes' ? { 'Retry-After': String(error.retryAfterSeconds) } : {}),
      ...(status === 401 ? { 'WWW-Authenticate': 'Bearer' } : {}),
    },
    body: JSON.stringify({
      error: {
        type,
        code: error.code,
        message: error.message,
        ...(error.param === undefined ? {} : { param: error.param }),
        doc_url: `${publicUrl}/docs/errors#${error.code}`,
        request_id: requestId,
      },
    }),
  };
}

export function sendError(
  request: FastifyRequest,
  reply: FastifyReply,
  error: BestowError,
  publicUrl: string,
): FastifyReply {
  request.errorCode = error.code;
  request.error = error;
  const { status, headers, body } = errorAnswer(error, request.requestId, publicUrl);
  return reply.code(status).headers(headers).send(body);
}
