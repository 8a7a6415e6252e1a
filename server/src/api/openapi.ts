import swagger from '@fastify/swagger';
import type { FastifyInstance, FastifySchema } from 'fastify';
import { type TSchema, Type } from 'typebox';
import { catalogue, type ErrorCode, errorCodes } from '../errors.ts';
import type { Access, BodyUse } from '../http/request-context.ts';

/** OpenAPI 3.1 of `/v1`, made from the routes' own schemas (specification, part 9). */

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
        message: Type.String({ description: 'For people; it may change, so never branch on it.' }),
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
    description: 'What every error looks like. An error means that nothing happened: no order, charge or gift.',
    additionalProperties: false,
  },
);

interface Success {
  status: 200 | 201;
  description: string;
  schema: TSchema;
  example: unknown;
  headers?: Record<string, { description: string; schema: object }>;
}

export interface Operation {
  operationId: string;
  tag: 'Catalog' | 'Orders' | 'Gifts' | 'Sandbox' | 'Meta';
  summary: string;
  description: string;
  access: Access;
  /** As in the route's config (request-context.ts). */
  provesKey?: boolean;
  success: Success[];
  body?: { use: BodyUse; schema?: TSchema; examples?: Record<string, { summary: string; value: unknown }> };
  params?: TSchema;
  querystring?: TSchema;
  headers?: TSchema;
  /** Codes of its own; those of authentication, limits and failures are added. */
  errors?: readonly ErrorCode[];
  /** In the sandbox the recipient's address steers the outcome. */
  isMockable?: boolean;
}

const authenticationErrors: readonly ErrorCode[] = [
  'api_key_missing',
  'api_key_invalid',
  'api_key_revoked',
  'api_key_environment_mismatch',
  'organization_suspended',
  'sandbox_missing',
];

/** Everything that an operation may answer beside success. */
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

declare module 'fastify' {
  interface FastifyContextConfig {
    operation?: Operation;
  }
}

/** The options of a route: its schema for Fastify, and what the document and the hooks want to know. */
export function operation(described: Operation) {
  const { access, provesKey = false, success, params, querystring, headers, body } = described;
  const schema: FastifySchema = {
    ...(params ? { params } : {}),
    ...(querystring ? { querystring } : {}),
    ...(headers ? { headers } : {}),
    ...(body?.schema ? { body: body.schema } : {}),
    response: Object.fromEntries(success.map((answer) => [answer.status, answer.schema])),
  };
  return { schema, config: { access, provesKey, body: body?.use ?? 'ignored', operation: described } as const };
}

type Document = Record<string, unknown>;

const commonHeaders: Record<string, Document> = {
  'Request-Id': { description: 'The request’s id; name it when you ask for help.', schema: { type: 'string' } },
  'RateLimit-Policy': {
    description: 'The limit: `q` requests in `w` seconds (IETF draft “RateLimit header fields”).',
    schema: { type: 'string' },
  },
  RateLimit: {
    description: 'What is left: `r` requests now, all of them again in `t` seconds.',
    schema: { type: 'string' },
  },
};
const retryAfter: Document = {
  description: 'Seconds to wait before the same request is sent again.',
  schema: { type: 'integer', minimum: 1 },
};
const headerRef = (name: string) => ({ $ref: `#/components/headers/${name}` });
const commonHeaderRefs = Object.fromEntries(Object.keys(commonHeaders).map((name) => [name, headerRef(name)]));

function errorResponses(codes: readonly ErrorCode[]): Document {
  const statuses = [...new Set(codes.map((code) => catalogue[code].status))].sort((one, other) => one - other);
  return Object.fromEntries(
    statuses.map((status) => [
      String(status),
      errorResponse(codes.filter((code) => catalogue[code].status === status)),
    ]),
  );
}

function errorResponse(codes: readonly ErrorCode[]): Document {
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

function exampleError(code: ErrorCode): Document {
  const { type, message } = catalogue[code];
  const request_id = 'req_01k0fxw4mzf8ta2m3y6b7n9c5d';
  const param = paramOfExample[code];
  return { error: { type, code, message, ...(param ? { param } : {}), doc_url: `/docs/errors#${code}`, request_id } };
}

const paramOfExample: Partial<Record<ErrorCode, string>> = {
  parameter_invalid: 'gifts[0].amount',
  cursor_invalid: 'starting_after',
};

const defaultResponse: Document = {
  description: 'Any error this version of the document does not name; it has the same shape.',
  headers: commonHeaderRefs,
  content: { 'application/json': { schema: { $ref: '#/components/schemas/ErrorResponse' } } },
};

/** What the routes' schemas cannot say: examples, headers, the errors by status. */
function completeOperation(document: Document, described: Operation): Document {
  const successes = Object.fromEntries(
    described.success.map(({ status, description, schema, example, headers }) => [
      String(status),
      {
        description,
        headers: { ...commonHeaderRefs, ...headers },
        content: { 'application/json': { schema: toReference(schema), example } },
      },
    ]),
  );
  const { requestBody, parameters, ...rest } = document;
  const { body } = described;
  return {
    ...rest,
    operationId: described.operationId,
    tags: [described.tag],
    summary: described.summary,
    description: described.description,
    ...(described.isMockable ? { 'x-mockable': true } : {}),
    ...(described.access === 'public' ? { security: [] } : { security: [{ apiKey: [] }] }),
    ...(parameters ? { parameters } : {}),
    ...(requestBody && body?.schema
      ? {
          requestBody: {
            required: body.use === 'required',
            content: { 'application/json': { schema: toReference(body.schema), examples: body.examples } },
          },
        }
      : {}),
    responses: { ...successes, ...errorResponses(errorsOf(described)), default: defaultResponse },
  };
}

const toReference = (schema: TSchema) => {
  const { $ref } = schema as { $ref?: string };
  return $ref === undefined ? schema : { $ref: `#/components/schemas/${$ref.replace('#', '')}` };
};

interface DocumentOptions {
  schemas: readonly TSchema[];
  description: string;
  /** Of the service's address: what stands before every path of the document; `/` where nothing does. */
  path: string;
}

/** Collects the routes that follow; `app.swagger()` then gives the document. */
export async function registerOpenapi(
  app: FastifyInstance,
  { schemas, description, path }: DocumentOptions,
): Promise<void> {
  for (const schema of schemas) app.addSchema(schema);
  await app.register(swagger, {
    openapi: {
      openapi: '3.1.0',
      info: {
        title: 'Bestow',
        version: '1.0.0',
        summary: 'Buy gifts and send them to people by email, phone or link.',
        description,
        license: { name: 'Proprietary', identifier: 'LicenseRef-Proprietary' },
      },
      security: [{ apiKey: [] }],
      servers: [{ url: path, description: 'This service: the key decides between live and sandbox.' }],
      tags: [
        { name: 'Catalog', description: 'What can be given.' },
        { name: 'Orders', description: 'Buying gifts: one debit an order, never twice.' },
        { name: 'Gifts', description: 'What became of each gift.' },
        { name: 'Sandbox', description: 'Simulate what a recipient does. Sandbox keys only.' },
        { name: 'Meta', description: 'About the service itself; no key needed.' },
      ],
      components: {
        securitySchemes: {
          apiKey: {
            type: 'http',
            scheme: 'bearer',
            description: 'A secret key: `bestow-…` for live, `bestow-sandbox-…` for the sandbox.',
          },
        },
      },
    },
    refResolver: { buildLocalReference: (json, _base, _fragment, index) => String(json['$id'] ?? `def-${index}`) },
    transform: ({ schema, url, route }) => ({
      schema: route.config?.operation === undefined ? { ...schema, hide: true } : { ...schema, response: {} },
      url,
    }),
    transformObject: (input) => {
      if (!('openapiObject' in input)) return input.swaggerObject;
      return completeDocument(input.openapiObject as Document, operations) as typeof input.openapiObject;
    },
  });
  const operations = new Map<string, Operation>();
  app.addHook('onRoute', ({ url, method, config }) => {
    if (config?.operation === undefined || method === 'HEAD') return;
    operations.set(`${String(method).toLowerCase()} ${url.replace(/:(\w+)/g, '{$1}')}`, config.operation);
  });
}

function completeDocument(document: Document, operations: Map<string, Operation>): Document {
  const paths = document['paths'] as Record<string, Record<string, Document>>;
  const completed: Record<string, Record<string, Document>> = {};
  for (const [path, methods] of Object.entries(paths))
    for (const [method, one] of Object.entries(methods)) {
      const described = operations.get(`${method} ${path}`);
      if (described) completed[path] = { ...completed[path], [method]: completeOperation(one, described) };
    }
  const components = document['components'] as Document;
  return {
    ...document,
    paths: completed,
    components: {
      ...components,
      schemas: withMappings(components['schemas'] as Record<string, Document>),
      headers: { ...commonHeaders, 'Retry-After': retryAfter },
      examples: Object.fromEntries(errorCodes.map((code) => [code, { summary: code, value: exampleError(code) }])),
    },
  };
}

/**
 * Says which value of a discriminator means which schema. Without it OpenAPI takes the schema's name for the value, and
 * typed clients would send the method «EmailDelivery»; Ajv, which knows the values by itself, allows no mapping.
 */
function withMappings(schemas: Record<string, Document>): Record<string, Document> {
  const tagOf = (reference: string, tag: string) => {
    const { properties } = schemas[reference.split('/').at(-1) ?? ''] as { properties: Record<string, Document> };
    const { enum: [value = ''] = [] } = properties[tag] as { enum?: string[] };
    return value;
  };
  const complete = (schema: Document): Document => {
    const { discriminator, oneOf } = schema as { discriminator?: { propertyName: string }; oneOf?: { $ref: string }[] };
    if (discriminator === undefined || oneOf === undefined) return schema;
    const mapping = Object.fromEntries(oneOf.map(({ $ref }) => [tagOf($ref, discriminator.propertyName), $ref]));
    return { ...schema, discriminator: { ...discriminator, mapping } };
  };
  return Object.fromEntries(Object.entries(schemas).map(([name, schema]) => [name, complete(schema)]));
}
