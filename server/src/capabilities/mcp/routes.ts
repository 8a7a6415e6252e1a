import type { FastifyInstance, FastifyReply, FastifyRequest, onSendHookHandler, RouteHandlerMethod } from 'fastify';
import type { Deps } from '../../core/deps.ts';
import type { Operation } from '../../platform/api/operation.ts';
import { callerOf } from '../../platform/authentication/caller.ts';
import { requireKey } from '../../platform/authentication/require-key.ts';
import type { Library } from '../docs/library.ts';
import { createCallTool } from './call-tool.ts';
import { allowPage, answerPreflight, checkOrigin } from './check-origin.ts';
import { clientOf, sessionIdOf } from './client-claim.ts';
import type { McpAnswer } from './serve-mcp.ts';
import { createTools } from './tools.ts';

interface McpOptions {
  operations: readonly Operation[];
  library(): Promise<Library>;
}

/** A tool’s statement checks the key. */
const isToolCall = (body: unknown) => (body as { method?: unknown } | null)?.method === 'tools/call';

/** Registers `/mcp`: tools for agents over the operations of `/v1`, by the Model Context Protocol. */
export function mcpRoutes(app: FastifyInstance, deps: Deps, { operations, library }: McpOptions): void {
  let opened: Promise<(request: FastifyRequest, url: string) => Promise<McpAnswer>> | undefined;

  // Loaded with the first message: the library takes 35 MB and 0.4 seconds.
  function serving() {
    opened ??= import('./serve-mcp.ts').then(({ createMcpServing }) => {
      const tools = createTools(operations);
      const callTool = createCallTool({ app, deps, operations, library });
      return createMcpServing({ tools, callTool, checkKey });
    });
    return opened;
  }

  const checkKey = (request: FastifyRequest) => requireKey(deps, callerOf(request));

  async function answer(request: FastifyRequest, reply: FastifyReply) {
    request.agentCall = { tool: null, client: clientOf(request) ?? null, error: undefined };
    checkOrigin(request, originsOf(deps));
    if (!isToolCall(request.body)) await checkKey(request);
    const serve = await serving();
    const { status, headers, body } = await serve(request, `${deps.publicUrl()}/mcp`);
    const sessionId = status === 200 ? sessionIdOf(request.body) : undefined;
    if (sessionId !== undefined) reply.header('mcp-session-id', sessionId);
    for (const name of ['content-type', 'allow']) {
      const value = headers.get(name);
      if (value !== null) reply.header(name, value);
    }
    return reply.code(status).send(body);
  }

  addRoutes(app, deps, answer);
}

/** As the library answers the methods that it knows. */
const NOT_ALLOWED = { jsonrpc: '2.0', error: { code: -32_000, message: 'Method not allowed.' }, id: null };

/** Where an assistant learns how to sign in (RFC 9728, section 5.1). */
const challengeOf = ({ publicUrl }: Deps) =>
  `Bearer resource_metadata="${publicUrl()}/.well-known/oauth-protected-resource/mcp"`;

const originsOf = (deps: Deps) => ({ publicUrl: deps.publicUrl(), allowed: deps.config.mcpOrigins });

/** With and without a slash at the end. */
function addRoutes(app: FastifyInstance, deps: Deps, answer: RouteHandlerMethod): void {
  const onSend: onSendHookHandler = (request, reply, _payload, done) => {
    allowPage(request, reply, originsOf(deps));
    if (reply.statusCode === 401) reply.header('www-authenticate', challengeOf(deps));
    done();
  };
  const refuse = (reply: FastifyReply) => reply.code(405).header('allow', 'POST').send(NOT_ALLOWED);
  for (const url of ['/mcp', '/mcp/']) {
    app.route({ method: 'POST', url, config: { access: 'agent', body: 'optional' }, onSend, handler: answer });
    app.route({
      method: ['GET', 'HEAD', 'PUT', 'PATCH', 'DELETE'],
      url,
      exposeHeadRoute: false,
      config: { access: 'agent' },
      onSend,
      async handler(request, reply) {
        checkOrigin(request, originsOf(deps));
        await requireKey(deps, callerOf(request));
        return refuse(reply);
      },
    });
    // A browser asks without the key.
    app.route({
      method: 'OPTIONS',
      url,
      onSend,
      handler: (request, reply) =>
        allowPage(request, reply, originsOf(deps)) ? answerPreflight(request, reply) : refuse(reply),
    });
  }
}
