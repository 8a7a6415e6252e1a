import type { TSchema } from 'typebox';
import { type PortalRoute, pathSchemas } from './route.ts';

const errorSchema = {
  type: 'object',
  required: ['error'],
  properties: {
    error: {
      type: 'object',
      required: ['code', 'message', 'request_id'],
      properties: {
        code: { type: 'string', description: 'Branch on it.' },
        message: { type: 'string', description: 'A sentence for the person.' },
        param: { type: 'string', description: 'The field that it is about.' },
        request_id: { type: 'string' },
      },
    },
  },
};

/** OpenAPI 3.1 of `/portal/api`, from the routes' own schemas; committed, and what the app's types are made of. */
export function portalDocument(routes: readonly PortalRoute[]): object {
  const named: Record<string, object> = {};
  const paths: Record<string, Record<string, object>> = {};
  for (const route of routes)
    paths[`/portal/api${route.path}`] = {
      ...paths[`/portal/api${route.path}`],
      [route.method.toLowerCase()]: nameSchemas(operationOf(route), named),
    };
  return {
    openapi: '3.1.0',
    info: {
      title: 'Bestow portal',
      version: '1.0.0',
      description: 'What the business portal speaks with its server. For the portal alone: it changes with it.',
    },
    paths,
    components: {
      schemas: { Error: errorSchema, ...named },
      responses: {
        Error: {
          description: 'Nothing was done; the message says why.',
          content: { 'application/json': { schema: { $ref: '#/components/schemas/Error' } } },
        },
      },
      securitySchemes: { session: { type: 'apiKey', in: 'cookie', name: 'bestow.session_token' } },
    },
  };
}

function operationOf(route: PortalRoute): object {
  const inPath = [...route.path.matchAll(/\{(\w+)\}/g)].map(([, name = '']) => ({
    name,
    in: 'path',
    required: true,
    schema: pathSchemas[name] ?? { type: 'string' },
  }));
  const inQuery = Object.entries((route.query?.properties ?? {}) as Record<string, TSchema>).map(([name, schema]) => ({
    name,
    in: 'query',
    required: false,
    schema,
  }));
  return {
    operationId: route.operationId,
    tags: [route.tag],
    summary: route.summary,
    security: route.access === 'anyone' ? [] : [{ session: [] }],
    'x-access': route.access,
    ...(inPath.length + inQuery.length > 0 ? { parameters: [...inPath, ...inQuery] } : {}),
    ...(route.body === undefined
      ? {}
      : { requestBody: { required: true, content: { 'application/json': { schema: route.body } } } }),
    responses: { ...successOf(route), default: { $ref: '#/components/responses/Error' } },
  };
}

function successOf({ response, file }: PortalRoute): object {
  if (file !== undefined)
    return { 200: { description: 'The file.', content: { [file]: { schema: { type: 'string' } } } } };
  if (response === undefined) return { 204: { description: 'Done.' } };
  return { 200: { description: 'Done.', content: { 'application/json': { schema: response } } } };
}

/** Puts every schema that has an `$id` among the components, once, and a reference in its place. */
function nameSchemas(value: object, named: Record<string, object>): object {
  if (Array.isArray(value)) return value.map((item) => (isObject(item) ? nameSchemas(item, named) : item));
  const entries = Object.entries(value).map(([key, item]) => [key, isObject(item) ? nameSchemas(item, named) : item]);
  const { $id, ...schema } = Object.fromEntries(entries) as { $id?: string };
  if ($id === undefined) return schema;
  named[$id] = schema;
  return { $ref: `#/components/schemas/${$id}` };
}

const isObject = (value: unknown): value is object => typeof value === 'object' && value !== null;
