import assert from 'node:assert/strict';
import { test } from 'node:test';
import { setCaps } from '../../../src/core/caps/set-caps.ts';
import { revokeKey } from '../../../src/core/keys/revoke-key.ts';
import { suspendOrganization } from '../../../src/core/organizations/suspend-organization.ts';
import { type Agent, connectAgent } from '../../harness/agent.ts';
import { emailGift, linkGift, listOrderIds } from '../../harness/api-client.ts';
import { keyIdOf } from '../../harness/key-id.ts';
import { balanceOf, verifyAll } from '../../harness/ledger.ts';
import { openForFile } from '../../harness/open-for-file.ts';
import { OPERATOR } from '../../harness/operator.ts';
import { connectRaw } from '../../harness/raw-http.ts';
import { readLog, untilLogged } from '../../harness/request-log.ts';
import { startTestService, type TestOrganization, type TestService } from '../../harness/test-service.ts';

// What protects `/v1` protects `/mcp`.

const service = openForFile(() => startTestService());
const other = openForFile(() => service.second());

const call = (name: string, given: object = {}) => ({
  jsonrpc: '2.0',
  id: 1,
  method: 'tools/call',
  params: { name, arguments: given },
});

/** Posts a message as it is, without the client. */
async function post(
  { url }: Pick<TestService, 'url'>,
  key: string | undefined,
  message: unknown,
  headers: Record<string, string> = {},
  method = 'POST',
) {
  const response = await fetch(`${url}/mcp`, {
    method,
    headers: {
      ...(key === undefined ? {} : { authorization: `Bearer ${key}` }),
      'content-type': 'application/json',
      accept: 'application/json, text/event-stream',
      ...headers,
    },
    ...(method === 'POST' ? { body: JSON.stringify(message) } : {}),
  });
  return { status: response.status, headers: response.headers, text: await response.text() };
}

const codeOf = ({ status, text }: { status: number; text: string }) => [status, JSON.parse(text).error.code];

const placedFor = async (organization: TestOrganization) =>
  1_000_000 - (await balanceOf(service, organization, 'sandbox'));

/** Repeats the call while another order holds the balance, as its next step says. */
async function decided(agent: Agent, previewed: object) {
  for (;;) {
    const answer = await agent.call('place_order', previewed);
    if (!['resource_locked', 'idempotency_in_progress'].includes(answer.body.error?.code)) return answer;
  }
}

test('a request without a key, or with a revoked one, is 401 at the next message', async () => {
  const organization = await service.organization();
  const { sandbox } = organization.keys;
  const listing = { jsonrpc: '2.0', id: 1, method: 'tools/list' };
  assert.deepEqual(codeOf(await post(service, undefined, listing)), [401, 'api_key_missing']);
  const agent = await connectAgent(service.url, sandbox);
  const previewed = await agent.preview({ gifts: [linkGift()] });
  const keyId = await keyIdOf(service, sandbox);
  await revokeKey(service.service.deps, { organizationId: organization.organizationId, keyId, actor: OPERATOR });
  const messages = [
    listing,
    ...['get_balance', 'search_docs', 'no_such_tool'].map((name) =>
      call(name, name === 'search_docs' ? { query: 'key' } : {}),
    ),
    call('place_order', previewed),
    call('preview_order', { gifts: [linkGift()] }),
    call('cancel_gift'),
  ];
  for (const message of messages) {
    const answer = await post(service, sandbox, message);
    assert.deepEqual(codeOf(answer), [401, 'api_key_revoked'], JSON.stringify(message));
    assert.match(answer.headers.get('www-authenticate') ?? '', /^Bearer resource_metadata="http/);
  }
  await assert.rejects(agent.call('place_order', previewed), /api_key_revoked/);
  assert.equal(await placedFor(organization), 0);
});

test('a suspended organization buys nothing', async () => {
  const organization = await service.organization();
  const agent = await connectAgent(service.url, organization.keys.sandbox);
  const previewed = await agent.preview({ gifts: [linkGift()] });
  await suspendOrganization(service.service.deps, { organizationId: organization.organizationId, actor: OPERATOR });
  for (const [name, given] of [
    ['place_order', previewed],
    ['preview_order', { gifts: [linkGift()] }],
  ] as const) {
    const { isError, body } = await agent.call(name, given);
    assert.deepEqual([isError, body.error.code], [true, 'organization_suspended']);
  }
  assert.equal(await placedFor(organization), 0);
});

test('pages of other sites, and other names of a loopback address, are refused', async () => {
  const { keys } = await service.organization();
  const own = new URL(service.service.deps.publicUrl()).origin;
  const listing = { jsonrpc: '2.0', id: 1, method: 'tools/list' };
  assert.equal((await post(service, keys.sandbox, listing, { origin: own })).status, 200);
  for (const origin of ['https://evil.example', 'null', `${own}.evil.example`])
    assert.deepEqual(codeOf(await post(service, keys.sandbox, listing, { origin })), [403, 'foreign_origin']);
  using connection = await connectRaw(service.url);
  const head = `POST /mcp HTTP/1.1\r\nHost: evil.example\r\nAuthorization: Bearer ${keys.sandbox}`;
  await connection.write(`${head}\r\nContent-Length: 2\r\n\r\n{}`);
  assert.equal((await connection.answer()).status, 403);
});

test('there is no session: no stream is held open, and a large message is refused', async () => {
  const { keys } = await service.organization();
  for (const method of ['GET', 'DELETE']) {
    const { status, headers } = await post(service, keys.sandbox, undefined, {}, method);
    assert.deepEqual([status, headers.get('allow')], [405, 'POST'], method);
  }
  const agent = await connectAgent(service.url, keys.sandbox);
  await assert.rejects(agent.client.listen({ toolsListChanged: true }), /[Ss]ubscription limit|not supported/);
  const large = call('search_docs', { query: 'x'.repeat(1_048_577) });
  assert.deepEqual(codeOf(await post(service, keys.sandbox, large)), [413, 'request_body_too_large']);
});

test('calls count against the key’s rate limit, and tell when to go on', async () => {
  const limited = await service.second({ RATE_LIMIT_BURST: '6', RATE_LIMIT_PER_SECOND: '1' });
  const { keys } = await service.organization();
  const answers = [];
  for (let count = 0; count < 4; count += 1) answers.push(await post(limited, keys.sandbox, call('get_balance')));
  assert.deepEqual(
    answers.map(({ status }) => status),
    [200, 200, 200, 429],
  );
  assert.equal(answers[3]?.headers.get('retry-after'), '1');
});

test('the request log has the operation that a tool called, without its token', async () => {
  const organization = await service.organization();
  const agent = await connectAgent(service.url, organization.keys.sandbox);
  const previewed = await agent.preview({ gifts: [linkGift()] });
  await agent.call('place_order', previewed);
  await untilLogged(service, organization, 'sandbox', 3);
  const logged = await readLog(service, organization, 'sandbox');
  const lines = logged.map(({ method, path, status }) => `${method} ${path} ${status}`);
  assert.equal(lines.filter((line) => line === 'POST /v1/orders 201').length, 1);
  assert.ok(lines.includes('POST /mcp 200'));
  assert.ok(!JSON.stringify(logged).includes(previewed.preview_token.slice(8)));
});

test('after a lost answer the repeat returns the order: one order, one debit', async () => {
  const organization = await service.organization();
  const agent = await connectAgent(service.url, organization.keys.sandbox);
  const previewed = await agent.preview({ gifts: [emailGift('response-lost')] });
  await assert.rejects(agent.call('place_order', previewed), /fetch failed|socket|closed/i);
  assert.equal(await placedFor(organization), 2_500);
  const { isError, body } = await agent.call('place_order', previewed);
  assert.deepEqual([isError, await listOrderIds(organization.sandbox)], [false, [body.order_id]]);
  assert.equal(await placedFor(organization), 2_500);
});

test('one token sent 20 times at once to two processes buys one order', async () => {
  const organization = await service.organization();
  const agents = await Promise.all([service, other].map(({ url }) => connectAgent(url, organization.keys.sandbox)));
  const previewed = await (agents[0] as Agent).preview({ gifts: [linkGift(1_000)] });
  const answers = await Promise.all(Array.from({ length: 20 }, (_, n) => decided(agents[n % 2] as Agent, previewed)));
  const ids = new Set(answers.map(({ body }) => body.order_id));
  assert.deepEqual([[...ids], await placedFor(organization)], [await listOrderIds(organization.sandbox), 1_000]);
});

test('50 previewed orders at once use a cap up and never exceed it', async () => {
  const organization = await service.organization();
  const { organizationId, keys } = organization;
  const keyId = await keyIdOf(service, keys.sandbox);
  const agents = await Promise.all([service, other].map(({ url }) => connectAgent(url, keys.sandbox)));
  const order = { gifts: [linkGift(1_001)] };
  const previewed = await Promise.all(Array.from({ length: 50 }, () => (agents[0] as Agent).preview(order)));
  await setCaps(service.service.deps, {
    organizationId,
    environment: 'sandbox',
    keyId,
    actor: OPERATOR,
    amounts: { day: 20_100 },
  });
  const answers = await Promise.all(previewed.map((one, n) => decided(agents[n % 2] as Agent, one)));
  const refused = answers.filter(({ isError }) => isError);
  assert.equal(refused.length, 30);
  for (const { body } of refused) {
    assert.deepEqual([body.error.code, body.error.reason], ['insufficient_balance', 'key_cap_reached']);
    assert.match(body.error.message, /^Orders with this API key may cost at most \$201\.00 per day/);
    assert.equal(body.error.retry_after_seconds, undefined);
  }
  assert.equal(await placedFor(organization), 20 * 1_001);
  await verifyAll(service);
});
