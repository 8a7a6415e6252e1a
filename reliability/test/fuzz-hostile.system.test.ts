import assert from 'node:assert/strict';
import { createServer, type RequestListener, type Server } from 'node:http';
import { createServer as createSocketServer, type Socket } from 'node:net';
import { after, suite, test } from 'node:test';
import { gift } from '../../server/test/harness/api-client.ts';
import { startTestService } from '../../server/test/harness/test-service.ts';
import { bombs } from '../fuzz/hostile/bombs.ts';
import { tryBombs } from '../fuzz/hostile/bombs-suite.ts';
import { differences } from '../fuzz/hostile/expected-order.ts';
import { faultsOf } from '../fuzz/hostile/faults.ts';
import { createGround } from '../fuzz/hostile/ground.ts';
import { createLane } from '../fuzz/hostile/lane.ts';
import { nastyStrings } from '../fuzz/hostile/nasty-strings.ts';
import { startOwnProcess } from '../fuzz/hostile/own-process.ts';
import { requestOf } from '../fuzz/hostile/place.ts';
import { hostilePortal, tryPortal } from '../fuzz/hostile/portal-suite.ts';
import { sampleOf } from '../fuzz/hostile/random.ts';
import { trySlowClients } from '../fuzz/hostile/slow-clients.ts';
import { refused } from '../fuzz/hostile/socket-case.ts';
import { faultsOfCase, hostileSockets, socketCases } from '../fuzz/hostile/sockets-suite.ts';
import { hostileStrings } from '../fuzz/hostile/strings-suite.ts';

// The short form of `npm run fuzz`, its hostile half, and the controls that show that it would find something. Its seed
// changes with nothing: what it finds, it finds again.

const SEED = 6;
const silent = () => undefined;

test('the tables hold at least 2,000 strings and 500 cases for sockets, each once', () => {
  assert.ok(nastyStrings.length >= 2_000, `${nastyStrings.length} strings`);
  assert.equal(
    new Set(nastyStrings.map(({ bytes, json }) => `${bytes.toString('hex')} ${json.toString('hex')}`)).size,
    nastyStrings.length,
  );
  assert.ok(socketCases.length >= 500, `${socketCases.length} cases`);
  assert.deepEqual(
    socketCases.map(({ name }) => name).filter((name, index, all) => all.indexOf(name) !== index),
    [],
  );
});

test('nasty strings in fields, headers, paths and queries are refused as they must be, or come back byte for byte', async () => {
  assert.deepEqual(await hostileStrings.run({ seed: SEED, count: 1_500, say: silent }), []);
});

test('nasty strings in the portal’s interface bring nothing down', async () => {
  assert.deepEqual(await hostilePortal.run({ seed: SEED, count: 400, say: silent }), []);
});

test('the portal’s suite finds that it is not let in, because of its origin or its cookie', async () => {
  const options = { seed: SEED, count: 100, say: silent };
  assert.match((await tryPortal(options, { origin: 'https://elsewhere.example' })).join(), /were refused with 403/);
  assert.match((await tryPortal(options, { cookie: 'none=1' })).join(), /were refused with 401/);
});

test('bytes that are no HTTP are answered in form, each request once, and the service lives on', async () => {
  assert.deepEqual(await hostileSockets.run({ seed: SEED, count: 150, say: silent }), []);
});

suite('a service in a process of its own', { concurrency: false }, () => {
  const started = startOwnProcess();
  after(async () => (await started).stop());

  test('a megabyte of JSON costs at most 100 ms of processor time', async () => {
    // The least of several tries: other tests run beside this one.
    const { findings } = await tryBombs(await started, sampleOf(bombs, 8, SEED), (figures) => Math.min(...figures));
    assert.deepEqual(findings, []);
  });

  test('slow clients are told so and cut off within 10 s, and good ones go on beside them', async () => {
    const { url, key } = await started;
    assert.deepEqual(await trySlowClients({ url, key, clients: 90, seconds: 3, floorMs: 1_500, say: silent }), []);
  });
});

/** A server that is not ours, for the test. */
async function stub(
  t: { after(act: () => void): void },
  server: Server | ReturnType<typeof createSocketServer>,
): Promise<string> {
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

/** Answers in the form of our refusals, but for what `more` changes. */
const refusing =
  (message: string, more: Record<string, string | undefined> = {}): RequestListener =>
  (_request, response) => {
    const id = 'req_01k0fxw4mzf8ta2m3y6b7n9c5d';
    const error = {
      type: 'invalid_request_error',
      code: 'parameter_invalid',
      message,
      doc_url: '/docs/errors#parameter_invalid',
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

const faultsAt = async (url: string) => {
  const lane = createLane(url);
  const reply = await lane.ask(requestOf('GET /', []));
  lane.close();
  return faultsOf(reply);
};

suite('controls: it is found', () => {
  test('nothing, where an answer is as it must be', async (t) => {
    assert.deepEqual(await faultsAt(await stub(t, createServer(refusing('No.')))), []);
  });

  test('an answer without a Request-Id', async (t) => {
    const url = await stub(t, createServer(refusing('No.', { 'Request-Id': undefined })));
    assert.deepEqual(await faultsAt(url), ['no Request-Id', 'request_id is not the header’s']);
  });

  test('a NUL that is given back', async (t) => {
    const url = await stub(t, createServer(refusing('The field \0 is not known.')));
    assert.deepEqual(await faultsAt(url), ['a control character or half a surrogate pair in a text']);
  });

  test('a parser’s error that is left to Node', async (t) => {
    const url = await stub(t, createServer(refusing('No.')));
    assert.notDeepEqual(await faultsOfCase(url, refused('a wrong method', 'GIFT / HTTP/1.1\r\n\r\n'), new Set()), []);
  });

  test('a request in a body that is answered as well', async (t) => {
    const twice = 'HTTP/1.1 400 Bad Request\r\nContent-Length: 0\r\n\r\n'.repeat(2);
    const url = await stub(
      t,
      createSocketServer((socket) => socket.on('error', silent).end(twice)),
    );
    const faults = await faultsOfCase(url, refused('two lengths', 'GET / HTTP/1.1\r\n\r\n'), new Set());
    assert.ok(faults.includes('answered [400, 400] in the place of [400]'), faults.join());
  });

  test('a name that comes back normalized', () => {
    const sent = {
      amount: 1000,
      category: 'coffee',
      delivery: { method: 'link' },
      personalization: { recipient_name: 'e\u0301' },
    };
    const shown = {
      ...sent,
      delivery: { method: 'link', link: 'x' },
      personalization: { recipient_name: '\u00e9', sender_name: 'We' },
    };
    assert.deepEqual(differences(sent, shown, 'We'), ['recipient_name came back altered']);
  });

  test('an order that nobody was told of', async (t) => {
    const service = await startTestService();
    t.after(() => service.close());
    const kept = await createGround(service);
    assert.deepEqual(await kept.changes(), []);
    await service.api(kept.ground.key).order([gift()]);
    assert.match((await kept.changes()).join(), /4 orders, where 3 were acknowledged/);
  });

  test('a body that costs 150 ms of processor time', async (t) => {
    const url = await stub(
      t,
      createServer((request, response) => {
        const before = process.cpuUsage();
        for (let spent = 0; spent < 150_000; ) {
          const { user, system } = process.cpuUsage(before);
          spent = user + system;
        }
        refusing('No.')(request, response);
      }),
    );
    const bomb = { name: 'control', body: Buffer.from('{}') };
    const { findings } = await tryBombs({ url, pid: process.pid, key: 'none' }, [bomb], (figures) =>
      Math.min(...figures),
    );
    assert.match(findings.join(), /^control: \d+\.\d ms of processor time$/);
  });

  test('slow clients that nobody cuts off', async (t) => {
    const url = await stub(t, createServer({ headersTimeout: 0, requestTimeout: 0 }, refusing('No.')));
    const findings = await trySlowClients({
      url,
      key: 'none',
      clients: 3,
      seconds: 0.2,
      cutWithinMs: 300,
      floorMs: 1_500,
      say: silent,
    });
    assert.match(findings.join(), /slow headers: not cut off/);
  });
});
