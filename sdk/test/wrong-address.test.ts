import assert from 'node:assert/strict';
import { test } from 'node:test';
import { body, clientOf, order, placed, thrownBy } from '../../server/test/harness/scripted-client.ts';
import { drop, html, type Step, startScriptedServer } from '../../server/test/harness/scripted-server.ts';
import { AbortError, Bestow, ConnectionError, TimeoutError } from '../src/index.ts';

// What the client says of a wrong address or certificate, and how soon. Pauses are recorded, not waited for.

/** How Node says that a connection failed. */
const failure = (code: string, syscall?: string) =>
  Object.assign(new TypeError('fetch failed'), {
    cause: Object.assign(new Error(`${syscall} ${code}`), { code, syscall }),
  });
const failing = (error: unknown) => async () => {
  throw error;
};

test('nothing listens: told within two seconds of pauses, and the order does not exist', async (t) => {
  const closing: (() => Promise<void>)[] = [];
  const { baseUrl } = await startScriptedServer({ after: (close) => void closing.push(close) }, placed);
  for (const close of closing) await close();
  let nowMs = 0;
  t.mock.method(performance, 'now', () => nowMs);
  const pause = async (ms: number) => {
    nowMs += ms;
  };
  const error = await thrownBy(new Bestow('key', { baseUrl, pause }).orders.create(body));
  assert.ok(nowMs < 2_000, `${nowMs} ms`);
  assert.ok(error instanceof ConnectionError && !error.outcomeUnknown && error.attempts >= 2);
  assert.match(error.message, /^No answer came from \S+ \(connect ECONNREFUSED .*\) \(\d attempts\)\.$/);
});

test('a port that no browser and no fetch uses is told at once', async () => {
  const error = await thrownBy(new Bestow('key', { baseUrl: 'http://127.0.0.1:1' }).orders.create(body));
  assert.ok(error instanceof ConnectionError && /\(bad port\)/.test(error.message));
  assert.deepEqual([error.attempts, error.outcomeUnknown], [1, false]);
});

test('https to a plain port is told at once', async (t) => {
  const { baseUrl } = await startScriptedServer(t, placed);
  const error = await thrownBy(new Bestow('key', { baseUrl: baseUrl.replace('http:', 'https:') }).orders.create(body));
  assert.ok(error instanceof ConnectionError && !error.message.includes('\n'));
  assert.deepEqual([error.attempts, error.outcomeUnknown], [1, false]);
});

test('a proxy that requires authentication is named at once', async (t) => {
  const { bestow, seen } = await clientOf(t, [html(407, { 'Proxy-Authenticate': 'Basic' })]);
  const error = await thrownBy(bestow.orders.create(body));
  assert.ok(error instanceof ConnectionError && error.outcomeUnknown);
  assert.match(error.message, /\(HTTP 407: the proxy requires authentication\)/);
  assert.equal(seen.length, 1);
});

test('a proxy of the environment that requires authentication is named at once', async (t) => {
  const tunnel = new Error('Request was cancelled.', {
    cause: new Error('Proxy response (407) !== 200 when HTTP Tunneling'),
  });
  for (const cause of [tunnel, new Error('Proxy Authentication Required (407)')]) {
    const { bestow, seen } = await clientOf(t, [placed], { fetch: failing(new TypeError('fetch failed', { cause })) });
    const error = await thrownBy(bestow.orders.create(body));
    assert.ok(error instanceof ConnectionError && error.attempts === 1);
    assert.match(error.message, /\(HTTP 407: the proxy requires authentication\)/);
    assert.equal(seen.length, 0);
  }
});

for (const [name, code, syscall, mostAttempts] of [
  ['an unknown host', 'ENOTFOUND', 'getaddrinfo', 4],
  ['a self-signed certificate', 'DEPTH_ZERO_SELF_SIGNED_CERT', undefined, 1],
  ['a certificate of another name', 'ERR_TLS_CERT_ALTNAME_INVALID', undefined, 1],
  ['an expired certificate', 'CERT_HAS_EXPIRED', undefined, 1],
] as const)
  test(`${name} is told within two seconds with its code, and nothing was sent`, async (t) => {
    const { bestow, pauses } = await clientOf(t, [placed], {
      pause: async (ms) => {
        pauses.push(ms);
        t.mock.timers.tick(ms);
      },
    });
    t.mock.method(globalThis, 'fetch', failing(failure(code, syscall)));
    t.mock.method(performance, 'now', () => Date.now());
    t.mock.timers.enable({ apis: ['Date', 'setTimeout'] });
    const error = await thrownBy(bestow.orders.create(body));
    assert.ok(error instanceof ConnectionError && error.message.includes(code));
    assert.equal(error.outcomeUnknown, false);
    assert.ok(error.attempts <= mostAttempts && pauses.reduce((sum, ms) => sum + ms, 0) < 2_000);
  });

test('a service that has answered before is waited for: it restarts', async (t) => {
  const { bestow, pauses } = await clientOf(t, [placed]);
  await bestow.orders.create(body);
  let failures = 8;
  const real = globalThis.fetch;
  t.mock.method(globalThis, 'fetch', async (...call: Parameters<typeof fetch>) => {
    if (failures-- > 0) throw failure('ECONNREFUSED', 'connect');
    return real(...call);
  });
  assert.deepEqual(await bestow.orders.create(body), order);
  assert.equal(pauses.length, 8);
  // Nothing was sent, so an act that is sent once can be sent now.
  failures = 1;
  await thrownBy(bestow.sandbox.claim('gift_1'));
  assert.equal(pauses.length, 9);
});

test('an order may exist if a connection broke, or if the caller passed a fetch', async (t) => {
  for (const cause of [failure('ECONNRESET', 'read'), failure('ECONNREFUSED', 'connect')]) {
    const { bestow } = await clientOf(t, [placed], { fetch: failing(cause), timeoutMs: 400 });
    const error = await thrownBy(bestow.orders.create(body));
    assert.ok(error instanceof ConnectionError && error.outcomeUnknown);
  }
});

for (const [name, step, status, words] of [
  [
    'a redirect',
    (r) => r.writeHead(301, { Location: 'https://b.example/v1/orders' }).end(),
    301,
    /redirects to https:\/\/b\.example; check/,
  ],
  ['a firewall’s 403', html(403), 403, /HTTP 403 of .* did not come from Bestow; check baseUrl/],
  ['a wrong host’s 404', html(404), 404, /HTTP 404/],
] as [string, Step, number, RegExp][])
  test(`${name} is told at once; an order may still exist, a read changes nothing`, async (t) => {
    const { bestow, seen } = await clientOf(t, [step]);
    for (const [call, outcomeUnknown] of [
      [() => bestow.orders.create(body), true],
      [() => bestow.orders.retrieve('ord_1'), false],
    ] as const) {
      const error = await thrownBy(call());
      assert.ok(error instanceof ConnectionError);
      assert.deepEqual([error.status, error.attempts, error.outcomeUnknown], [status, 1, outcomeUnknown]);
      assert.match(error.message, words);
    }
    assert.equal(seen.length, 2);
  });

for (const status of [408, 425, 429])
  test(`a gateway’s ${status} is retried`, async (t) => {
    const { bestow, seen } = await clientOf(t, [html(status), placed]);
    assert.deepEqual(await bestow.orders.create(body), order);
    assert.equal(seen.length, 2);
  });

test('an answer that Bun cannot read is no answer, and its query is not in the message', async (t) => {
  const more = 'For more information, pass `verbose: true` in the second argument to fetch()';
  const words = `InvalidContentLength fetching "https://a.test/v1/gifts?recipient=ada%40example.com". ${more}`;
  const cause = Object.assign(new TypeError(words), { code: 'InvalidContentLength' });
  const { bestow } = await clientOf(t, [placed], { fetch: failing(cause), maxRetries: 0 });
  const error = await thrownBy(bestow.orders.create(body));
  assert.ok(error instanceof ConnectionError && error.outcomeUnknown);
  assert.match(error.message, /\(InvalidContentLength\): the outcome is unknown\.$/);
});

test('what is no failure of the network passes through unchanged and at once', async (t) => {
  // As a mistake in a program, and Next.js, which ends a page that must not be prerendered.
  const signal = Object.assign(new Error('Dynamic server usage: no-store fetch http://localhost/v1/balance'), {
    digest: 'DYNAMIC_SERVER_USAGE',
    code: 'DYNAMIC_SERVER_USAGE',
  });
  const mistakes = [new ReferenceError('agent is not defined'), new TypeError('x.get is not a function')];
  for (const cause of [...mistakes, signal, new Error('No token in the vault'), 'a text', undefined]) {
    const { bestow, pauses } = await clientOf(t, [placed], { fetch: failing(cause) });
    assert.equal(await thrownBy(bestow.orders.create(body)), cause);
    assert.equal(await thrownBy(bestow.balance.retrieve()), cause);
    assert.equal(pauses.length, 0);
  }
});

test('after an attempt without an answer, such an error says that the outcome is unknown', async (t) => {
  const cause = new ReferenceError('agent is not defined');
  let calls = 0;
  const { bestow } = await clientOf(t, [drop], {
    fetch: (...call) => (calls++ === 0 ? fetch(...call) : Promise.reject(cause)),
  });
  const error = await thrownBy(bestow.orders.create(body, { idempotencyKey: 'mine' }));
  assert.ok(error instanceof ConnectionError && error.cause === cause && error.outcomeUnknown);
  assert.deepEqual([error.idempotencyKey, error.attempts], ['mine', 2]);
});

test('a fetch that ignores its signal cannot hang a call', async (t) => {
  const { bestow } = await clientOf(t, [placed], {
    fetch: () => new Promise(() => undefined),
    tryTimeoutMs: 20,
    timeoutMs: 50,
  });
  const error = await thrownBy(bestow.orders.create(body));
  assert.ok(error instanceof TimeoutError && error instanceof ConnectionError && error.outcomeUnknown);
  assert.match(error.message, /^No answer came from \S+ within \d+ ms/);
  const abort = new AbortController();
  const call = thrownBy(bestow.orders.create(body, { signal: abort.signal }));
  abort.abort();
  assert.ok((await call) instanceof AbortError);
});

test('a read is sent five times at most, and every call as often as maxRetries says', async (t) => {
  for (const [options, attempts] of [
    [{}, 5],
    [{ maxRetries: 0 }, 1],
  ] as const) {
    const { bestow, seen } = await clientOf(t, [drop], options);
    const error = await thrownBy(bestow.orders.retrieve('ord_1'));
    assert.ok(error instanceof ConnectionError && !error.outcomeUnknown);
    assert.deepEqual([seen.length, error.attempts], [attempts, attempts]);
  }
  const { bestow, seen } = await clientOf(t, [drop, drop, drop, drop, drop, drop, placed], { maxRetries: 1 });
  const error = await thrownBy(bestow.orders.create(body));
  assert.ok(error instanceof ConnectionError && error.outcomeUnknown && error.attempts === 2);
  assert.deepEqual(await bestow.orders.create(body, { maxRetries: 9 }), order);
  assert.equal(seen.length, 7);
});
