import { Type } from 'typebox';
import type { AddRoute } from './operation.ts';
import { refTo } from './schema.ts';

export const Health = Type.Object(
  { status: Type.Literal('ok') },
  { $id: 'Health', description: 'The service is alive.' },
);

export const OpenapiDocument = Type.Unsafe<unknown>({
  $id: 'OpenapiDocument',
  type: 'object',
  description: 'An OpenAPI 3.1 document.',
  additionalProperties: true,
});

/** @param describe makes the document of `/v1`, once all operations are added */
export function metaRoutes(addRoute: AddRoute, describe: () => object): void {
  addRoute(
    {
      method: 'GET',
      path: '/v1/health',
      operationId: 'getHealth',
      tag: 'Meta',
      summary: 'Check that the service is alive',
      description: 'Answers while the process runs; does not check the database.',
      access: 'public',
      response: refTo(Health),
      answers: { 200: { description: 'Alive.', example: { status: 'ok' } } },
    },
    () => ({ status: 'ok' as const }),
  );

  let document: string | undefined;
  addRoute(
    {
      method: 'GET',
      path: '/v1/openapi.json',
      operationId: 'getOpenapi',
      tag: 'Meta',
      summary: 'Get this description',
      description: 'The OpenAPI 3.1 description of this interface.',
      access: 'public',
      response: refTo(OpenapiDocument),
      answers: {
        200: {
          description: 'The description.',
          example: { openapi: '3.1.0', info: { title: 'Bestow', version: '1.0.0' } },
        },
      },
    },
    ({ reply }) => {
      document ??= JSON.stringify(describe());
      return reply.header('Content-Type', 'application/json; charset=utf-8').send(document);
    },
  );
}
