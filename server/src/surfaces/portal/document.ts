import { type Json, pathsOf } from '../../platform/api/document.ts';
import type { Operation } from '../../platform/api/operation.ts';
import { Environment } from '../../platform/api/schema.ts';

const errorSchema = {
  type: 'object',
  required: ['error'],
  properties: {
    error: {
      type: 'object',
      required: ['code', 'message', 'request_id'],
      properties: {
        code: { type: 'string', description: 'Branch on it.' },
        message: { type: 'string', description: 'A sentence for the user.' },
        type: { type: 'string', description: 'Only errors of `/v1`.' },
        doc_url: { type: 'string', description: 'Only errors of `/v1`.' },
        param: { type: 'string', description: 'The offending field.' },
        request_id: { type: 'string' },
      },
    },
  },
};

/** What the two apps' documents differ in. */
const apps = {
  portal: { path: '/portal/api', title: 'Bestow portal', cookie: 'bestow.session_token' },
  operator: { path: '/operator/api', title: 'Bestow operator’s page', cookie: 'bestow.operator' },
};

/** OpenAPI 3.1 of `/portal/api` or `/operator/api`: the committed types of the app (`schema.d.ts`) are made from it. */
export function portalDocument(operations: readonly Operation[], app: keyof typeof apps = 'portal'): Json {
  const { path, title, cookie } = apps[app];
  const named: Json = {};
  const paths = pathsOf(operations, path, named, {
    security: ({ access, needs }) => ({
      security: [{ session: [] }],
      'x-access': access,
      ...(needs && { 'x-needs': [needs].flat() }),
    }),
    parameter: ({ schema, ...rest }) => ({ ...rest, schema: rest.name === 'environment' ? Environment : schema }),
    responses: (operation) => ({ ...successOf(operation), default: { $ref: '#/components/responses/Error' } }),
  });
  return {
    openapi: '3.1.0',
    info: {
      title,
      version: '1.0.0',
      description:
        'The interface between the page and its server. It changes with the page; do not use it in other programs.',
    },
    paths,
    components: {
      schemas: { Error: errorSchema, ...named },
      responses: {
        Error: {
          description: 'Nothing was changed; the message gives the reason.',
          content: { 'application/json': { schema: { $ref: '#/components/schemas/Error' } } },
        },
      },
      securitySchemes: { session: { type: 'apiKey', in: 'cookie', name: cookie } },
    },
  };
}

function successOf({ response, file }: Operation): Json {
  if (file !== undefined)
    return { 200: { description: 'The file.', content: { [file]: { schema: { type: 'string' } } } } };
  if (response === undefined) return { 204: { description: 'Done.' } };
  return { 200: { description: 'Done.', content: { 'application/json': { schema: response } } } };
}
