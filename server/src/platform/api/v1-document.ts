import type { TObject, TSchema } from 'typebox';
import { extractSchemas, type Json, type Parameter, pathsOf } from './document.ts';
import { answersOf, type Operation } from './operation.ts';
import { referredBy, refTo } from './schema.ts';
import { ErrorResponse, errorExamples, errorResponses, errorResponsesOf, errorsByStatus } from './v1-errors.ts';

const commonHeaders: Record<string, Json> = {
  'Request-Id': {
    description: 'The request’s id; name it when you ask for help.',
    schema: { type: 'string' },
    required: true,
  },
  'RateLimit-Policy': {
    description: 'The limit: `q` requests in `w` seconds (IETF draft “RateLimit header fields”).',
    schema: { type: 'string' },
  },
  RateLimit: {
    description: 'The remaining quota: `r` requests now, the full quota in `t` seconds.',
    schema: { type: 'string' },
  },
};
const headerRef = (name: string) => ({ $ref: `#/components/headers/${name}` });
const commonHeaderRefs = Object.fromEntries(Object.keys(commonHeaders).map((name) => [name, headerRef(name)]));

const jsonOf = (schema: unknown, example: unknown) => ({ 'application/json': { schema, example } });

/** @param named receives the answers that have a name */
function responsesOf(operation: Operation, named: Json): Json {
  const successes = answersOf(operation).map(([status, { name, description, example, headers }]) => {
    const content = {
      ...jsonOf(operation.response, example),
      ...(operation.hasCsv ? { 'text/csv': { schema: { type: 'string' } } } : {}),
    };
    const answer = { description, headers: { ...commonHeaderRefs, ...headers }, content };
    if (name === undefined) return [status, answer];
    named[name] = answer;
    return [status, { $ref: `#/components/responses/${name}` }];
  });
  return { ...Object.fromEntries(successes), ...errorResponsesOf(operation) };
}

function parameterOf({ name, in: place, required, schema }: Parameter): Json {
  const { description, examples, ...rest } = schema as { description?: string; examples?: unknown[] };
  const isMap = (schema as { type?: string }).type === 'object';
  const common = { ...(examples && { example: examples[0] }), in: place, name, required, description };
  return { ...(isMap && { style: 'deepObject', explode: true }), schema: rest, ...common };
}

const PUSH_TAG = { name: 'WebhookEvents', description: 'What webhook endpoints get.' };

/** Of webhooks openapi-generator writes Python without types, which is no Python. */
const typedInPython = (type: string) => ({ 'x-py-typing': type });

/** What the service posts to webhook endpoints. The body is not a component: oapi-codegen drops those that no path uses. */
const webhooksOf = ({ body, headers }: DocumentOptions['push'], components: Json) => ({
  event: {
    post: extractSchemas(
      {
        operationId: 'webhookEvent',
        // With the operations' tag it would overwrite them in the clients of openapi-generator.
        tags: [PUSH_TAG.name],
        summary: 'Receive an event',
        description: 'The service posts each event to your webhook endpoints, and again until an endpoint accepts it.',
        security: [],
        parameters: Object.entries(headers.properties).map(([name, schema]) => ({
          ...parameterOf({ name, in: 'header', required: true, schema }),
          ...typedInPython((schema as { type?: string }).type === 'integer' ? 'int' : 'str'),
        })),
        requestBody: { required: true, content: { 'application/json': { schema: body } }, ...typedInPython('dict') },
        responses: { '2XX': { description: 'The event is accepted.' } },
      },
      components,
    ),
  },
});

interface DocumentOptions {
  /** What is sent to webhook endpoints. */
  push: { body: TSchema; headers: TObject };
  tags: readonly { name: string; description: string }[];
  /** The service's address, without a final slash. */
  publicUrl: string;
}

/** The published document of `/v1`. */
export function v1Document(operations: readonly Operation[], { push, tags, publicUrl }: DocumentOptions): Json {
  const components: Json = {};
  const named: Json = {};
  extractSchemas([...referredBy([operations, refTo(ErrorResponse)])], components);
  const paths = pathsOf(operations, '', components, {
    security: (operation) => ({
      ...(operation.isMockable ? { 'x-mockable': true } : {}),
      ...(operation.isSentOnce ? { 'x-sent-once': true } : {}),
      ...(operation.takesLong ? { 'x-takes-long': true } : {}),
      security: operation.access === 'public' ? [] : [{ apiKey: [] }],
      'x-errors': errorsByStatus(operation),
    }),
    parameter: parameterOf,
    responses: (operation) => responsesOf(operation, named),
  });
  const webhooks = webhooksOf(push, components);
  return {
    openapi: '3.1.0',
    info: {
      title: 'Bestow',
      version: '1.0.0',
      summary: 'Buy gifts and send them to people by email, phone or link.',
      description: 'Amounts are whole cents of one currency.',
      license: { name: 'Proprietary', identifier: 'LicenseRef-Proprietary' },
    },
    components: {
      securitySchemes: {
        apiKey: {
          type: 'http',
          scheme: 'bearer',
          description:
            'A secret key: `bestow-…` for live, `bestow-sandbox-…` for the sandbox. To go live, change only the key. Admins create keys in the portal, the operator with `bestow key create`.',
        },
      },
      schemas: publishable(components, components),
      headers: commonHeaders,
      responses: { ...errorResponses(commonHeaderRefs), ...(extractSchemas(named, components) as Json) },
      examples: errorExamples(publicUrl),
    },
    paths: Object.fromEntries(Object.entries(paths).map(([url, methods]) => [url, mapValues(methods, responsesFirst)])),
    webhooks,
    servers: [
      {
        url: '{base_url}',
        description: 'The service: the key decides between live and sandbox.',
        variables: { base_url: { default: publicUrl, description: 'The address of your Bestow service.' } },
      },
    ],
    security: [{ apiKey: [] }],
    tags: [...tags, PUSH_TAG],
    externalDocs: { description: 'Guides: first steps, retries, the sandbox.', url: `${publicUrl}/docs` },
  };
}

/** Puts the answers that have a name into their operations. */
export function inlineAnswers<Document extends object>(document: Document): Document {
  const { paths, components } = document as unknown as {
    paths: Record<string, Record<string, Json & { responses: Record<string, { $ref?: string }> }>>;
    components: { responses: Json };
  };
  const inPlace = (answer: { $ref?: string }) =>
    answer.$ref === undefined ? answer : components.responses[answer.$ref.split('/').at(-1) ?? ''];
  const operations = mapValues(paths, (methods) =>
    mapValues(methods, (operation) => ({ ...operation, responses: mapValues(operation.responses, inPlace) })),
  );
  return { ...document, paths: operations };
}

const mapValues = <Value>(values: Record<string, Value>, map: (value: Value) => unknown) =>
  Object.fromEntries(Object.entries(values).map(([name, value]) => [name, map(value)]));

const responsesFirst = ({ responses, ...rest }: Json): Json => ({ responses, ...rest });

/**
 * Adds to each discriminator which value means which schema. Without that mapping typed clients would send the schema's
 * name, “EmailDelivery”, as the method. Ajv allows no mapping.
 */
function publishable(value: unknown, schemas: Json): unknown {
  if (typeof value !== 'object' || value === null) return value;
  if (Array.isArray(value)) return value.map((item) => publishable(item, schemas));
  const schema = Object.fromEntries(Object.entries(value).map(([key, item]) => [key, publishable(item, schemas)])) as {
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
