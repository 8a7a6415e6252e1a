import assert from 'node:assert/strict';
import { after } from 'node:test';
import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client';

/** The answer of a tool. */
export interface ToolAnswer {
  isError: boolean;
  // biome-ignore lint/suspicious/noExplicitAny: tests look into answers of every shape
  body: any;
}

/** The official client, connected. */
export interface Agent {
  client: Client;
  call(name: string, given?: object): Promise<ToolAnswer>;
  /** Previews an order and returns what `place_order` needs. */
  preview(order: object): Promise<{ preview_token: string }>;
}

/** Answers of tools are one text of JSON, and the same as an object unless they are errors. */
export function readAnswer(answer: object): ToolAnswer {
  const {
    content,
    structuredContent,
    isError = false,
  } = answer as {
    content: { type: string; text: string }[];
    structuredContent?: object;
    isError?: boolean;
  };
  assert.deepEqual([content.length, content[0]?.type], [1, 'text']);
  const body = JSON.parse(content[0]?.text ?? '');
  assert.deepEqual(structuredContent, isError ? undefined : body);
  return { isError, body };
}

/** @param revision `auto`: the newest that both know; `legacy`: of 2025, with a handshake */
export async function connectAgent(url: string, key: string, revision: 'auto' | 'legacy' = 'auto'): Promise<Agent> {
  const client = new Client({ name: 'test', version: '1.0.0' }, { versionNegotiation: { mode: revision } });
  const requestInit = { headers: { Authorization: `Bearer ${key}` } };
  await client.connect(new StreamableHTTPClientTransport(new URL(`${url}/mcp`), { requestInit }));
  after(() => client.close());
  return agentOf(client);
}

export function agentOf(client: Client): Agent {
  const call = async (name: string, given: object = {}) =>
    readAnswer(await client.callTool({ name, arguments: given as Record<string, unknown> }));
  return {
    client,
    call,
    async preview(order) {
      const { body } = await call('preview_order', order);
      assert.equal(typeof body.preview_token, 'string', JSON.stringify(body));
      return { ...order, preview_token: body.preview_token };
    },
  };
}

type Historical = { history?: object };

/** The order of a `get_order` as other tools answer with it. */
export const withoutHistory = ({ history: _, ...order }: Historical & { gifts: Historical[] }) => ({
  ...order,
  gifts: order.gifts.map(({ history: _of, ...gift }) => gift),
});
