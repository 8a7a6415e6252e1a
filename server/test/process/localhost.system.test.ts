import assert from 'node:assert/strict';
import { once } from 'node:events';
import { createServer } from 'node:net';
import { networkInterfaces } from 'node:os';
import { type TestContext, test } from 'node:test';
import { setTimeout as pause } from 'node:timers/promises';
import { linkGift } from '../harness/api-client.ts';
import { assertRefused, connectRaw, connectUnread, exchange, request } from '../harness/raw-http.ts';
import { serve, temporaryDirectory, until } from '../harness/server-process.ts';
import { startTestService } from '../harness/test-service.ts';

// Programs take one address of `localhost` or the other. Each is the same door, and closes with it.

const hasIpv6 = Object.values(networkInterfaces()).some((each) => each?.some(({ address }) => address === '::1'));
const skip = hasIpv6 ? false : 'This machine has no ::1.';

async function startOnLocalhost(t: TestContext) {
  const service = await startTestService({ HOST: 'localhost' });
  t.after(() => service.close());
  return { service, addresses: [service.url, service.url.replace('127.0.0.1', '[::1]')] as const };
}

test('with HOST=localhost both addresses refuse what is no HTTP with an error object, and end what nobody reads', {
  skip,
}, async (t) => {
  const { service, addresses } = await startOnLocalhost(t);
  for (const address of addresses) {
    assert.deepEqual((await exchange(address, request('GET /v1/health'))).body, { status: 'ok' });
    assertRefused(await exchange(address, 'no HTTP\r\n\r\n'), 'request_body_invalid');
    assertRefused(await exchange(address, request('GET /v1/gifts', ['Expect: a miracle'])), 'request_body_invalid');
  }
  // Nobody waits for a minute here.
  t.mock.timers.enable({ apis: ['setInterval'] });
  for (const address of addresses) {
    const { client, socket } = await connectUnread(address, service.service.app.server);
    await pause(200);
    for (let look = 0; look < 2; look += 1) t.mock.timers.tick(30_000);
    await until(() => socket.destroyed, 'what nobody reads is cut off');
    client.destroy();
  }
});

test('with HOST=localhost a stop closes and answers the connections of both addresses', { skip }, async (t) => {
  const { service, addresses } = await startOnLocalhost(t);
  const { keys } = await service.organization();
  const body = JSON.stringify({ gifts: [linkGift()] });
  const connections = await Promise.all(
    addresses.map(async (address) => {
      const [idle, late] = [await connectRaw(address), await connectRaw(address)];
      const headers = [
        `Authorization: Bearer ${keys.sandbox}`,
        `Idempotency-Key: ${address}`,
        `Content-Length: ${body.length}`,
      ];
      await late.write(request('POST /v1/orders', headers) + body.slice(0, 20));
      await idle.write(request('GET /v1/health'));
      await idle.answer();
      return { idle, late };
    }),
  );

  const closing = service.close();
  for (const { idle } of connections) await idle.closed;
  for (const address of addresses) {
    const isRefused = () =>
      connectRaw(address).then(
        () => false,
        () => true,
      );
    await until(isRefused, 'no new connection is accepted');
  }
  for (const { late } of connections) {
    await late.write(body.slice(20));
    const { status, headers } = await late.answer();
    assert.deepEqual([status, headers.get('connection')], [201, 'close']);
    await late.closed;
  }
  await closing;
});

test('with HOST=localhost a port that is taken on one address is refused', { skip }, async (t) => {
  const holder = createServer().listen(0, '::1');
  t.after(() => holder.close());
  await once(holder, 'listening');
  const address = holder.address();
  assert.ok(address && typeof address === 'object');
  const { port } = address;
  const { code, stderr } = await serve(await temporaryDirectory(t), { HOST: 'localhost', PORT: String(port) }).ended;
  assert.match(stderr, new RegExp(`^Port ${port} on localhost is taken; `));
  assert.equal(code, 1);
});
