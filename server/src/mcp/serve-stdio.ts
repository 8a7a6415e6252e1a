import { once } from 'node:events';
import { type CallToolResult, type Implementation, type ListToolsResult, Server } from '@modelcontextprotocol/server';
import { serveStdio } from '@modelcontextprotocol/server/stdio';
import serverPackage from '../../package.json' with { type: 'json' };
import { OperatorError } from '../base/operator-error.ts';
import { sessionIdFor } from './client-claim.ts';
import { INSTRUCTIONS } from './instructions.ts';
import { nextStep } from './next-step.ts';

/** Longer than the service takes for any answer. */
const TIMEOUT_MS = 30_000;

interface Remote {
  /** The address of a Bestow. */
  from: string;
  key: string;
  /** The program that calls. */
  client?: Implementation | undefined;
}

interface Message {
  result?: unknown;
  error?: { code: unknown; message: string; next_step?: string | undefined };
}

/** Offers the tools of a Bestow's `/mcp` over standard input and output, until the input ends. */
export async function serveMcpOverStdio(remote: Remote): Promise<void> {
  const of = (server: Server): Remote => ({ ...remote, client: server.getClientVersion() });
  const ended = Promise.race(['end', 'close'].map((name) => once(process.stdin, name)));
  const handle = serveStdio(() => {
    const options = { capabilities: { tools: {} }, instructions: INSTRUCTIONS };
    const server = new Server({ name: 'bestow', title: 'Bestow', version: serverPackage.version }, options);
    server.setRequestHandler('tools/list', async () => {
      const { result, error } = await ask(of(server), 'tools/list', {});
      if (error !== undefined) throw new OperatorError(`${remote.from} refused the API key: ${error.message}`);
      return result as ListToolsResult;
    });
    server.setRequestHandler('tools/call', ({ params }) => callRemote(of(server), params));
    return server;
  });
  await ended;
  await handle.close();
}

async function callRemote(
  remote: Remote,
  { name, arguments: given = {} }: { name: string; arguments?: object | undefined },
): Promise<CallToolResult> {
  try {
    const { result, error } = await ask(remote, 'tools/call', { name, arguments: given });
    return error === undefined ? (result as CallToolResult) : failure(error);
  } catch (error) {
    return failure({
      code: 'connection_lost',
      message: `${remote.from} did not answer (${(error as Error).message}). The call may have had its effect.`,
      next_step:
        'Call the tool again with the same arguments. A preview_token buys one order, however often it is sent. Before you repeat resend_gift or replace_link without an idempotency_key, look at last_sent_at with get_gift.',
    });
  }
}

const failure = (error: object): CallToolResult => ({
  content: [{ type: 'text', text: JSON.stringify({ error }) }],
  isError: true,
});

/** Asks without a session, in the protocol's revision of 2025, which needs no special headers. */
async function ask({ from, key, client }: Remote, method: string, params: object): Promise<Message> {
  const response = await fetch(`${from.replace(/\/+$/, '')}/mcp`, {
    method: 'POST',
    headers: {
      authorization: `Bearer ${key}`,
      'content-type': 'application/json',
      accept: 'application/json, text/event-stream',
      ...(client === undefined ? {} : { 'mcp-session-id': sessionIdFor(client) }),
    },
    body: JSON.stringify({ jsonrpc: '2.0', id: 1, method, params }),
    redirect: 'error',
    signal: AbortSignal.timeout(TIMEOUT_MS),
  });
  const text = await response.text();
  // This revision answers with a stream of one event.
  const message = JSON.parse(/^data: (.*)$/m.exec(text)?.[1] ?? text) as Message;
  if (response.ok || message.error === undefined) return message;
  const retryAfter = response.headers.get('retry-after');
  return {
    error: {
      ...message.error,
      ...(retryAfter === null ? {} : { retry_after_seconds: Number(retryAfter) }),
      next_step: nextStep(String(message.error.code)),
    },
  };
}
