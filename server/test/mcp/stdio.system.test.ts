import assert from 'node:assert/strict';
import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { Client } from '@modelcontextprotocol/client';
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio';
import { agentOf } from '../harness/agent.ts';
import { emailGift, linkGift, listOrderIds } from '../harness/api-client.ts';
import { balanceOf } from '../harness/ledger.ts';
import { openForFile } from '../harness/open-for-file.ts';
import { bestow } from '../harness/server-process.ts';
import { startTestService } from '../harness/test-service.ts';

// `bestow mcp`, as an agent on the same machine starts it.

const BESTOW = fileURLToPath(new URL('../../bin/bestow.js', import.meta.url));
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
    assert.equal((await agent.client.listTools()).tools.length, 17);
    const previewed = await agent.preview({ gifts: [emailGift('response-lost')] });
    const lost = await agent.call('place_order', previewed);
    assert.deepEqual([lost.isError, lost.body.error.code], [true, 'connection_lost']);
    assert.match(lost.body.error.next_step, /^Call the tool again with the same arguments\./);
    const { body } = await agent.call('place_order', previewed);
    assert.deepEqual(await listOrderIds(organization.sandbox), [body.order_id]);
    assert.equal(await balanceOf(service, organization, 'sandbox'), 1_000_000 - 2_500);
    const wrong = await agent.call('preview_order', { gifts: [linkGift(1)] });
    assert.deepEqual([wrong.isError, wrong.body.error.param], [true, 'gifts[0].amount']);
    await agent.client.close();
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
