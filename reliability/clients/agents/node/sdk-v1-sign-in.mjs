// Signs in by metadata alone with version 1 of the official client, reads, lets its token end and refreshes.
import { UnauthorizedError } from '@modelcontextprotocol/sdk/client/auth.js';
import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { StreamableHTTPClientTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js';

// BESTOW_PERSON plays the person and their browser: agrees, and answers with the address where the browser ends.
const { BESTOW_URL = '', BESTOW_PERSON = '' } = process.env;
const kept = { given: 0 };
const ended = [];
const authProvider = {
  redirectUrl: 'http://127.0.0.1:3030/callback',
  clientMetadata: { client_name: 'sdk-v1', redirect_uris: ['http://127.0.0.1:3030/callback'] },
  clientInformation: () => kept.client,
  saveClientInformation: (client) => Object.assign(kept, { client }),
  tokens: () => kept.tokens,
  saveTokens: (tokens) => Object.assign(kept, { tokens, given: kept.given + 1 }),
  saveCodeVerifier: (verifier) => Object.assign(kept, { verifier }),
  codeVerifier: () => kept.verifier,
  async redirectToAuthorization(address) {
    ended.push(await (await fetch(BESTOW_PERSON, { method: 'POST', body: String(address) })).text());
  },
};
const open = () => new StreamableHTTPClientTransport(new URL(`${BESTOW_URL}/mcp`), { authProvider });
const first = open();
const refusal = await new Client({ name: 'sdk-v1', version: '1.0.0' }).connect(first).catch((error) => error);
if (!(refusal instanceof UnauthorizedError)) throw new Error(`It was not asked to sign in: ${refusal}`);
await first.finishAuth(new URL(ended[0]).searchParams.get('code'));

const client = new Client({ name: 'sdk-v1', version: '1.0.0' });
await client.connect(open());
const available = async () => {
  const { content } = await client.callTool({ name: 'get_balance', arguments: {} });
  return JSON.parse(content[0].text).available;
};
const { tools } = await client.listTools();
const balances = [await available()];
kept.tokens = { ...kept.tokens, access_token: 'bestow-agent-sandbox-ended' };
balances.push(await available());
await client.close();
const seen = { tools: tools.map(({ name }) => name).sort(), signed_in: ended.length, tokens: kept.given, balances };
process.stdout.write(JSON.stringify(seen));
