// Buys with version 1 of the official client, which holds answers against their schemas, and prints what it saw as JSON.
import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { StreamableHTTPClientTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js';

const { BESTOW_URL = '', BESTOW_TOKEN = '', BESTOW_READER_TOKEN = '' } = process.env;
const delivery = { method: 'email', email: 'delivered@sandbox.gift.test' };
const order = { gifts: [{ amount: 2500, category: 'coffee', delivery }] };

async function connect(token) {
  const client = new Client({ name: 'sdk-v1', version: '1.0.0' });
  const requestInit = { headers: { Authorization: `Bearer ${token}` } };
  await client.connect(new StreamableHTTPClientTransport(new URL(`${BESTOW_URL}/mcp`), { requestInit }));
  const { tools } = await client.listTools();
  return { client, tools: tools.map(({ name }) => name).sort() };
}

const buyer = await connect(BESTOW_TOKEN);
const call = async (name, given) => {
  const { isError, content, structuredContent } = await buyer.client.callTool({ name, arguments: given });
  if (isError) throw new Error(content[0].text);
  return structuredContent;
};
const { preview_token } = await call('preview_order', order);
const placed = await call('place_order', { preview_token });
const again = await call('place_order', { ...order, preview_token });
const reader = await connect(BESTOW_READER_TOKEN);
const { content } = await reader.client.callTool({ name: 'preview_order', arguments: order });
await Promise.all([buyer.client.close(), reader.client.close()]);
const seen = {
  tools: buyer.tools,
  order: { placed: placed.status, is_repeat_same: again.order_id === placed.order_id },
  reader: { tools: reader.tools, refused: JSON.parse(content[0].text).error.code },
};
process.stdout.write(JSON.stringify(seen));
