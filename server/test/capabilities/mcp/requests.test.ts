import assert from 'node:assert/strict';
import { test } from 'node:test';
import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client';
import { clientOf, sessionIdFor, sessionIdOf } from '../../../src/capabilities/mcp/client-claim.ts';
import { connectAgent } from '../../harness/agent.ts';
import { linkGift } from '../../harness/api-client.ts';
import { runBestow } from '../../harness/command-line.ts';
import { openForFile } from '../../harness/open-for-file.ts';
import { readLog, untilLogged } from '../../harness/request-log.ts';
import { startTestService, type TestOrganization } from '../../harness/test-service.ts';

// What agents called, in the log of requests.

const service = openForFile(() => startTestService());

const callsOf = async (organization: TestOrganization) => {
  await service.clock.advance(2_000);
  return (await readLog(service, organization, 'sandbox')).filter(({ path, tool }) => path === '/mcp' && tool !== null);
};

for (const revision of ['auto', 'legacy'] as const)
  test(`a refused call is in the log with tool, client and error, at its request_id, revision ${revision}`, async () => {
    const organization = await service.organization();
    const agent = await connectAgent(service.url, organization.keys.sandbox, revision);
    const person = { method: 'email', email: 'ada@example.com' };
    const order = { gifts: [{ ...linkGift(), delivery: person, personalization: { recipient_name: 'Ada Lovelace' } }] };
    const { body } = await agent.call('place_order', { ...order, preview_token: 'x' });
    await untilLogged(service, organization, 'sandbox', 2);
    const [row] = await callsOf(organization);
    const { request_id, method, path, tool, client, status, error_code, error_param } = row ?? assert.fail();
    assert.deepEqual(
      { request_id, method, path, tool, client, status, error_code, error_param },
      {
        request_id: body.error.request_id,
        method: 'POST',
        path: '/mcp',
        tool: 'place_order',
        client: 'test 1.0.0',
        status: 422,
        error_code: 'parameter_invalid',
        error_param: 'preview_token',
      },
    );
    assert.match(row?.error_message ?? '', /is not of this grant or API key/);
    const { method: called, params } = JSON.parse(row?.body ?? '');
    assert.deepEqual([called, params.name], ['tools/call', 'place_order']);
    assert.deepEqual(params.arguments.gifts[0].delivery, { method: 'email', email: 'a•••@example.com' });
    assert.doesNotMatch(row?.body ?? '', /Lovelace/);
    const scope = ['--org', organization.organizationId, '--environment', 'sandbox'];
    const { stdout } = await runBestow(service.target, ['request', 'list', ...scope, '--status', '4xx']);
    assert.match(stdout, new RegExp(`${request_id} .*/mcp +place_order +422 +parameter_invalid`));
    const shown = await runBestow(service.target, ['request', request_id]);
    assert.match(shown.stdout, /^client +test 1\.0\.0$/m);
  });

test('calls that succeed, those of /v1 that a tool makes refused, and unknown tools are in the log', async () => {
  const organization = await service.organization();
  const agent = await connectAgent(service.url, organization.keys.sandbox);
  await agent.call('get_balance');
  await agent.call('search_docs', { query: 'retry' });
  const missing = await agent.call('get_gift', { gift_id: 'gift_01k0fxw4mze6hv3tqx4d5s8r2n' });
  await assert.rejects(agent.client.callTool({ name: 'buy_everything' }));
  await assert.rejects(agent.client.callTool({ name: 'Ada Lovelace' }));
  await untilLogged(service, organization, 'sandbox', 7);
  const rows = (await callsOf(organization)).reverse();
  assert.deepEqual(
    rows.map(({ tool, status, error_code }) => [tool, status, error_code]),
    [
      ['get_balance', 200, null],
      ['search_docs', 200, null],
      ['get_gift', 404, 'resource_missing'],
      ['buy_everything', 422, 'parameter_invalid'],
      ['•••', 422, 'parameter_invalid'],
    ],
  );
  assert.equal(rows[2]?.request_id, missing.body.error.request_id);
});

test('a batch is one row with its tools and its error', async () => {
  const organization = await service.organization();
  const calls = ['get_balance', 'get_gift', 'get_balance', 'list_orders'].map((name, id) => ({
    jsonrpc: '2.0',
    id,
    method: 'tools/call',
    params: { name, arguments: {} },
  }));
  const response = await fetch(`${service.url}/mcp`, {
    method: 'POST',
    headers: {
      authorization: `Bearer ${organization.keys.sandbox}`,
      accept: 'application/json, text/event-stream',
      'mcp-session-id': sessionIdFor({ name: 'batcher', version: '2' }),
    },
    body: JSON.stringify(calls),
  });
  assert.equal(response.status, 200);
  await response.text();
  await untilLogged(service, organization, 'sandbox', 2);
  const [row] = await callsOf(organization);
  assert.deepEqual(
    [row?.tool, row?.client, row?.status, row?.error_param],
    ['get_balance, get_gift, list_orders', 'batcher 2', 422, 'gift_id'],
  );
});

const request = (body: unknown, sessionId?: string) => ({
  body,
  headers: sessionId === undefined ? {} : { 'mcp-session-id': sessionId },
});

test('what a client says it is goes by the session id, short and without controls', () => {
  const initialize = (clientInfo: unknown) => ({ method: 'initialize', params: { clientInfo } });
  const id = sessionIdOf(initialize({ name: 'Cl\u202eau\u0000de\n', version: '1.0' })) ?? '';
  assert.match(id, /^client_[A-Za-z0-9_-]+$/);
  assert.equal(clientOf(request({ method: 'tools/list' }, id)), 'Claude 1.0');
  const long = sessionIdOf(initialize({ name: '🎁'.repeat(10_000), version: 'x'.repeat(10_000) })) ?? '';
  assert.ok(long.length < 700);
  assert.equal(clientOf(request({}, long)), `${'🎁'.repeat(64)} ${'x'.repeat(32)}`);
  for (const nameless of [undefined, null, 7, {}, { name: 7 }, { name: '\u0000' }, []])
    assert.equal(sessionIdOf(initialize(nameless)), undefined);
  for (const foreign of ['', 'x', 'client_', 'client_!', 'client_e30', `client_${'A'.repeat(800)}`, 'client_bnVsbA'])
    assert.equal(clientOf(request({}, foreign)), undefined, foreign);
});

test('a client of 2025 sends the session id back, and any process understands it', async () => {
  const other = await service.second();
  const organization = await service.organization();
  const client = new Client({ name: 'two processes', version: '1' }, { versionNegotiation: { mode: 'legacy' } });
  const requestInit = { headers: { Authorization: `Bearer ${organization.keys.sandbox}` } };
  const transport = new StreamableHTTPClientTransport(new URL(`${service.url}/mcp`), { requestInit });
  await client.connect(transport);
  const response = await fetch(`${other.url}/mcp`, {
    method: 'POST',
    headers: {
      ...requestInit.headers,
      accept: 'application/json, text/event-stream',
      'mcp-session-id': transport.sessionId ?? '',
    },
    body: JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'tools/call', params: { name: 'get_balance' } }),
  });
  assert.equal(response.status, 200);
  await client.close();
  await other.close();
  assert.equal((await callsOf(organization))[0]?.client, 'two processes 1');
});
