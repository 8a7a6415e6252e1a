import type { FastifyRequest } from 'fastify';
import type { BestowError } from '../../platform/base/errors.ts';

/** A word that a tool could be named; another name may be a person's. */
const TOOL_NAME = /^(?!.*[0-9]{7})[a-z][a-z0-9_]{0,63}$/;
const MAX_NAMES = 200;

/** Notes a call for the request log; of the errors of a batch, the first. */
export function noteCall(request: FastifyRequest, name: string): void {
  const shown = TOOL_NAME.test(name) ? name : '•••';
  const { tool = null, error } = request.agentCall ?? {};
  const names = tool === null ? shown : tool.split(', ').includes(shown) ? tool : `${tool}, ${shown}`;
  request.agentCall = { client: null, ...request.agentCall, tool: names.slice(0, MAX_NAMES), error };
}

/** Notes why a call was refused. */
export function noteRefusal(request: FastifyRequest, error: BestowError): void {
  request.agentCall = { client: null, tool: null, ...request.agentCall, error: request.agentCall?.error ?? error };
}
