import { Type } from 'typebox';
import { type Asset, asset, assetReply } from '../pages/asset-reply.ts';
import { createCompression } from '../pages/compress.ts';
import { PUBLIC_PAGE_CACHE } from '../pages/html-reply.ts';
import type { AddRoute } from './operation.ts';
import { refTo } from './schema.ts';

const Health = Type.Object({ status: Type.Literal('ok') }, { $id: 'Health', description: 'The service is alive.' });

const OpenapiDocument = Type.Unsafe<unknown>({
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

  let document: Asset | undefined;
  addRoute(
    {
      method: 'GET',
      path: '/v1/openapi.json',
      operationId: 'getOpenapi',
      tag: 'Meta',
      summary: 'Get this description',
      description:
        'The OpenAPI 3.1 description of this interface. With its `ETag` as `If-None-Match` the answer is 304 while it is the same.',
      access: 'public',
      response: refTo(OpenapiDocument),
      answers: {
        200: {
          description: 'The description.',
          headers: { ETag: { description: 'Changes with the description.', schema: { type: 'string' } } },
          example: { openapi: '3.1.0', info: { title: 'Bestow', version: '1.0.0' } },
        },
      },
    },
    ({ request, reply }) => {
      document ??= asset(Buffer.from(JSON.stringify(describe())), {
        contentType: 'application/json; charset=utf-8',
        cacheControl: PUBLIC_PAGE_CACHE,
      });
      return assetReply(request, reply, document);
    },
    { onSend: createCompression() },
  );
}
