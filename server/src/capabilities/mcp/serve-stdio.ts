import { once } from 'node:events';
import {
  type CallToolResult,
  CLIENT_INFO_META_KEY,
  type Implementation,
  type ListToolsResult,
  ProtocolError,
  Server,
  type ServerContext,
} from '@modelcontextprotocol/server';
import { serveStdio } from '@modelcontextprotocol/server/stdio';
import serverPackage from '../../../package.json' with { type: 'json' };
import { OperatorError } from '../../platform/base/operator-error.ts';
import { askRemote, type Remote, Unreachable } from './ask-remote.ts';
import { INSTRUCTIONS } from './instructions.ts';

type ClientMeta = Partial<Record<string, Implementation>>;

/** Offers the tools of a Bestow's `/mcp` over standard input and output, until the input ends. */
export async function serveMcpOverStdio(access: Pick<Remote, 'from' | 'key'>): Promise<void> {
  const ended = Promise.race(['end', 'close'].map((name) => once(process.stdin, name)));
  const handle = serveStdio(() => {
    const options = { capabilities: { tools: {} }, instructions: INSTRUCTIONS };
    const server = new Server({ name: 'bestow', title: 'Bestow', version: serverPackage.version }, options);
    // The revision of 2026 names the client in each message, the earlier ones in the first.
    const remoteOf = ({ mcpReq: { envelope } }: ServerContext): Remote => ({
      ...access,
      client: (envelope as ClientMeta | undefined)?.[CLIENT_INFO_META_KEY] ?? server.getClientVersion(),
    });
    server.setRequestHandler('tools/list', (_, context) => listRemote(remoteOf(context)));
    server.setRequestHandler('tools/call', ({ params }, context) => callRemote(remoteOf(context), params));
    return server;
  });
  await ended;
  await handle.close();
}

/** @throws Unreachable, OperatorError; their messages say what to do */
async function listRemote(remote: Remote): Promise<ListToolsResult> {
  const { result, error, status } = await askRemote(remote, 'tools/list', {});
  if (error === undefined) return result as ListToolsResult;
  const reason = status === 401 ? 'refused the API key' : 'answered with an error';
  throw new OperatorError(`${remote.from} ${reason}: ${error.message} ${error.next_step ?? ''}`.trim());
}

async function callRemote(
  remote: Remote,
  { name, arguments: given = {} }: { name: string; arguments?: object | undefined },
): Promise<CallToolResult> {
  try {
    const { result, error, status } = await askRemote(remote, 'tools/call', { name, arguments: given });
    if (error === undefined) return result as CallToolResult;
    if (status < 400 && typeof error.code === 'number') throw new ProtocolError(error.code, error.message);
    return failure(error);
  } catch (error) {
    if (error instanceof Unreachable) return failure(error.error);
    throw error;
  }
}

const failure = (error: object): CallToolResult => ({
  content: [{ type: 'text', text: JSON.stringify({ error }) }],
  isError: true,
});
