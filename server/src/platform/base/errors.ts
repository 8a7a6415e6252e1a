// biome-ignore-all lint/style/noExcessiveLinesPerFile: the catalogue of every code
import type { ErrorReason } from './error-reasons.ts';

/** The closed catalogue of errors: the only place that maps codes to statuses. */

type ErrorType =
  | 'invalid_request_error'
  | 'authentication_error'
  | 'insufficient_balance_error'
  | 'rate_limit_error'
  | 'api_error';

/**
 * Whether a retry can help. `yes`: retry the same request after `Retry-After`; `after_fix`: fix the problem and retry with
 * the same `Idempotency-Key`; `no`: the request cannot succeed.
 */
export type RetryClass = 'yes' | 'after_fix' | 'no';

interface CatalogueEntry {
  status: 400 | 401 | 402 | 403 | 404 | 409 | 413 | 422 | 429 | 500;
  type: ErrorType;
  retry: RetryClass;
  /** For people; not part of the contract. A reply may have a more exact text. */
  message: string;
  /** For `/docs/errors`. */
  cause: string;
  fix: string;
}

export const catalogue = {
  api_key_missing: {
    status: 401,
    type: 'authentication_error',
    retry: 'after_fix',
    message: 'No API key was sent. Send it as “Authorization: Bearer <API_KEY>”.',
    cause: 'The request has no Authorization header, another scheme than Bearer, or an empty token.',
    fix: 'Send “Authorization: Bearer <API_KEY>” with every request.',
  },
  api_key_invalid: {
    status: 401,
    type: 'authentication_error',
    retry: 'after_fix',
    message: 'Unknown API key. Check that you copied the whole key.',
    cause: 'No such key was issued (often a character is missing), or it may not be used from this network.',
    fix: 'Copy the key again, or create a new one. Check the networks of the key in the portal.',
  },
  api_key_revoked: {
    status: 401,
    type: 'authentication_error',
    retry: 'after_fix',
    message: 'This API key was revoked. Use another key of the organization.',
    cause: 'An admin revoked the key, or it has expired. Both are immediate and permanent.',
    fix: 'Use another active key of the organization, or have an admin create one.',
  },
  api_key_environment_mismatch: {
    status: 401,
    type: 'authentication_error',
    retry: 'after_fix',
    message: 'This API key belongs to another environment.',
    cause:
      'The process that answered does not serve the key’s environment, or the key’s prefix contradicts its record.',
    fix: 'Send the request to the address that serves this key’s environment, or use a key of this environment.',
  },
  organization_suspended: {
    status: 403,
    type: 'authentication_error',
    retry: 'no',
    message: 'The organization is suspended. Contact the operator of this service.',
    cause:
      'The operator suspended the organization that owns the key. An order gets this also while all gifts are on hold.',
    fix: 'Contact the operator, or the admin that the message names. Gifts that were paid for stay valid.',
  },
  resource_missing: {
    status: 404,
    type: 'invalid_request_error',
    retry: 'no',
    message: 'Not found. Check the path, method and id.',
    cause:
      'The path does not exist, does not have this method, or names an order or gift that does not exist or belongs to another organization or environment.',
    fix: 'Check the path, the method and the id. The key must belong to the environment of the id.',
  },
  parameter_invalid: {
    status: 422,
    type: 'invalid_request_error',
    retry: 'after_fix',
    message: 'A parameter is not valid.',
    cause: 'A header, query parameter or body field is missing, unknown or invalid; param names it.',
    fix: 'Correct the field in param. Keep the Idempotency-Key.',
  },
  cursor_invalid: {
    status: 422,
    type: 'invalid_request_error',
    retry: 'after_fix',
    message: 'Unknown cursor. Start again without it.',
    cause:
      'starting_after or ending_before is unknown, or belongs to another list, environment or organization. A sandbox reset deletes old cursors. For events: those after the cursor were deleted, or it is beyond the last one.',
    fix: 'Use an id from the same list, or start again from the first page.',
  },
  request_body_invalid: {
    status: 400,
    type: 'invalid_request_error',
    retry: 'after_fix',
    message: 'The body is not valid JSON.',
    cause:
      'The body cannot be parsed as JSON in UTF-8, is missing where one is needed, or the request is not valid HTTP.',
    fix: 'Send one JSON document in UTF-8, without compression.',
  },
  request_body_too_large: {
    status: 413,
    type: 'invalid_request_error',
    retry: 'after_fix',
    message: 'The request is too large. A body may have at most 1,048,576 bytes.',
    cause: 'The body is over 1 MB (1,048,576 bytes), or the headers are over 16 KB.',
    fix: 'Send less. An order of ten gifts needs about 3 KB.',
  },
  gift_already_redeemed: {
    status: 422,
    type: 'invalid_request_error',
    retry: 'no',
    message: 'This gift was already redeemed onto a card.',
    cause: 'The gift was claimed before. A gift is claimed once.',
    fix: 'Do nothing; retrieve the gift to see its status.',
  },
  gift_already_delivered: {
    status: 422,
    type: 'invalid_request_error',
    retry: 'no',
    message: 'This gift was already delivered, so its delivery cannot be settled again.',
    cause: 'A simulation tried to settle a delivery that arrived, or a gift that was opened or claimed.',
    fix: 'Order another gift to test another outcome.',
  },
  gift_resend_limit_reached: {
    status: 422,
    type: 'invalid_request_error',
    retry: 'no',
    message: 'This gift reached its redirect limit.',
    cause: 'The gift was redirected five times, unless the operator has set another number.',
    fix: 'Contact the operator to send the gift again.',
  },
  gift_delivery_not_updatable: {
    status: 422,
    type: 'invalid_request_error',
    retry: 'no',
    message: 'Only a gift whose delivery failed can be sent to another address.',
    cause: 'The gift’s status is not failed, or it is a link gift, which is never delivered by the service.',
    fix: 'Retrieve the gift; redirect it only while its status is failed.',
  },
  gift_canceled: {
    status: 422,
    type: 'invalid_request_error',
    retry: 'no',
    message: 'This gift was canceled, and its amount returned to the balance.',
    cause: 'The gift was canceled, or it expired before it was claimed.',
    fix: 'Order another gift.',
  },
  gift_scheduled: {
    status: 422,
    type: 'invalid_request_error',
    retry: 'after_fix',
    message: 'This gift waits for its time, so it was not sent yet.',
    cause: 'Only a sent gift allows this, and this one has a later scheduled_for.',
    fix: 'Wait, or send it now with “POST /v1/gifts/{gift_id}/schedule”.',
  },
  gift_not_scheduled: {
    status: 422,
    type: 'invalid_request_error',
    retry: 'no',
    message: 'This gift does not wait to be sent.',
    cause: 'The gift was sent already, or it was ordered without send_at.',
    fix: 'Retrieve the gift to see its status.',
  },
  gift_on_hold: {
    status: 422,
    type: 'invalid_request_error',
    retry: 'after_fix',
    message: 'This gift is on hold, or all gifts of the organization are. Release what is on hold first.',
    cause: 'An admin or the operator put the gift, or all unclaimed gifts of the organization, on hold.',
    fix: 'Ask an admin of the organization or the operator to release the gift.',
  },
  idempotency_key_reused: {
    status: 409,
    type: 'invalid_request_error',
    retry: 'no',
    message: 'This Idempotency-Key belongs to an earlier order with a different body.',
    cause: 'An order of the organization was placed with this key and another body.',
    fix: 'Send the original body to get that order, or a new key for a new order.',
  },
  external_id_taken: {
    status: 409,
    type: 'invalid_request_error',
    retry: 'after_fix',
    message: 'Another order has this external_id. Read that order before you place one with another external_id.',
    cause: 'An order of this environment was placed with the same external_id and another key.',
    fix: 'Read the order in order_id with “GET /v1/orders/{order_id}”. If it is the one that you want, place nothing; otherwise send another external_id.',
  },
  organization_not_configured: {
    status: 422,
    type: 'invalid_request_error',
    retry: 'after_fix',
    message: 'The organization has no active member to attribute orders to.',
    cause: 'There is no active admin and no active billing contact, or no issuer for a live gift of this category.',
    fix: 'Activate an admin or name an active billing contact, or ask the operator to add an issuer. Then retry.',
  },
  insufficient_balance: {
    status: 402,
    type: 'insufficient_balance_error',
    retry: 'after_fix',
    message: 'The balance does not cover this order. Nothing was created or charged.',
    cause:
      'The organization’s balance in this environment is lower than the sum of the gifts, or a spending cap does not allow it; reason and message name the cap.',
    fix: 'Add funds (the operator: “bestow balance add”), or have the cap raised; then send the same request with the same Idempotency-Key.',
  },
  rate_limit_exceeded: {
    status: 429,
    type: 'rate_limit_error',
    retry: 'yes',
    message: 'Too many requests. Retry after the seconds in Retry-After.',
    cause: 'The key or the address exceeded its rate limit, or the service is overloaded.',
    fix: 'Wait the seconds in Retry-After, then retry the same request.',
  },
  sandbox_missing: {
    status: 404,
    type: 'invalid_request_error',
    retry: 'after_fix',
    message: 'The organization has no sandbox. Create one, then retry.',
    cause: 'The sandbox was never created or was deleted.',
    fix: 'Create the sandbox (in the portal, or with “bestow sandbox create”).',
  },
  gift_not_claimed: {
    status: 422,
    type: 'invalid_request_error',
    retry: 'after_fix',
    message: 'This gift is not claimed yet, so it has no card to spend from.',
    cause: 'A simulation tried to spend a gift that is not claimed.',
    fix: 'Claim the gift first.',
  },
  sandbox_endpoint_only: {
    status: 403,
    type: 'invalid_request_error',
    retry: 'no',
    message: 'This endpoint exists in the sandbox only. Use a sandbox key.',
    cause: 'A /v1/sandbox endpoint was called with a live key.',
    fix: 'Use a sandbox key, which starts with “bestow-sandbox-”.',
  },
  gift_delivery_not_simulatable: {
    status: 422,
    type: 'invalid_request_error',
    retry: 'after_fix',
    message: 'A link gift is not delivered by the service, so its delivery cannot be simulated.',
    cause: 'A simulation tried to settle the delivery of a link gift.',
    fix: 'Simulate deliveries of email and phone gifts; open or claim a link gift.',
  },
  webhook_endpoint_limit_reached: {
    status: 422,
    type: 'invalid_request_error',
    retry: 'after_fix',
    message: 'This environment has ten webhook endpoints. Remove one first.',
    cause: 'An organization can have ten webhook endpoints in each environment.',
    fix: 'Remove an endpoint.',
  },
  resource_locked: {
    status: 409,
    type: 'api_error',
    retry: 'yes',
    message: 'Another operation holds the lock that this request needs. Retry shortly.',
    cause:
      'Another order of the organization is being charged, its sandbox is being reset, or the same gift is being changed.',
    fix: 'Retry the same request after a short wait.',
  },
  idempotency_in_progress: {
    status: 409,
    type: 'api_error',
    retry: 'yes',
    message: 'A request with this Idempotency-Key is still running. Retry shortly.',
    cause: 'The same request was sent twice and the first is not finished.',
    fix: 'Retry the same request after a short wait; it returns the order.',
  },
  internal_error: {
    status: 500,
    type: 'api_error',
    retry: 'yes',
    message: 'Something went wrong on our side. Nothing was created or charged. Retry shortly.',
    cause: 'An unexpected failure in the service, or its database is unreachable.',
    fix: 'Retry the same request after a short wait. If it still fails, send the operator the request id.',
  },
} as const satisfies Record<string, CatalogueEntry>;

export type ErrorCode = keyof typeof catalogue;

export const errorCodes = Object.keys(catalogue) as ErrorCode[];

/** Codes of the portal and of agents. No published document lists them: the portal's app changes with its server. */
const portalCatalogue = {
  sign_in_required: { status: 401, message: 'Sign in to continue.' },
  sign_in_again: {
    status: 403,
    message: 'You signed in more than ten minutes ago. Confirm that it is you, then try again.',
  },
  second_factor_required: {
    status: 403,
    message:
      'This organization requires a second factor of its admins. Set up a passkey or an authenticator app in your account, then sign in with it.',
  },
  https_required: {
    status: 403,
    message:
      'In production the operator’s page works over https only. Set PUBLIC_URL, or OPERATOR_PAGE_URL, to an address that begins with https://.',
  },
  /** The message says what the role lacks. */
  admin_required: { status: 403, message: 'Your role does not include this. Ask an admin of the organization.' },
  foreign_origin: { status: 403, message: 'This request came from a page of another site and was refused.' },
  /** The grant of an agent; the message says what it lacks. */
  not_granted: { status: 403, message: 'This agent’s grant does not include this.' },
  not_found: { status: 404, message: 'Not found.' },
  /** A rule of the organization holds an order of a member back. */
  approval_required: { status: 409, message: 'This order needs an approval first. Nothing was bought.' },
  /** An act refuses; its message is a sentence for the person. */
  refused: { status: 422, message: 'This was refused.' },
  provider_unavailable: {
    status: 502,
    message: 'The payment provider does not answer. Nothing was charged. Try again in a few minutes.',
  },
  too_many_tries: { status: 429, message: 'Too many attempts. Try again later.' },
} as const;

type PortalErrorCode = keyof typeof portalCatalogue;

/** An error for the caller, with an optional field and a more exact message. */
export class BestowError extends Error {
  readonly code: ErrorCode | PortalErrorCode;
  readonly status: number;
  /** Undefined for the portal's own codes. */
  readonly type: ErrorType | undefined;
  /** Path of the offending field, such as `gifts[0].amount`. */
  readonly param: string | undefined;
  /** Finer than the code, if there is one. */
  readonly reason: ErrorReason | undefined;
  /** Of `external_id_taken`: the order that has it, `ord_…`. */
  readonly orderId: string | undefined;
  /** Seconds until the same request may succeed; undefined if a retry cannot help. */
  readonly retryAfterSeconds: number | undefined;
  /** For the log and the metrics, if the code says too little. */
  readonly outcome: string | undefined;

  constructor(
    code: ErrorCode | PortalErrorCode,
    details: {
      param?: string;
      message?: string;
      reason?: ErrorReason | undefined;
      orderId?: string;
      retryAfterSeconds?: number;
      outcome?: string;
    } = {},
  ) {
    const entry: Pick<CatalogueEntry, 'message'> & Partial<Omit<CatalogueEntry, 'status'>> & { status: number } =
      code in portalCatalogue ? portalCatalogue[code as PortalErrorCode] : catalogue[code as ErrorCode];
    super(details.message ?? entry.message);
    this.code = code;
    this.status = entry.status;
    this.type = entry.type;
    this.param = details.param;
    this.reason = details.reason;
    this.orderId = details.orderId;
    this.outcome = details.outcome;
    this.retryAfterSeconds = entry.retry === 'yes' ? (details.retryAfterSeconds ?? 1) : details.retryAfterSeconds;
  }
}
