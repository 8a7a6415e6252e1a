import type { FastifyInstance } from 'fastify';
import { Type } from 'typebox';
import { operation } from './openapi.ts';

export const Health = Type.Object(
  { status: Type.Literal('ok') },
  { $id: 'Health', description: 'The service is alive.', additionalProperties: false },
);

export function metaRoutes(app: FastifyInstance): void {
  app.get(
    '/v1/health',
    operation({
      operationId: 'getHealth',
      tag: 'Meta',
      summary: 'Check that the service is alive',
      description: 'Answers as long as the process can; it does not look at the database.',
      access: 'public',
      success: [{ status: 200, description: 'Alive.', schema: Type.Ref('Health'), example: { status: 'ok' } }],
    }),
    async () => ({ status: 'ok' }),
  );

  let document: string | undefined;
  app.get(
    '/v1/openapi.json',
    operation({
      operationId: 'getOpenapi',
      tag: 'Meta',
      summary: 'Get this description',
      description: 'The OpenAPI 3.1 description of this interface.',
      access: 'public',
      success: [
        {
          status: 200,
          description: 'The description.',
          schema: Type.Unsafe({ type: 'object', additionalProperties: true }),
          example: { openapi: '3.1.0', info: { title: 'Bestow', version: '1.0.0' } },
        },
      ],
    }),
    (_request, reply) => {
      document ??= JSON.stringify(app.swagger());
      return reply.header('Content-Type', 'application/json; charset=utf-8').send(document);
    },
  );
}
