import assert from 'node:assert/strict';
import { type TestContext, test } from 'node:test';
import { body, clientOf, errorStep, order, placed } from '../../server/test/harness/scripted-client.ts';
import { html, json, type Step, startScriptedServer } from '../../server/test/harness/scripted-server.ts';
import { Bestow, type BestowOptions } from '../src/index.ts';

// The options of a client and of a call, against a scripted server.

type SeenHeaders = Record<string, string | string[] | undefined>;

/** Answers, and keeps the headers of each request. */
function keeping(seen: SeenHeaders[], then: Step): Step {
  return (response, request) => {
    seen.push(request.headers);
    then(response, request);
  };
}

test('headers of the client and of the call are sent; one that the client sets is refused', async (t) => {
  const seen: SeenHeaders[] = [];
  const headers = { 'X-Team': 'sales', 'user-agent': 'mine' };
  const { bestow } = await clientOf(t, [keeping(seen, placed)], { headers });
  await bestow.orders.create(body, { headers: { 'x-team': 'people' }, idempotencyKey: 'mine' });
  const [sent = {}] = seen;
  assert.deepEqual(
    [sent['x-team'], sent['authorization'], sent['idempotency-key']],
    ['people', 'Bearer bestow-sandbox-key', 'mine'],
  );
  assert.match(String(sent['user-agent']), /^bestow-sdk\//);
  // An idempotency key that is dropped in silence would buy twice.
  for (const name of ['Idempotency-Key', 'Authorization', 'Content-Type']) {
    const refused = { name: 'TypeError', message: `The client sets the header ${name} itself.` };
    await assert.rejects(bestow.orders.create(body, { headers: { [name]: 'theirs' } }), refused);
    await assert.rejects(
      bestow.withOptions({ headers: { [name.toLowerCase()]: 'theirs' } }).orders.create(body),
      refused,
    );
  }
  assert.equal(seen.length, 1);
});

test('withOptions gives a client of the same key with other options', async (t) => {
  const seen: SeenHeaders[] = [];
  const { bestow } = await clientOf(t, [keeping(seen, html(502))], { headers: { 'X-Team': 'sales' } });
  const once = bestow.withOptions({ maxRetries: 0 });
  await assert.rejects(once.balance.retrieve(), /HTTP 502/);
  assert.deepEqual(
    seen.map((sent) => [sent['x-team'], sent['authorization']]),
    [['sales', 'Bearer bestow-sandbox-key']],
  );
  assert.throws(() => bestow.withOptions({ timeout: 5 } as BestowOptions), /no option "timeout"/);
});

function setEnvironment(t: TestContext, variables: Record<string, string>): void {
  const earlier = { ...process.env };
  Object.assign(process.env, variables);
  t.after(() => {
    for (const name of Object.keys(variables)) delete process.env[name];
    Object.assign(process.env, earlier);
  });
}

test('key and address come from the environment, unless they are given', async (t) => {
  const seen: SeenHeaders[] = [];
  const { baseUrl } = await startScriptedServer(t, keeping(seen, placed));
  setEnvironment(t, { BESTOW_KEY: 'from-the-environment', BESTOW_URL: baseUrl });
  assert.deepEqual(await new Bestow().orders.create(body), order);
  await new Bestow('given').orders.create(body);
  assert.deepEqual(
    seen.map((sent) => sent['authorization']),
    ['Bearer from-the-environment', 'Bearer given'],
  );
  assert.throws(() => new Bestow(''), /API key is missing/);
  assert.throws(() => new Bestow('key', { baseUrl: '' }), /address of your Bestow/);
});

test('an address with /v1 is refused, and the right one named', () => {
  for (const [baseUrl, right] of [
    ['https://gifts.test/v1/', 'https://gifts.test'],
    ['https://a.test/gifts/v1', 'https://a.test/gifts'],
  ])
    assert.throws(() => new Bestow('key', { baseUrl }), {
      name: 'TypeError',
      message: `baseUrl must end before /v1, which the client adds: ${right}`,
    });
  assert.ok(new Bestow('key', { baseUrl: 'https://v1' }));
});

test('http to an address on the internet needs a permission', () => {
  const within =
    'localhost LOCALHOST:3000 a.localhost 127.0.0.1 127.8.9.1:3000 [::1]:3000 0.0.0.0 10.1.2.3 172.16.0.1 172.31.255.1 192.168.1.1 169.254.1.1 100.64.0.1 [fd00::1] [fe80::1] bestow bestow-1:3000 gifts.local gifts.local. host.docker.internal';
  for (const host of within.split(' ')) assert.ok(new Bestow('key', { baseUrl: `http://${host}` }), host);
  const outside =
    'gifts.example.com 8.8.8.8 172.32.0.1 100.128.0.1 [2606:4700::1111] [::ffff:8.8.8.8] 134744072 0x08080808 local.example.com evil-local.com 10.example.com 192.168.1.1.example.com';
  for (const host of outside.split(' ')) {
    const refused = /^TypeError: http:\/\/\S+ would carry the API key over the internet unencrypted\. Use https:/;
    assert.throws(() => new Bestow('key', { baseUrl: `http://${host}` }), refused, host);
    assert.ok(new Bestow('key', { baseUrl: `http://${host}`, allowInsecureHttp: true }));
    assert.ok(new Bestow('key', { baseUrl: `https://${host}` }));
  }
});

test('a logger gets each attempt, without keys, addresses and bodies', async (t) => {
  const lines: unknown[][] = [];
  const logger = {
    debug: (...line: unknown[]) => void lines.push(['debug', ...line]),
    warn: (...line: unknown[]) => void lines.push(['warn', ...line]),
  };
  const page = json(200, { object: 'list', data: [], has_more: false }, { 'Request-Id': 'req_9' });
  const { bestow } = await clientOf(t, [html(502), errorStep('resource_locked'), page], { logger });
  await bestow.gifts.list({ recipient: 'ada@example.com' }).page();
  assert.deepEqual(
    lines.map(([level, text, facts]) => {
      const { attempt, status, error, requestId } = facts as Record<string, unknown>;
      return [level, text, attempt, status, error, requestId];
    }),
    [
      ['warn', 'bestow GET /v1/gifts', 1, 502, 'ConnectionError', undefined],
      ['warn', 'bestow GET /v1/gifts', 2, 409, 'resource_locked', undefined],
      ['debug', 'bestow GET /v1/gifts', 3, 200, undefined, 'req_9'],
    ],
  );
  assert.doesNotMatch(JSON.stringify(lines), /ada|bestow-sandbox-key/);
});

test('a logger that throws does not disturb the call', async (t) => {
  const fail = () => {
    throw new Error('the disk is full');
  };
  const { bestow } = await clientOf(t, [placed], { logger: { debug: fail, warn: fail } });
  assert.deepEqual(await bestow.orders.create(body), order);
});
