import assert from 'node:assert/strict';
import { test } from 'node:test';
import { openForFile } from '../../harness/open-for-file.ts';
import { startTestService } from '../../harness/test-service.ts';

// `/mcp` as browsers and clients of other kinds meet it.

const PAGE = 'http://localhost:6274';
const service = openForFile(() => startTestService({ MCP_ORIGINS: `${PAGE}, https://agents.example` }));
const closed = openForFile(() => service.second({ MCP_ORIGINS: '' }));

const listing = JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'tools/list' });

async function send(url: string, key: string | undefined, method: string, headers: Record<string, string> = {}) {
  const response = await fetch(url, {
    method,
    headers: {
      ...(key === undefined ? {} : { authorization: `Bearer ${key}` }),
      accept: 'application/json, text/event-stream',
      ...headers,
    },
    ...(method === 'POST' ? { body: listing } : {}),
  });
  return { status: response.status, headers: response.headers, text: await response.text() };
}

test('every other method is 405 with Allow, with and without a slash at the end', async () => {
  const { keys } = await service.organization();
  for (const url of [`${service.url}/mcp`, `${service.url}/mcp/`]) {
    for (const method of ['GET', 'HEAD', 'PUT', 'PATCH', 'DELETE', 'OPTIONS']) {
      const { status, headers, text } = await send(url, keys.sandbox, method);
      assert.deepEqual([status, headers.get('allow')], [405, 'POST'], `${method} ${url}`);
      if (method !== 'HEAD') assert.equal(JSON.parse(text).error.code, -32_000);
    }
    const { status, text } = await send(url, keys.sandbox, 'POST');
    assert.equal(status, 200);
    assert.match(text, /place_order/);
  }
  for (const method of ['GET', 'PUT']) assert.equal((await send(`${service.url}/mcp`, undefined, method)).status, 401);
});

test('a page of an allowed origin may ask, call, and read the answer, also an error', async () => {
  const { keys } = await service.organization();
  const url = `${service.url}/mcp`;
  const asked = 'authorization,content-type,mcp-protocol-version,mcp-session-id';
  for (const origin of [PAGE, 'https://agents.example']) {
    const preflight = await send(url, undefined, 'OPTIONS', {
      origin,
      'access-control-request-method': 'POST',
      'access-control-request-headers': asked,
    });
    assert.deepEqual([preflight.status, preflight.text], [204, '']);
    assert.equal(preflight.headers.get('access-control-allow-methods'), 'POST');
    assert.equal(preflight.headers.get('access-control-allow-headers'), asked);
    for (const [key, status] of [
      [keys.sandbox, 200],
      [undefined, 401],
    ] as const) {
      const called = await send(url, key, 'POST', { origin });
      assert.equal(called.status, status);
      for (const { headers } of [preflight, called]) {
        assert.equal(headers.get('access-control-allow-origin'), origin);
        assert.equal(headers.get('vary'), 'Origin');
      }
      assert.match(called.headers.get('access-control-expose-headers') ?? '', /Mcp-Session-Id/);
      assert.equal(called.headers.get('access-control-allow-credentials'), null);
    }
  }
});

test('a page of another origin gets no permission, and without the setting no page does', async () => {
  const { keys } = await service.organization();
  for (const [url, origin] of [
    [service.url, 'https://evil.example'],
    [service.url, `${PAGE}.evil.example`],
    [service.url, 'null'],
    [closed.url, PAGE],
  ] as const) {
    const preflight = await send(`${url}/mcp`, undefined, 'OPTIONS', {
      origin,
      'access-control-request-method': 'POST',
    });
    const called = await send(`${url}/mcp`, keys.sandbox, 'POST', { origin });
    assert.deepEqual([preflight.status, called.status], [405, 403], origin);
    assert.equal(JSON.parse(called.text).error.code, 'foreign_origin');
    for (const { headers } of [preflight, called]) assert.equal(headers.get('access-control-allow-origin'), null);
  }
});

test('localhost and 127.0.0.1 with the port of the service are its own origin, other ports are not', async () => {
  const { keys } = await service.organization();
  const { port } = new URL(closed.service.deps.publicUrl());
  const status = async (origin: string) => (await send(`${closed.url}/mcp`, keys.sandbox, 'POST', { origin })).status;
  for (const host of ['localhost', '127.0.0.1', '[::1]']) {
    assert.equal(await status(`http://${host}:${port}`), 200, host);
    assert.equal(await status(`https://${host}:${port}`), 403, host);
    assert.equal(await status(`http://${host}:${Number(port) + 1}`), 403, host);
  }
  assert.equal(await status(`http://localhost:${port}/`), 403);
});
