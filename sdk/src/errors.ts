import type { components } from './schema.d.ts';

type ErrorBody = components['schemas']['ErrorResponse']['error'];
export type ErrorType = ErrorBody['type'];
/** All error codes of this version. */
export type ErrorCode = ErrorBody['code'];
export type CallFacts = Pick<BestowError, 'idempotencyKey' | 'outcomeUnknown'>;

/** Base of every error that the client throws after it has checked the arguments. */
export class BestowError extends Error {
  /** The key of an order; all attempts carried it. Retry with this key and the same body. */
  readonly idempotencyKey: string | undefined;
  /** Whether an attempt ended without an answer, so the service may have carried it out. */
  readonly outcomeUnknown: boolean;
  constructor(message: string, { idempotencyKey, outcomeUnknown }: CallFacts, cause?: unknown) {
    super(message, { cause });
    this.name = new.target.name;
    this.idempotencyKey = idempotencyKey;
    this.outcomeUnknown = outcomeUnknown;
  }
}

/** No answer came in time, or to a call that cannot be retried safely; see `cause`. */
export class ConnectionError extends BestowError {}
/** The caller's `AbortSignal` ended the call; `cause` is the reason. */
export class AbortError extends BestowError {}

/** The service answered with an error: this attempt changed nothing. */
export class ApiError extends BestowError {
  readonly type: ErrorType;
  /** Branch on `code` and `type`, never on `message`. A newer service may send more codes. */
  readonly code: ErrorCode;
  /** Path of the offending field, such as `gifts[0].amount`. */
  readonly param: string | undefined;
  /** Give this id to the operator when you ask for help. */
  readonly requestId: string;
  /** The page that explains the code. */
  readonly docUrl: string | undefined;
  /** Whether the same request may succeed later. The client has already retried it. */
  readonly retryable: boolean;
  constructor(body: ErrorBody, facts: CallFacts, hasRetryAfter = false) {
    super(body.message, facts);
    this.type = body.type;
    this.code = body.code;
    this.param = body.param;
    this.requestId = body.request_id;
    this.docUrl = body.doc_url;
    this.retryable = retryable.includes(body.code) || (hasRetryAfter && retryableTypes.includes(body.type));
  }

  /** @internal Reads the error of an answer; undefined if it has no `error` object, such as a gateway's answer. */
  static of(answer: unknown, facts: CallFacts, hasRetryAfter?: boolean): ApiError | undefined {
    const body = (answer as { error?: ErrorBody } | null | undefined)?.error;
    const isError = typeof body?.code === 'string' && Object.hasOwn(classes, body.type);
    return isError ? new classes[body.type](body, facts, hasRetryAfter) : undefined;
  }
}

/** A wrong field, a missing resource, or a state that does not allow the call. */
export class InvalidRequestError extends ApiError {}
/** The key is missing, unknown, revoked or from another environment, or the organization is suspended. */
export class AuthenticationError extends ApiError {}
/** The balance does not cover the order. Add funds, then retry with the same body and key. */
export class InsufficientBalanceError extends ApiError {}
/** Too many requests, until the client stopped retrying. */
export class RateLimitError extends ApiError {}
/** `api_error`: a lock, the same key still in progress, or an unexpected failure. */
export class ServiceError extends ApiError {}

/** For codes that this version does not know: types that may be retried if `Retry-After` is set. */
const retryableTypes: ErrorType[] = ['rate_limit_error', 'api_error'];
const retryable: string[] = ['rate_limit_exceeded', 'resource_locked', 'idempotency_in_progress', 'internal_error'];
const classes: Record<ErrorType, typeof ApiError> = {
  invalid_request_error: InvalidRequestError,
  authentication_error: AuthenticationError,
  insufficient_balance_error: InsufficientBalanceError,
  rate_limit_error: RateLimitError,
  api_error: ServiceError,
};
