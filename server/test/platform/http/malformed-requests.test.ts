import assert from 'node:assert/strict';
import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import { test } from 'node:test';
import Fastify, { type FastifyRequest } from 'fastify';
import { readBody } from '../../../src/platform/http/bodies.ts';
import { createMalformedRequestAnswers } from '../../../src/platform/http/malformed-requests.ts';
import { connectRaw } from '../../harness/raw-http.ts';

test('a late body gets one answer, and its connection ends without another error', async (t) => {
  const latestResponse = new WeakMap<Socket, ServerResponse>();
  const malformedRequests = createMalformedRequestAnswers({
    latestResponse,
    nextRequestId: () => 'req_1',
    publicUrl: () => 'https://gifts.test',
    forAddress: () => ({}),
  });
  const app = Fastify({
    requestTimeout: 200,
    http: { headersTimeout: 200, connectionsCheckingInterval: 20 },
    clientErrorHandler: (error, socket) => malformedRequests.onClientError(error, socket as Socket),
  });
  malformedRequests.listen(app.server);
  app.addHook('onRequest', ({ raw }, reply, done) => {
    latestResponse.set(raw.socket, reply.raw);
    done();
  });
  app.removeAllContentTypeParsers();
  app.addContentTypeParser('*', (_: FastifyRequest, payload: IncomingMessage) => readBody(payload, 'required'));
  app.setErrorHandler((error: Error, _, reply) => reply.code(400).send({ message: error.message }));
  app.post('/', () => 'ok');
  const errors: Error[] = [];
  app.server.on('connection', (socket) => socket.on('error', (error) => errors.push(error)));
  t.after(() => app.close());
  const url = await app.listen({ host: '127.0.0.1', port: 0 });

  const connection = await connectRaw(url);
  await connection.write('POST / HTTP/1.1\r\nHost: gifts.test\r\nContent-Length: 10\r\n\r\n{');
  const { status, body } = await connection.answer();
  assert.deepEqual([status, body], [400, { message: 'The request did not arrive in time. Send it without pauses.' }]);
  await connection.closed;
  connection.hangUp();
  await app.close();
  assert.deepEqual(errors, []);
});
