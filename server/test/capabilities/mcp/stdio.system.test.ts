import assert from 'node:assert/strict';
import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { Client } from '@modelcontextprotocol/client';
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio';
import { agentOf } from '../../harness/agent.ts';
import { emailGift, linkGift, listOrderIds } from '../../harness/api-client.ts';
import { balanceOf } from '../../harness/ledger.ts';
import { openForFile } from '../../harness/open-for-file.ts';
import { readLog, untilLogged } from '../../harness/request-log.ts';
import { bestow } from '../../harness/server-process.ts';
import { startTestService } from '../../harness/test-service.ts';

// `bestow mcp`, as an agent on the same machine starts it.

const BESTOW = fileURLToPath(new URL('../../../bin/bestow.js', import.meta.url));
const service = openForFile(() => startTestService());

async function startAgent(key: string, mode: 'auto' | 'legacy' = 'auto', url = service.url) {
  const client = new Client({ name: 'test', version: '1.0.0' }, { versionNegotiation: { mode } });
  const env = { PATH: process.env['PATH'] ?? '', BESTOW_KEY: key, BESTOW_URL: url };
  await client.connect(new StdioClientTransport({ command: process.execPath, args: [BESTOW, 'mcp'], env }));
  return agentOf(client);
}

for (const mode of ['auto', 'legacy'] as const)
  test(`an agent buys over stdio, also after a lost answer, revision ${mode}`, async () => {
    const organization = await service.organization();
    const agent = await startAgent(organization.keys.sandbox, mode);
    assert.equal((await agent.client.listTools()).tools.length, 18);
    const previewed = await agent.preview({ gifts: [emailGift('response-lost')] });
    const lost = await agent.call('place_order', previewed);
    assert.deepEqual([lost.isError, lost.body.error.code], [true, 'connection_lost']);
    assert.match(lost.body.error.next_step, /^Call the tool again with the same arguments\./);
    const { body } = await agent.call('place_order', previewed);
    assert.deepEqual(await listOrderIds(organization.sandbox), [body.order_id]);
    assert.equal(await balanceOf(service, organization, 'sandbox'), 1_000_000 - 2_500);
    const wrong = await agent.call('preview_order', { gifts: [linkGift(1)] });
    assert.deepEqual([wrong.isError, wrong.body.error.param], [true, 'gifts[0].amount']);
    await assert.rejects(agent.client.callTool({ name: 'buy_everything' }), { code: -32_602 });
    await agent.client.close();
    await untilLogged(service, organization, 'sandbox', 5);
    const calls = (await readLog(service, organization, 'sandbox')).filter(({ tool }) => tool !== null);
    assert.deepEqual([...new Set(calls.map(({ client }) => client))], ['test 1.0.0']);
  });

for (const [what, path, reason] of [
  ['a wrong address', '/docs', 'is not the address of a Bestow: .*/docs/mcp answered with status 404'],
  ['no server', undefined, 'could not be reached \\(ECONNREFUSED\\)'],
  ['a page that is not a Bestow', '/page', 'is not the address of a Bestow: .*/page/mcp answered with status 200'],
] as const)
  test(`with ${what}, the list and each call name the address and what to do`, async () => {
    const page = createServer((_request, response) => void response.end('<html>')).listen(0, '127.0.0.1');
    await once(page, 'listening');
    const origin = `http://127.0.0.1:${(page.address() as AddressInfo).port}`;
    if (path === undefined) await new Promise((resolve) => page.close(resolve));
    const url = path === '/docs' ? `${service.url}${path}` : `${origin}${path ?? ''}`;
    const { keys } = await service.organization();
    const agent = await startAgent(keys.sandbox, 'auto', url);
    const expected = new RegExp(`${RegExp.escape(url)} ${reason}.* Nothing was done\\..* BESTOW_URL or --url`, 's');
    await assert.rejects(agent.client.listTools(), expected);
    const { isError, body } = await agent.call('get_balance');
    assert.ok(isError);
    assert.match(`${body.error.message} ${body.error.next_step}`, expected);
    await agent.client.close();
    page.close();
  });

test('a refused key comes with a next step, and a missing one ends the command', async () => {
  const { keys } = await service.organization();
  const agent = await startAgent(`${keys.sandbox.slice(0, -1)}${keys.sandbox.endsWith('0') ? '1' : '0'}`);
  const { isError, body } = await agent.call('get_balance');
  assert.deepEqual([isError, body.error.code], [true, 'api_key_invalid']);
  assert.match(body.error.next_step, /^Copy the key again/);
  await agent.client.close();
  const { code, stderr } = await bestow(['mcp'], { BESTOW_URL: service.url }).ended;
  assert.deepEqual([code, stderr], [1, 'Set BESTOW_KEY to an API key: standard input belongs to the agent.\n']);
});

test('an error from outside the catalogue is passed on, with the seconds to wait', async () => {
  const error = { code: -32600, message: 'Invalid Request' };
  const server = createServer((_request, response) => {
    response.writeHead(429, { 'retry-after': '7' }).end(JSON.stringify({ error }));
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  const agent = await startAgent(
    'bestow-sandbox-key',
    'auto',
    `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
  );
  const { isError, body } = await agent.call('get_balance');
  assert.deepEqual([isError, body.error], [true, { ...error, retry_after_seconds: 7 }]);
  await agent.client.close();
  server.close();
});
