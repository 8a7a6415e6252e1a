/** A document with faults that both linters must find: no security, an answer without a description, http, no limits. */
export const brokenDocument = JSON.stringify({
  openapi: '3.1.0',
  info: { title: 'Broken', version: '1' },
  servers: [{ url: 'http://gifts.test' }],
  paths: {
    '/v1/orders/{id}': {
      post: {
        parameters: [{ name: 'token', in: 'query', schema: { type: 'string' } }],
        responses: { 200: { content: { 'application/json': { schema: { $ref: '#/components/schemas/Missing' } } } } },
      },
    },
  },
});
