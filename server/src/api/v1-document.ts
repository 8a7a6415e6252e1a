import { type TSchema, Type } from 'typebox';
import { catalogue, type ErrorCode, errorCodes } from '../errors.ts';
import { extractSchemas, type Json, type Parameter, pathsOf } from './document.ts';
import { answersOf, type Operation } from './operation.ts';

export const ErrorResponse = Type.Object(
  {
    error: Type.Object(
      {
        type: Type.Unsafe<string>({
          type: 'string',
          enum: [...new Set(Object.values(catalogue).map(({ type }) => type))],
          description: 'The kind of error. Branch on it and on `code`.',
        }),
        code: Type.Unsafe<ErrorCode>({ type: 'string', enum: errorCodes, description: 'The error’s code.' }),
        message: Type.String({ description: 'For people. The text may change: never branch on it.' }),
        param: Type.Optional(
          Type.String({ description: 'Path of the offending field.', examples: ['gifts[0].amount'] }),
        ),
        doc_url: Type.Optional(Type.String({ description: 'Where the code is explained.' })),
        request_id: Type.String({ description: 'Also sent as the `Request-Id` header.' }),
      },
      { additionalProperties: false },
    ),
  },
  {
    $id: 'ErrorResponse',
    description: 'Every error has this shape. An error means that nothing happened: no order, charge or gift.',
    additionalProperties: false,
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
    ...(access === 'public' ? [] : authenticationErrors),
    ...(access === 'sandbox' ? (['sandbox_endpoint_only'] as const) : []),
    ...errors,
    'rate_limit_exceeded',
    'internal_error',
  ]);
  return errorCodes.filter((code) => own.has(code));
}

const commonHeaders: Record<string, Json> = {
  'Request-Id': { description: 'The request’s id; name it when you ask for help.', schema: { type: 'string' } },
  'RateLimit-Policy': {
    description: 'The limit: `q` requests in `w` seconds (IETF draft “RateLimit header fields”).',
    schema: { type: 'string' },
  },
  RateLimit: {
    description: 'The remaining quota: `r` requests now, the full quota in `t` seconds.',
    schema: { type: 'string' },
  },
};
const retryAfter: Json = {
  description: 'Seconds to wait before a retry.',
  schema: { type: 'integer', minimum: 1 },
};
const headerRef = (name: string) => ({ $ref: `#/components/headers/${name}` });
const commonHeaderRefs = Object.fromEntries(Object.keys(commonHeaders).map((name) => [name, headerRef(name)]));

function errorResponses(codes: readonly ErrorCode[]): Json {
  const statuses = [...new Set(codes.map((code) => catalogue[code].status))].sort((one, other) => one - other);
  return Object.fromEntries(
    statuses.map((status) => [
      String(status),
      errorResponse(codes.filter((code) => catalogue[code].status === status)),
    ]),
  );
}

function errorResponse(codes: readonly ErrorCode[]): Json {
  const canRetry = codes.some((code) => catalogue[code].retry === 'yes');
  return {
    description: codes.map((code) => `\`${code}\`: ${catalogue[code].message}`).join('\n\n'),
    headers: { ...commonHeaderRefs, ...(canRetry ? { 'Retry-After': headerRef('Retry-After') } : {}) },
    content: {
      'application/json': {
        schema: { $ref: '#/components/schemas/ErrorResponse' },
        examples: Object.fromEntries(codes.map((code) => [code, { $ref: `#/components/examples/${code}` }])),
      },
    },
  };
}

function exampleError(code: ErrorCode): Json {
  const { type, message } = catalogue[code];
  const request_id = 'req_01k0fxw4mzf8ta2m3y6b7n9c5d';
  const param = paramOfExample[code];
  return { error: { type, code, message, ...(param ? { param } : {}), doc_url: `/docs/errors#${code}`, request_id } };
}

const paramOfExample: Partial<Record<ErrorCode, string>> = {
  parameter_invalid: 'gifts[0].amount',
  cursor_invalid: 'starting_after',
};

const defaultResponse: Json = {
  description: 'Any error that this version of the document does not list, in the same shape.',
  headers: commonHeaderRefs,
  content: { 'application/json': { schema: { $ref: '#/components/schemas/ErrorResponse' } } },
};

const jsonOf = (schema: unknown, example: unknown) => ({ 'application/json': { schema, example } });

function responsesOf(operation: Operation): Json {
  const successes = answersOf(operation).map(([status, { description, example, headers }]) => [
    status,
    { description, headers: { ...commonHeaderRefs, ...headers }, content: jsonOf(operation.response, example) },
  ]);
  return { ...Object.fromEntries(successes), ...errorResponses(errorsOf(operation)), default: defaultResponse };
}

function parameterOf({ name, in: place, required, schema }: Parameter): Json {
  const { description, examples, ...rest } = schema as { description?: string; examples?: unknown[] };
  return { schema: rest, ...(examples && { example: examples[0] }), in: place, name, required, description };
}

interface DocumentOptions {
  /** The components, in this order. */
  schemas: readonly TSchema[];
  description: string;
  /** The path of the service's address, `/` without one. */
  path: string;
}

const tags = [
  { name: 'Catalog', description: 'The categories of gifts.' },
  { name: 'Orders', description: 'Buy gifts: one debit per order, never twice.' },
  { name: 'Gifts', description: 'The status of each gift.' },
  { name: 'Sandbox', description: 'Simulate what a recipient does. Sandbox keys only.' },
  { name: 'Meta', description: 'About the service itself; no key needed.' },
];

/** The published document of `/v1`. */
export function v1Document(operations: readonly Operation[], { schemas, description, path }: DocumentOptions): Json {
  const components: Json = {};
  extractSchemas(schemas, components);
  const paths = pathsOf(operations, '', components, {
    security: ({ access, isMockable }) => ({
      ...(isMockable ? { 'x-mockable': true } : {}),
      security: access === 'public' ? [] : [{ apiKey: [] }],
    }),
    parameter: parameterOf,
    responses: responsesOf,
  });
  return {
    openapi: '3.1.0',
    info: {
      title: 'Bestow',
      version: '1.0.0',
      summary: 'Buy gifts and send them to people by email, phone or link.',
      description,
      license: { name: 'Proprietary', identifier: 'LicenseRef-Proprietary' },
    },
    components: {
      securitySchemes: {
        apiKey: {
          type: 'http',
          scheme: 'bearer',
          description: 'A secret key: `bestow-…` for live, `bestow-sandbox-…` for the sandbox.',
        },
      },
      schemas: publishable(components, components),
      headers: { ...commonHeaders, 'Retry-After': retryAfter },
      examples: Object.fromEntries(errorCodes.map((code) => [code, { summary: code, value: exampleError(code) }])),
    },
    paths: Object.fromEntries(Object.entries(paths).map(([url, methods]) => [url, mapValues(methods, responsesFirst)])),
    servers: [{ url: path, description: 'This service: the key decides between live and sandbox.' }],
    security: [{ apiKey: [] }],
    tags,
  };
}

const mapValues = <Value>(values: Record<string, Value>, map: (value: Value) => unknown) =>
  Object.fromEntries(Object.entries(values).map(([name, value]) => [name, map(value)]));

const responsesFirst = ({ responses, ...rest }: Json): Json => ({ responses, ...rest });

/**
 * Writes constants as enumerations of one, and adds to each discriminator which value means which schema. Without that
 * mapping typed clients would send the schema's name, “EmailDelivery”, as the method. Ajv allows no mapping.
 */
function publishable(value: unknown, schemas: Json): unknown {
  if (typeof value !== 'object' || value === null) return value;
  if (Array.isArray(value)) return value.map((item) => publishable(item, schemas));
  const entries = Object.entries(value).map(([key, item]) =>
    key === 'const' ? ['enum', [item]] : [key, publishable(item, schemas)],
  );
  const schema = Object.fromEntries(entries) as {
    discriminator?: { propertyName: string };
    oneOf?: { $ref: string }[];
  };
  const { discriminator, oneOf } = schema;
  if (discriminator === undefined || oneOf === undefined) return schema;
  const tagOf = ($ref: string) => {
    const { properties } = schemas[$ref.split('/').at(-1) ?? ''] as { properties: Record<string, { const: string }> };
    return properties[discriminator.propertyName]?.const;
  };
  const mapping = Object.fromEntries(oneOf.map(({ $ref }) => [tagOf($ref), $ref]));
  return { ...schema, discriminator: { ...discriminator, mapping } };
}
