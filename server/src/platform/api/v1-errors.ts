import { STATUS_CODES } from 'node:http';
import { Type } from 'typebox';
import { errorReasons } from '../base/error-reasons.ts';
import { catalogue, type ErrorCode, errorCodes } from '../base/errors.ts';
import type { Json } from './document.ts';
import type { Operation } from './operation.ts';
import { openText, refTo } from './schema.ts';

const ApiError = Type.Object(
  {
    type: openText([...new Set(Object.values(catalogue).map(({ type }) => type))], 'The kind of error.'),
    code: openText(errorCodes, 'The error’s code. Treat a code that you do not know like its `type`.'),
    message: Type.String({ description: 'For people. The text may change: never branch on it.' }),
    reason: Type.Optional(
      openText(
        Object.keys(errorReasons),
        'Why, if that is finer than the code. You need not know it: `code` says what to do.',
      ),
    ),
    param: Type.Optional(Type.String({ description: 'Path of the offending field.', examples: ['gifts[0].amount'] })),
    order_id: Type.Optional(
      Type.String({
        description: 'Of `external_id_taken`: the order that has the `external_id`.',
        examples: ['ord_01k0fxw4mze6hv3tqx4d5s8r2n'],
      }),
    ),
    doc_url: Type.Optional(Type.String({ description: 'Where the code is explained.' })),
    request_id: Type.String({ description: 'Also sent as the `Request-Id` header.' }),
  },
  { $id: 'ApiError', description: 'What went wrong. Branch on `type` and `code`.' },
);

export const ErrorResponse = Type.Object(
  { error: refTo(ApiError) },
  {
    $id: 'ErrorResponse',
    description: 'Every error has this shape. An error means that nothing happened: no order, charge or gift.',
  },
);

const authenticationErrors: readonly ErrorCode[] = [
  'api_key_missing',
  'api_key_invalid',
  'api_key_revoked',
  'api_key_environment_mismatch',
  'organization_suspended',
  'sandbox_missing',
];

/** The codes of all errors that an operation may answer. */
function errorsOf({ access, errors = [] }: Pick<Operation, 'access' | 'errors'>): ErrorCode[] {
  const own = new Set<ErrorCode>([
    // An unknown query parameter is refused everywhere.
    ...(access === 'public' ? [] : ([...authenticationErrors, 'parameter_invalid'] as const)),
    ...(access === 'sandbox' ? (['sandbox_endpoint_only'] as const) : []),
    ...errors,
    // Any request may be malformed HTTP or too large.
    'request_body_invalid',
    'request_body_too_large',
    'rate_limit_exceeded',
    'internal_error',
  ]);
  return errorCodes.filter((code) => own.has(code));
}

function byStatus(codes: readonly ErrorCode[]): Record<string, ErrorCode[]> {
  const grouped: Record<string, ErrorCode[]> = {};
  for (const code of codes) {
    const { status } = catalogue[code];
    grouped[status] = [...(grouped[status] ?? []), code];
  }
  return grouped;
}

/** `x-errors` of an operation: its codes by status. */
export const errorsByStatus = (operation: Pick<Operation, 'access' | 'errors'>): Record<string, ErrorCode[]> =>
  byStatus(errorsOf(operation));

const paramOfExample: Partial<Record<ErrorCode, string>> = {
  parameter_invalid: 'gifts[0].amount',
  cursor_invalid: 'starting_after',
  idempotency_key_reused: 'Idempotency-Key',
};

/** An example of each code, by code. @param publicUrl without a final slash */
export function errorExamples(publicUrl: string): Record<string, Json> {
  const exampleOf = (code: ErrorCode): Json => {
    const { type, message } = catalogue[code];
    const param = paramOfExample[code];
    const doc_url = `${publicUrl}/docs/errors#${code}`;
    const request_id = 'req_01k0fxw4mzf8ta2m3y6b7n9c5d';
    const order = code === 'external_id_taken' ? { order_id: 'ord_01k0fxw4mze6hv3tqx4d5s8r2n' } : {};
    return { error: { type, code, message, ...(param ? { param } : {}), ...order, doc_url, request_id } };
  };
  return Object.fromEntries(errorCodes.map((code) => [code, { summary: code, value: exampleOf(code) }]));
}

const responseRef = (name: string): Json => ({ $ref: `#/components/responses/${name}` });

/** The name of a status as a component: “NotFound”. */
const nameOf = (status: string): string => (STATUS_CODES[status] ?? '').replaceAll(' ', '');

/** The answers of an operation's errors, by status. `default` is for statuses that `/v1` may get later. */
export const errorResponsesOf = (operation: Pick<Operation, 'access' | 'errors'>): Json => ({
  ...Object.fromEntries(Object.keys(errorsByStatus(operation)).map((status) => [status, responseRef(nameOf(status))])),
  default: responseRef('Error'),
});

/**
 * The components that these answers refer to: one for each status, shared by all operations, because generators write code
 * for each. @param headers the headers of every answer
 */
export function errorResponses(headers: Json): Record<string, Json> {
  const ofStatuses = Object.entries(byStatus(errorCodes)).map(([status, codes]): [string, Json] => {
    const listed = codes.map((code) => `\`${code}\``).join(', ');
    const description =
      codes.length === 1 ? `${listed}.` : `${listed}: \`x-errors\` of the operation says which of them.`;
    return [nameOf(status), errorResponse(description, codes, headers)];
  });
  return {
    ...Object.fromEntries(ofStatuses),
    Error: errorResponse('An error with a status that the operation does not list, as a later `/v1` may answer.', [], {
      ...headers,
      ...retryAfter,
      ...authenticate,
    }),
  };
}

const retryAfter = {
  'Retry-After': {
    description: 'Seconds to wait before a retry. With each error that a retry can solve.',
    schema: { type: 'integer', minimum: 1 },
  },
};
const authenticate = { 'WWW-Authenticate': { description: 'With each 401: `Bearer`.', schema: { type: 'string' } } };

function errorResponse(description: string, codes: readonly ErrorCode[], headers: Json): Json {
  const entries = codes.map((code) => catalogue[code]);
  const examples = Object.fromEntries(codes.map((code) => [code, { $ref: `#/components/examples/${code}` }]));
  return {
    description,
    headers: {
      ...headers,
      ...(entries.some(({ retry }) => retry === 'yes') && retryAfter),
      ...(entries.some(({ status }) => status === 401) && authenticate),
    },
    content: {
      'application/json': {
        schema: { $ref: '#/components/schemas/ErrorResponse' },
        ...(codes.length > 0 && { examples }),
      },
    },
  };
}
