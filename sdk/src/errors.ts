import type { components } from './schema.d.ts';

type ErrorBody = components['schemas']['ErrorResponse']['error'];
export type ErrorType = ErrorBody['type'];
/** All codes (specification, part 7). */
export type ErrorCode = ErrorBody['code'];
export type CallFacts = Pick<BestowError, 'idempotencyKey' | 'outcomeUnknown'>;

/** Everything that the client throws once a call is under way. */
export class BestowError extends Error {
  /** Of an order: the key that all its tries carried. Send it again, with the same body, to find out or to go on. */
  readonly idempotencyKey: string | undefined;
  /** Whether some try ended without an answer, so that it may have been carried out (specification, part 7). */
  readonly outcomeUnknown: boolean;
  constructor(message: string, { idempotencyKey, outcomeUnknown }: CallFacts, cause?: unknown) {
    super(message, { cause });
    this.name = new.target.name;
    this.idempotencyKey = idempotencyKey;
    this.outcomeUnknown = outcomeUnknown;
  }
}

/** No answer came in time, or to a call that is not sent twice; its `cause` says more. */
export class ConnectionError extends BestowError {}
/** The caller's `AbortSignal` ended the call; its reason is the `cause`. */
export class AbortError extends BestowError {}

/** The service answered with an error: that try did nothing (specification, part 7). */
export class ApiError extends BestowError {
  readonly type: ErrorType;
  /** Branch on it and on `type`, never on `message`. A newer service may know more codes. */
  readonly code: ErrorCode;
  /** Path of the offending field, such as `gifts[0].amount`. */
  readonly param: string | undefined;
  /** Name it when you ask the operator for help. */
  readonly requestId: string;
  /** The page about the code. */
  readonly docUrl: string | undefined;
  /** Whether the same request may succeed later, unchanged (retry class `yes`). The client has tried already. */
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

  /** @internal The error of an answer; undefined where it has no `error` object, as a gateway's. */
  static of(answer: unknown, facts: CallFacts, hasRetryAfter?: boolean): ApiError | undefined {
    const body = (answer as { error?: ErrorBody } | null | undefined)?.error;
    const isError = typeof body?.code === 'string' && Object.hasOwn(classes, body.type);
    return isError ? new classes[body.type](body, facts, hasRetryAfter) : undefined;
  }
}

/** A wrong field, a missing resource, a state that forbids it. */
export class InvalidRequestError extends ApiError {}
/** A key that is missing, unknown, revoked or of another environment, or a suspended organization. */
export class AuthenticationError extends ApiError {}
/** The balance does not cover the order. Add funds, then send the same body with the same key. */
export class InsufficientBalanceError extends ApiError {}
/** Too many requests, for as long as the client went on trying. */
export class RateLimitError extends ApiError {}
/** `api_error`, the service's own trouble: a lock, the same key still running, an unexpected failure. */
export class ServiceError extends ApiError {}

/** Of codes that only a newer service knows, those that come with `Retry-After`. */
const retryableTypes: ErrorType[] = ['rate_limit_error', 'api_error'];
const retryable: string[] = ['rate_limit_exceeded', 'resource_locked', 'idempotency_in_progress', 'internal_error'];
const classes: Record<ErrorType, typeof ApiError> = {
  invalid_request_error: InvalidRequestError,
  authentication_error: AuthenticationError,
  insufficient_balance_error: InsufficientBalanceError,
  rate_limit_error: RateLimitError,
  api_error: ServiceError,
};
