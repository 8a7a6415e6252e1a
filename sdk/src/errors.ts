import type { WebHeaders } from './platform.ts';
import type { components } from './schema.d.ts';

type ErrorBody = components['schemas']['ApiError'];
/** The error types of this version; a newer service may send more, so give a `switch` a `default`. */
export type ErrorType = ErrorBody['type'];
/** The error codes of this version; a newer service may send more, so give a `switch` a `default`. */
export type ErrorCode = ErrorBody['code'];
export type CallFacts = Pick<BestowError, 'idempotencyKey' | 'outcomeUnknown' | 'attempts' | 'status' | 'headers'>;

/** Keeps a class's name in minified programs, and makes `instanceof` true for errors of another copy of this package. */
export function brand(Class: { readonly prototype: Error }, name: string): void {
  const key = Symbol.for(`bestow-sdk.${name}`);
  Object.defineProperties(Class.prototype, { name: { value: name }, [key]: { value: true } });
  const isInstance = function (this: unknown, error: unknown): boolean {
    return this === Class ? key in Object(error) : Function.prototype[Symbol.hasInstance].call(this, error);
  };
  Object.defineProperty(Class, Symbol.hasInstance, { value: isInstance });
}

/** Base of every error that the client throws after it has checked the arguments. */
export class BestowError extends Error {
  /** The key of the call; all attempts carried it. Retry with this key and the same body. */
  readonly idempotencyKey: string | undefined;
  /** Whether the service may have carried out an order or another act. Always false for a read. */
  readonly outcomeUnknown: boolean;
  /** How many times the request was sent. */
  readonly attempts: number;
  /** HTTP status of the last answer, which may be a gateway's. */
  readonly status: number | undefined;
  /** Headers of the last answer. */
  declare readonly headers: WebHeaders | undefined;

  constructor(message: string, { headers, ...facts }: CallFacts, cause?: unknown) {
    super(message, cause === undefined ? {} : { cause });
    this.idempotencyKey = facts.idempotencyKey;
    this.outcomeUnknown = facts.outcomeUnknown;
    this.attempts = facts.attempts;
    this.status = facts.status;
    Object.defineProperty(this, 'headers', { value: headers });
  }

  /** Milliseconds that the last answer asked to wait before a retry; 0 without `Retry-After`. */
  get retryAfterMs(): number {
    return retryAfterMs(this.headers);
  }

  /** For logs: has the name and message, too. */
  toJSON(): object {
    return { ...this, name: this.name, message: this.message };
  }
}
brand(BestowError, 'BestowError');

/** No answer of the service came, or one to a call that cannot be retried safely; see `message`, `status` and `cause`. */
export class ConnectionError extends BestowError {}
brand(ConnectionError, 'ConnectionError');
/** No answer of the service came within `timeoutMs` or `tryTimeoutMs`. */
export class TimeoutError extends ConnectionError {}
brand(TimeoutError, 'TimeoutError');
/** The caller's `AbortSignal` ended the call; `cause` is the reason. */
export class AbortError extends BestowError {}
brand(AbortError, 'AbortError');
/** The store could not keep an order, which was not sent, or could not read kept ones; `cause` is its error. */
export class StoreError extends BestowError {}
brand(StoreError, 'StoreError');

/** The service answered with an error: this attempt changed nothing. */
export class ApiError extends BestowError {
  /** Branch on `code` and `type`, never on `message`. */
  readonly type: ErrorType;
  readonly code: ErrorCode;
  /** Why, if that is finer than `code`, such as `key_cap_reached`; a newer service may send more. */
  readonly reason: string | undefined;
  /** Path of the offending field, such as `gifts[0].amount`. */
  readonly param: string | undefined;
  /** Of `external_id_taken`: the order that has the `external_id`; read it before you place another one. */
  readonly orderId: string | undefined;
  /** Give this id to the operator when you ask for help. */
  readonly requestId: string;
  /** The page that explains the code. */
  readonly docUrl: string | undefined;
  /** Whether the same request may succeed later. The client has already retried it. */
  readonly retryable: boolean;

  constructor(body: ErrorBody, facts: CallFacts) {
    super(body.message, facts);
    this.type = body.type;
    this.code = body.code;
    this.reason = body.reason;
    this.param = body.param;
    this.orderId = body.order_id;
    this.requestId = body.request_id;
    this.docUrl = body.doc_url;
    const hasRetryAfter = facts.headers?.has('Retry-After') ?? false;
    const isLaterType = !Object.hasOwn(classes, body.type);
    const isPassing = isLaterType && (facts.status === 429 || (facts.status ?? 0) >= 500);
    this.retryable =
      isPassing || retryable.includes(body.code) || (hasRetryAfter && retryableTypes.includes(body.type));
  }

  /** @internal Reads the error of an answer; undefined if it has no `error` object, such as a gateway's answer. */
  static of(answer: unknown, facts: CallFacts): ApiError | undefined {
    const body = (answer as { error?: ErrorBody } | null | undefined)?.error;
    if ([body?.type, body?.code, body?.request_id].some((text) => typeof text !== 'string')) return undefined;
    const { type } = body as ErrorBody;
    const Class = Object.hasOwn(classes, type) ? classes[type as keyof typeof classes] : ApiError;
    return new Class(body as ErrorBody, facts);
  }
}
brand(ApiError, 'ApiError');

/** A wrong field, a missing resource, or a state that does not allow the call. */
export class InvalidRequestError extends ApiError {}
brand(InvalidRequestError, 'InvalidRequestError');
/** The key is missing, unknown, revoked or from another environment, or the organization is suspended. */
export class AuthenticationError extends ApiError {}
brand(AuthenticationError, 'AuthenticationError');
/** The balance does not cover the order, or a cap does not allow it (`reason`). Once solved, retry with the same body and key. */
export class InsufficientBalanceError extends ApiError {}
brand(InsufficientBalanceError, 'InsufficientBalanceError');
/** Too many requests, until the client stopped retrying. */
export class RateLimitError extends ApiError {}
brand(RateLimitError, 'RateLimitError');
/** `api_error`: a lock, the same key still in progress, or an unexpected failure. */
export class ServiceError extends ApiError {}
brand(ServiceError, 'ServiceError');

/** For codes that this version does not know: types that may be retried if `Retry-After` is set. */
const retryableTypes: ErrorType[] = ['rate_limit_error', 'api_error'];
const retryable: string[] = ['rate_limit_exceeded', 'resource_locked', 'idempotency_in_progress', 'internal_error'];
const classes = {
  invalid_request_error: InvalidRequestError,
  authentication_error: AuthenticationError,
  insufficient_balance_error: InsufficientBalanceError,
  rate_limit_error: RateLimitError,
  api_error: ServiceError,
} as const;

/** Reads seconds, or the exact date of HTTP that a gateway may send. Ignores another text and a date that does not exist. */
export function retryAfterMs(headers: WebHeaders | undefined): number {
  const text = headers?.get('Retry-After')?.trim() ?? '';
  const [, seconds] = /^\s*(\d+)\s*(,|$)/.exec(text) ?? [];
  if (seconds !== undefined) return Number(seconds) * 1000;
  const date = new Date(text);
  return (date.toUTCString() === text && date.getTime() - Date.now()) || 0;
}
