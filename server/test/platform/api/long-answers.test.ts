import assert from 'node:assert/strict';
import { Agent, get } from 'node:http';
import type { AddressInfo } from 'node:net';
import { test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import Fastify from 'fastify';
import { createRouter } from '../../../src/platform/api/operation.ts';

const SILENCE_MS = 200;

test('a connection may be silent for long before an answer that takes long, and for no other', async (t) => {
  const app = Fastify({ connectionTimeout: SILENCE_MS });
  t.after(() => app.close());
  const { addRoute } = createRouter(app);
  const slow = { method: 'GET', tag: 'Slow', summary: 'Waits.', access: 'public' } as const;
  const answer = () => sleep(3 * SILENCE_MS, { slow: true });
  addRoute({ ...slow, path: '/long', operationId: 'long', takesLong: true }, answer);
  addRoute({ ...slow, path: '/other', operationId: 'other' }, answer);
  await app.listen({ host: '127.0.0.1', port: 0 });
  const agent = new Agent({ keepAlive: true, maxSockets: 1 });
  t.after(() => agent.destroy());
  const call = (path: string) =>
    new Promise<number | string | undefined>((resolve) => {
      const { port } = app.server.address() as AddressInfo;
      get({ port, path, agent }, (response) => response.resume().on('end', () => resolve(response.statusCode))).on(
        'error',
        (error: NodeJS.ErrnoException) => resolve(error.code),
      );
    });
  assert.deepEqual([await call('/long'), await call('/other')], [200, 'ECONNRESET']);
});
