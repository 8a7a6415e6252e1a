import assert from 'node:assert/strict';
import { existsSync } from 'node:fs';
import { type TestContext, test } from 'node:test';
import { addOperator, endOperator } from '../../../src/capabilities/operators/operators.ts';
import { stylesheetPath } from '../../../src/platform/pages/stylesheet.ts';
import { assertStrict } from '../../harness/assert-strict.ts';
import { runBestow } from '../../harness/command-line.ts';
import { OPERATOR } from '../../harness/operator.ts';
import { OPERATOR_EMAIL } from '../../harness/operator-client.ts';
import { exchange } from '../../harness/raw-http.ts';
import { freePort } from '../../harness/server-process.ts';
import { startTestService, type TestService } from '../../harness/test-service.ts';

/** The operator's page before the first operator: only a browser on this machine learns how to set it up. */

const BROWSER = 'Accept: text/html,application/xhtml+xml,*/*;q=0.8';
const METHODS = ['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS'];
const TITLE = 'The operator’s page is not set up yet';

async function start(t: TestContext, variables: Record<string, string> = {}): Promise<TestService> {
  const service = await startTestService(variables);
  t.after(() => service.close());
  return service;
}

const ask = (
  url: string,
  path = '/operator',
  headers = [BROWSER],
  host = 'localhost',
  method = 'GET',
  version = '1.1',
) => exchange(url, [`${method} ${path} HTTP/${version}`, `Host: ${host}`, ...headers, '', ''].join('\r\n'));

/** The whole answer, without what differs between two equal requests. */
function whole({ status, headers, body }: Awaited<ReturnType<typeof ask>>) {
  const id = headers.get('request-id') ?? '';
  const kept = [...headers].filter(([name]) => !['date', 'request-id', 'ratelimit'].includes(name));
  return { status, headers: kept, body: JSON.stringify(body).replaceAll(id, 'ID') };
}

const nameAndRemove = async ({ service: { deps } }: TestService) => {
  await addOperator(deps, { email: OPERATOR_EMAIL, actor: OPERATOR });
  await endOperator(deps, { email: OPERATOR_EMAIL, actor: OPERATOR });
};

test('a browser on this machine gets the command that sets the page up', async (t) => {
  const service = await start(t);
  const { status, headers, body } = await ask(service.url);
  assert.equal(status, 404);
  assertStrict(body);
  assert.ok(body.includes(`<h1>${TITLE}</h1>`));
  assert.equal(headers.get('content-type'), 'text/html; charset=utf-8');
  assert.equal(headers.get('cache-control'), 'no-store');
  for (const host of ['127.0.0.1:3000', '[::1]', 'LOCALHOST'])
    assert.equal((await ask(service.url, '/operator/?x=1', undefined, host)).body, body, host);

  const [, command = ''] = /<pre[^>]*><code>([^<]+)<\/code><\/pre>/.exec(body) ?? [];
  const [program = '', ...words] = command.split(' ');
  assert.ok(existsSync(program), program);
  const { code, stderr } = await runBestow(service.homeTarget, words);
  assert.equal(code, 0, stderr);
  const after = await ask(service.url);
  assert.equal(after.body.includes(TITLE), false);
});

test('everyone else gets the same answers as after the first operator', async (t) => {
  const service = await start(t);
  const asks: (() => ReturnType<typeof ask>)[] = [];
  const add = (path: string, headers: string[], host: string, method: string, version?: string) =>
    asks.push(() => ask(service.url, path, headers, host, method, version));
  const forwarding = ['X-Forwarded-For: 127.0.0.1', 'X-Forwarded-Host: localhost', 'Forwarded: for=127.0.0.1'];
  for (const path of ['/operator', '/operator/'])
    for (const method of METHODS) {
      for (const header of [...forwarding, 'X-Real-IP: 127.0.0.1', 'Via: 1.1 proxy'])
        add(path, [BROWSER, header], 'localhost', method);
      for (const host of ['gifts.example', 'localhost.example', '127.0.0.1.example:3000', '192.0.2.2', ''])
        add(path, [BROWSER], host, method);
      add(path, [BROWSER, 'Connection: close'], 'localhost', method, '1.0');
      add(path, ['Accept: */*'], 'localhost', method);
      if (method !== 'GET' && method !== 'HEAD') add(path, [BROWSER], 'localhost', method);
    }
  for (const path of [
    '/operator/organizations',
    '/operator/assets/x.js',
    '/operator/api/session',
    '/operator/api',
    '/operators',
  ])
    for (const method of METHODS) add(path, [BROWSER], 'localhost', method);

  const answers = async () => {
    const all = [];
    for (const one of asks) all.push(whole(await one()));
    return all;
  };
  const before = await answers();
  const elsewhere = whole(await ask(service.url, '/operator', [BROWSER], 'gifts.example'));
  assert.ok(before.every(({ status, body }) => status >= 400 && !body.includes(TITLE)));
  await nameAndRemove(service);
  assert.deepEqual(await answers(), before);
  assert.deepEqual(whole(await ask(service.url)), elsewhere, 'this machine, once there was an operator');
});

test('another machine gets the same answer as after the first operator, by each name of a host', async (t) => {
  const service = await start(t);
  const from = async (remoteAddress: string) => {
    const headers = { host: 'localhost', accept: 'text/html' };
    const {
      statusCode,
      headers: sent,
      body,
    } = await service.service.app.inject({ url: '/operator', remoteAddress, headers });
    const { date, 'request-id': id, ratelimit, ...kept } = sent;
    assert.ok(date !== undefined && id !== undefined && ratelimit !== undefined);
    return { statusCode, kept, body };
  };
  const others = ['192.0.2.7', '10.0.0.1', '::2', '::ffff:192.0.2.7'];
  for (const here of ['127.0.0.1', '::1', '::ffff:127.0.0.1']) assert.ok((await from(here)).body.includes(TITLE), here);
  const before = await Promise.all(others.map(from));
  assert.ok(before.every(({ body }) => !body.includes(TITLE)));
  await nameAndRemove(service);
  assert.deepEqual(await Promise.all(others.map(from)), before);
  assert.deepEqual(await from('127.0.0.1'), before[0]);
});

test('the page is shown only where the operator’s page would be', async (t) => {
  const service = await start(t);
  const isShown = async (variables: Record<string, string>) =>
    (await ask((await service.second(variables)).url)).body.includes(TITLE);
  assert.equal(await isShown({ OPERATOR_PAGE_NETWORKS: '10.1.0.0/16' }), false);
  assert.equal(await isShown({ OPERATOR_PAGE_NETWORKS: '10.1.0.0/16,127.0.0.1' }), true);
  assert.equal(await isShown({ NODE_ENV: 'production', PUBLIC_URL: 'http://gifts.example' }), false);
  assert.equal(await isShown({ NODE_ENV: 'production', PUBLIC_URL: 'https://gifts.example' }), true);
});

test('with its own port the page is there only, with its style', async (t) => {
  const service = await start(t);
  const port = await freePort();
  const { url } = await service.second({ OPERATOR_PAGE_PORT: String(port) });
  const own = `http://127.0.0.1:${port}`;
  assert.equal((await ask(url)).body.includes(TITLE), false);
  const { body } = await ask(own);
  assert.ok(body.includes(TITLE));
  assert.ok(body.includes(`href="${stylesheetPath}"`));
  assert.equal((await ask(own, stylesheetPath)).status, 200);
});
