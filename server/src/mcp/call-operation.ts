import type { FastifyInstance, FastifyRequest } from 'fastify';
import { inAgentCall } from '../authentication/agent-call.ts';
import { callerOf } from '../authentication/caller.ts';
import { errorCode } from '../base/error-code.ts';
import { OutcomeUnknown } from '../base/outcome-unknown.ts';
import type { Deps } from '../deps.ts';
import { BestowError } from '../errors.ts';
import { operationRequest } from './operation-request.ts';
import { withPortalLinks } from './portal-links.ts';
import { failureOf, resultOf, type ToolResult } from './tool-result.ts';
import type { Tool } from './tools.ts';

/**
 * Calls a tool's operation through its own route, so that everything that protects `/v1` also protects the tool.
 *
 * @throws BestowError for arguments that fit no request, and for a key that is not accepted; OutcomeUnknown
 */
export async function callOperation(
  { app, deps }: { app: FastifyInstance; deps: Pick<Deps, 'publicUrl'> },
  tool: Tool,
  given: Record<string, unknown>,
  request: FastifyRequest,
): Promise<ToolResult> {
  const { authorization = '', host = '' } = request.headers;
  const { headers, ...sent } = operationRequest(tool, given);
  const options = { ...sent, remoteAddress: request.ip, headers: { ...headers, authorization, host } };
  // Awaited within, because the request begins only then.
  const answer = await inAgentCall(async () => await app.inject(options)).catch((error: unknown) => {
    // The request that was closed without an answer has its own line in the log.
    if (errorCode(error) !== 'LIGHT_ECONNRESET') throw error;
    throw new OutcomeUnknown('The operation of a tool has no answer.', { cause: error, isSteered: true });
  });
  const body = answer.json();
  if (answer.statusCode === 401) throw new BestowError(body.error.code, { message: body.error.message });
  if (answer.statusCode >= 400) return failureOf(body.error, answer.headers['retry-after'] as string | undefined);
  return resultOf(withPortalLinks(deps.publicUrl(), callerOf(request), body));
}
