// The ceiling of `GET /v1/health`: Fastify with one route and nothing else. Prints its address.
import Fastify from 'fastify';

const app = Fastify({ logger: false });
const response = { 200: { type: 'object', properties: { status: { type: 'string' } } } };
app.get('/v1/health', { schema: { response } }, async () => ({ status: 'ok' }));
process.stdout.write(`${await app.listen({ host: '127.0.0.1', port: 0 })}\n`);
