import { createMcpHandler, ProtocolError, ProtocolErrorCode, Server } from '@modelcontextprotocol/server';
import type { FastifyRequest } from 'fastify';
import serverPackage from '../../../package.json' with { type: 'json' };
import { callerOf, has, type KeyCaller } from '../../platform/authentication/caller.ts';
import { BestowError } from '../../platform/base/errors.ts';
import type { CallTool } from './call-tool.ts';
import { INSTRUCTIONS } from './instructions.ts';
import { noteCall, noteRefusal } from './note-call.ts';
import type { Tool } from './tool.ts';

export interface McpAnswer {
  status: number;
  headers: Headers;
  body: string;
}

interface ServingOptions {
  tools: readonly Tool[];
  callTool: CallTool;
  /** @throws BestowError */
  checkKey(request: FastifyRequest): Promise<void>;
}

/** Answers one message, without a session: any process can answer the next one. */
export function createMcpServing({ tools, callTool, checkKey }: ServingOptions) {
  const unknown = unknownTool(tools);
  const listFor = ({ found }: KeyCaller) =>
    tools
      .filter(({ needs }) => found !== undefined && has(found, needs))
      .map(({ operation: _, bodyArgument: __, needs: ___, ...tool }) => tool);

  /** @throws what the tool throws */
  return async (request: FastifyRequest, url: string): Promise<McpAnswer> => {
    let thrown: unknown;
    const serveOne = () => {
      const options = { capabilities: { tools: {} }, instructions: INSTRUCTIONS };
      const server = new Server({ name: 'bestow', title: 'Bestow', version: serverPackage.version }, options);
      server.setRequestHandler('tools/list', () => ({ tools: listFor(callerOf(request)) }));
      server.setRequestHandler('tools/call', async ({ params }) => {
        noteCall(request, params.name);
        const tool = tools.find(({ name }) => name === params.name);
        try {
          if (tool === undefined) await checkKey(request);
          else return await callTool(tool, params.arguments ?? {}, request);
        } catch (error) {
          thrown = error;
          throw error;
        }
        noteRefusal(request, new BestowError('parameter_invalid', { param: 'name', message: unknown.message }));
        throw unknown;
      });
      return server;
    };
    // A subscription would hold its connection, and nothing here changes.
    const handler = createMcpHandler(serveOne, { maxSubscriptions: 0 });
    const { method, body: parsedBody } = request;
    const headers = Object.entries(request.headers).filter(
      (pair): pair is [string, string] => typeof pair[1] === 'string',
    );
    const answer = await handler.fetch(new Request(url, { method, headers }), { parsedBody });
    const body = await answer.text();
    if (thrown !== undefined) throw thrown;
    return { status: answer.status, headers: answer.headers, body };
  };
}

const unknownTool = (tools: readonly Tool[]) =>
  new ProtocolError(
    ProtocolErrorCode.InvalidParams,
    `This tool is not known. The tools are ${tools.map(({ name }) => name).join(', ')}.`,
  );
