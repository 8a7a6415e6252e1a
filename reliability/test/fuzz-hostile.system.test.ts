import assert from 'node:assert/strict';
import { createServer, type RequestListener, type Server } from 'node:http';
import type { Socket } from 'node:net';
import { suite, test } from 'node:test';
import { startTestService } from '../../server/test/harness/test-service.ts';
import { faultsOf } from '../fuzz/hostile/check-reply.ts';
import { faultsOfCase, hostileSockets, refused } from '../fuzz/hostile/sockets-suite.ts';
import { alteredTexts, hostileStrings, tryStrings } from '../fuzz/hostile/strings-suite.ts';
import { createKeptConnection, requestOf } from '../fuzz/hostile/wire.ts';

const SEED = 6;
const say = () => undefined;

for (const { name, counts, run } of [hostileStrings, hostileSockets])
  test(`the suite ${name} finds nothing`, async () => {
    assert.deepEqual(await run({ seed: SEED, count: counts.short, say }), []);
  });

async function listen(t: { after(act: () => void): void }, server: Server): Promise<string> {
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const sockets = new Set<Socket>();
  server.on('connection', (socket: Socket) => sockets.add(socket));
  t.after(() => {
    server.close();
    for (const socket of sockets) socket.destroy();
  });
  const address = server.address();
  return `http://127.0.0.1:${typeof address === 'object' && address ? address.port : assert.fail()}`;
}

/** Answers in the form of our refusals, except for `more`. */
const refusing =
  (message: string, more: Record<string, string | undefined> = {}): RequestListener =>
  (_request, response) => {
    const id = 'req_01k0fxw4mzf8ta2m3y6b7n9c5d';
    const code = 'parameter_invalid';
    const error = {
      type: 'invalid_request_error',
      code,
      message,
      doc_url: `/docs/errors#${code}`,
      request_id: id,
    };
    const headers = {
      'Content-Type': 'application/json; charset=utf-8',
      'Request-Id': id,
      'Cache-Control': 'no-store',
      'Content-Security-Policy': "default-src 'none'; frame-ancestors 'none'",
      'Referrer-Policy': 'no-referrer',
      'X-Content-Type-Options': 'nosniff',
      RateLimit: '"key";r=1;t=1',
      'RateLimit-Policy': '"key";q=1;w=1',
      ...more,
    };
    for (const [name, value] of Object.entries(headers)) if (value !== undefined) response.setHeader(name, value);
    const body = JSON.stringify({ error });
    response.writeHead(422, { 'Content-Length': Buffer.byteLength(body) }).end(body);
  };

async function faultsAt(url: string): Promise<string[]> {
  const connection = createKeptConnection(url);
  const reply = await connection.ask(requestOf('GET /'));
  connection.close();
  return faultsOf(reply);
}

suite('the hostile suites find', () => {
  test('nothing in a correct answer', async (t) => {
    assert.deepEqual(await faultsAt(await listen(t, createServer(refusing('No.')))), []);
  });

  test('a missing Request-Id', async (t) => {
    const url = await listen(t, createServer(refusing('No.', { 'Request-Id': undefined })));
    assert.deepEqual(await faultsAt(url), ['no Request-Id', 'request_id differs from the header']);
  });

  test('a NUL in an answer', async (t) => {
    const url = await listen(t, createServer(refusing('The field \0 is not known.')));
    assert.deepEqual(await faultsAt(url), ['a control character or half a surrogate pair']);
  });

  test("an error in Node's form", async (t) => {
    const url = await listen(t, createServer(refusing('No.')));
    assert.notDeepEqual(await faultsOfCase(url, refused('a wrong method', 'GIFT / HTTP/1.1\r\n\r\n'), new Set()), []);
  });

  test('a name that comes back normalized', () => {
    const order = (recipient_name: string) => ({
      gifts: [{ delivery: { method: 'link' }, personalization: { recipient_name, sender_name: 'We' } }],
    });
    assert.deepEqual(alteredTexts(order('e\u0301'), order('\u00e9')), ['recipient_name came back altered']);
  });

  test('an admin who is not let in', async (t) => {
    const service = await startTestService({ RATE_LIMIT_BURST: '100000', RATE_LIMIT_ADDRESS_BURST: '100000' });
    t.after(() => service.close());
    const findings = await tryStrings(service, { seed: SEED, count: 200, say }, ['Origin: https://elsewhere.example']);
    assert.match(findings.join(), /status 40[13]/);
  });
});
