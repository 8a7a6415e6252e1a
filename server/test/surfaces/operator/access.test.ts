import assert from 'node:assert/strict';
import { once } from 'node:events';
import { createServer } from 'node:net';
import { test } from 'node:test';
import { addOperator, endOperator } from '../../../src/capabilities/operators/operators.ts';
import { enterMailedCode } from '../../harness/cookie-browser.ts';
import { openForFile } from '../../harness/open-for-file.ts';
import { OPERATOR } from '../../harness/operator.ts';
import { callOperator, createOperatorClient, OPERATOR_EMAIL } from '../../harness/operator-client.ts';
import { startTestService } from '../../harness/test-service.ts';

const PAGES = ['/operator', '/operator/', '/operator/organizations', '/operator/api/session'];
const service = openForFile(() => startTestService());

const codeOf = ({ body }: { body: { error?: { code: string } } }) => body.error?.code;

test('without an operator there is no page, and the first one switches it on', async () => {
  for (const path of PAGES) assert.equal((await fetch(service.url + path)).status, 404, path);
  await addOperator(service.service.deps, { email: OPERATOR_EMAIL, actor: OPERATOR });
  const { status } = await fetch(`${service.url}/operator/api/session`);
  assert.equal(status, 401);
  await assert.rejects(addOperator(service.service.deps, { email: 'Olga@Gifts.example', actor: OPERATOR }), {
    message: 'Olga@Gifts.example is an operator already.',
  });
  await endOperator(service.service.deps, { email: OPERATOR_EMAIL, actor: OPERATOR });
  for (const path of PAGES) assert.equal((await fetch(service.url + path)).status, 404, path);
});

test('a session needs an operator, a second factor and a fresh sign-in, and lasts an hour', async () => {
  await service.organization();
  const operator = await createOperatorClient(service);
  const shown = await operator.call('GET', '/session');
  assert.equal(shown.body.email, OPERATOR_EMAIL);

  const member = await enterMailedCode(service, 'admin@example.com');
  const begin = (cookies: Map<string, string>) => callOperator(service.url, cookies, 'POST', '/session');
  assert.equal(codeOf(await begin(member.browser.cookies)), 'not_found', 'an admin who is no operator');
  assert.equal(codeOf(await begin(new Map())), 'sign_in_required');
  await addOperator(service.service.deps, { email: 'admin@example.com', actor: OPERATOR });
  assert.equal(codeOf(await begin(member.browser.cookies)), 'second_factor_required');

  await service.clock.jump(11 * 60_000);
  assert.equal(codeOf(await operator.call('POST', '/session')), 'sign_in_again');
  assert.equal((await operator.call('GET', '/session')).status, 200);
  await service.clock.jump(50 * 60_000);
  assert.equal(codeOf(await operator.call('GET', '/session')), 'sign_in_required');
  assert.equal((await operator.signInAgain()).status, 200);

  await operator.call('DELETE', '/session');
  assert.equal(codeOf(await operator.call('GET', '/session')), 'sign_in_required');
  await endOperator(service.service.deps, { email: 'admin@example.com', actor: OPERATOR });
});

test('the portal’s session opens no page of the operator, not even the operator’s own', async () => {
  const operator = await createOperatorClient(service, 'own@gifts.example');
  const ofPortal = new Map([...operator.cookies].filter(([name]) => name !== 'bestow.operator'));
  assert.ok(ofPortal.size > 0);
  assert.equal((await callOperator(service.url, ofPortal, 'GET', '/session')).status, 401);
});

test('a session ends with its operator, and with the person’s sign-in', async () => {
  const email = 'leaves@gifts.example';
  const removed = await createOperatorClient(service, email);
  await endOperator(service.service.deps, { email, actor: OPERATOR });
  assert.equal((await removed.call('GET', '/session')).status, 401);

  await service.sql('delete from portal.users where email = $1', [email]);
  const reset = await createOperatorClient(service, email);
  await service.sql('delete from portal.users where email = $1', [email]);
  assert.equal((await reset.call('GET', '/session')).status, 401);
});

test('a page of another site cannot use the session', async () => {
  const { status } = await fetch(`${service.url}/operator/api/session`, {
    method: 'POST',
    headers: { origin: 'https://elsewhere.example' },
  });
  assert.equal(status, 403);
});

test('only the named networks see the page', async () => {
  const second = await service.second({ OPERATOR_PAGE_NETWORKS: '10.1.0.0/16' });
  for (const path of PAGES) assert.equal((await fetch(second.url + path)).status, 404, path);
  const local = await service.second({ OPERATOR_PAGE_NETWORKS: '10.1.0.0/16, 127.0.0.1' });
  assert.equal((await fetch(`${local.url}/operator/api/session`)).status, 401);
});

test('in production the page is refused without https', async () => {
  const second = await service.second({ NODE_ENV: 'production', PUBLIC_URL: 'http://gifts.example' });
  const answer = await fetch(`${second.url}/operator/api/session`);
  assert.deepEqual([answer.status, (await answer.json()).error.code], [403, 'https_required']);
  const secure = await service.second({ NODE_ENV: 'production', PUBLIC_URL: 'https://gifts.example' });
  assert.equal((await fetch(`${secure.url}/operator/api/session`)).status, 401);
});

test('with its own port the page is there only, with its sign-in and nothing else', async () => {
  const free = createServer();
  await once(free.listen(0, '127.0.0.1'), 'listening');
  const { port } = free.address() as { port: number };
  await once(free.close(), 'close');
  const second = await service.second({ OPERATOR_PAGE_PORT: String(port) });
  const statusOf = async (url: string) => (await fetch(url)).status;
  const own = `http://127.0.0.1:${port}`;
  assert.equal(await statusOf(`${second.url}/operator/api/session`), 404);
  assert.equal(await statusOf(`${own}/operator/api/session`), 401);
  for (const path of ['/portal', '/portal/api/me', '/v1/health', '/docs', '/'])
    assert.equal(await statusOf(own + path), 404, path);
  assert.equal(await statusOf(`${own}/healthz`), 200);
  assert.equal(await statusOf(`${second.url}/v1/health`), 200);
  const sent = await fetch(`${own}/portal/api/auth/email-otp/send-verification-otp`, {
    method: 'POST',
    headers: { origin: own, 'content-type': 'application/json' },
    body: JSON.stringify({ email: OPERATOR_EMAIL, type: 'sign-in' }),
  });
  assert.equal(sent.status, 200, await sent.text());
});
