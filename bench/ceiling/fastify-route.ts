// The ceiling of `GET /v1/health` and of the open loop: Fastify routes that do nothing. Prints its address.
import Fastify from 'fastify';

const app = Fastify({ logger: false });
const ok = { type: 'object', properties: { status: { type: 'string' } } };
app.get('/v1/health', { schema: { response: { 200: ok } } }, async () => ({ status: 'ok' }));
app.post('/v1/orders', { schema: { response: { 201: ok } } }, async (_request, reply) => {
  reply.code(201);
  return { status: 'ok' };
});
process.stdout.write(`${await app.listen({ host: '127.0.0.1', port: 0 })}\n`);
