import assert from 'node:assert/strict';
import { test } from 'node:test';
import Fastify from 'fastify';
import { pino } from 'pino';
import { silentMeter } from '../../src/base/meter.ts';
import { turnAway } from '../../src/http/overload.ts';
import { connectRaw, exchange, request } from '../harness/raw-http.ts';

const CONNECTIONS = 10;
const PIPELINED = 1_500;

test('while the service is full, connections are cut that pipeline more than can be refused; nobody else is', async (t) => {
  const app = Fastify();
  turnAway(app, {
    isFull: () => true,
    log: pino({ level: 'silent' }),
    meter: silentMeter,
    publicUrl: () => 'https://gifts.test',
    nextRequestId: () => 'req_1',
    headers: () => ({}),
  });
  app.get('/healthz', { config: { isProbe: true } }, () => 'ok');
  t.after(() => app.close());
  const url = await app.listen({ host: '127.0.0.1', port: 0 });
  const connections = await Promise.all(Array.from({ length: CONNECTIONS }, () => connectRaw(url)));
  // They are all open, at this end and at the other.
  assert.equal((await exchange(url, request('GET /v1/gifts'))).status, 429);

  for (const connection of connections) void connection.write(request('GET /healthz').repeat(PIPELINED));
  const [single, probe] = [await connectRaw(url), await connectRaw(url)];
  await single.write(request('GET /v1/gifts'));
  await probe.write(request('GET /healthz'));
  const last = connections.map(async (connection) => {
    const statuses: number[] = [];
    for (let n = 0; n < PIPELINED; n += 1) statuses.push((await connection.answer()).status);
    return statuses;
  });
  const answers = await Promise.allSettled(last);
  const whole = answers.flatMap((answer) => (answer.status === 'fulfilled' ? [answer.value] : []));
  assert.ok(whole.length > 0 && whole.length < CONNECTIONS, `${whole.length} were not cut`);
  for (const statuses of whole) assert.deepEqual(statuses, [200, ...Array(PIPELINED - 1).fill(429)]);
  assert.deepEqual([(await single.answer()).status, (await probe.answer()).status], [429, 200]);
  for (const connection of [...connections, single, probe]) connection.hangUp();
});
