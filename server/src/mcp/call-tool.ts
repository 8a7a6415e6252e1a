import type { FastifyInstance, FastifyRequest } from 'fastify';
import type { TSchema } from 'typebox';
import { refTo } from '../api/schema.ts';
import { createBodyValidators } from '../api/validate.ts';
import { callerOf } from '../authentication/caller.ts';
import { requireKey } from '../authentication/require-key.ts';
import { OutcomeUnknown } from '../base/outcome-unknown.ts';
import type { Deps } from '../deps.ts';
import type { Library } from '../docs/library.ts';
import { BestowError } from '../errors.ts';
import { asBestowError, errorAnswer } from '../http/error-reply.ts';
import { previewOrder } from '../orders/preview-order.ts';
import { OrderInput, type OrderInputBody } from '../orders/schema.ts';
import { callOperation } from './call-operation.ts';
import { checkArguments, findTool } from './check-arguments.ts';
import { presentPreview } from './present-preview.ts';
import { requirePreviewed } from './require-previewed.ts';
import { failureOf, resultOf, type ToolResult } from './tool-result.ts';
import type { Tool } from './tools.ts';

type Arguments = Record<string, unknown>;

interface CallDeps {
  app: FastifyInstance;
  deps: Deps;
  tools: readonly Tool[];
  schemas: readonly TSchema[];
  library(): Promise<Library>;
}

/** Runs a tool for a request to `/mcp`. @throws OutcomeUnknown; BestowError for a key that is not accepted */
export type CallTool = (name: string, given: Arguments, request: FastifyRequest) => Promise<ToolResult>;

const TOKEN_MS = 3_600_000;

export function createCallTool({ app, deps, tools, schemas, library }: CallDeps): CallTool {
  const validateOrder = createBodyValidators(schemas)(refTo(OrderInput));

  async function preview(body: Arguments, request: FastifyRequest): Promise<ToolResult> {
    const caller = callerOf(request);
    const checked = validateOrder(body);
    if ('error' in checked) throw checked.error;
    const previewed = await previewOrder(deps, caller, checked.value as OrderInputBody);
    const expiresAtMs = deps.clock.now() + TOKEN_MS;
    const sign = () => deps.previewTokens.sign({ caller, body }, expiresAtMs);
    return resultOf(presentPreview(previewed, deps.config.currency, sign, new Date(expiresAtMs)));
  }

  async function searchDocs(query: unknown): Promise<ToolResult> {
    const found = (await library()).search(String(query));
    const data = found.map(({ address, title, heading, excerpt }) => {
      const [path] = address.split('#');
      const markdown_url = `${deps.publicUrl()}${path === '/docs' ? '/docs/index' : path}.md`;
      return { title, heading, excerpt: excerpt.join(''), url: deps.publicUrl() + address, markdown_url };
    });
    return resultOf({ data });
  }

  async function run(tool: Tool, given: Arguments, request: FastifyRequest): Promise<ToolResult> {
    checkArguments(tool, given);
    if (tool.name === 'preview_order') return preview(given, request);
    if (tool.name === 'place_order') requirePreviewed(deps, callerOf(request), given);
    if (tool.operation !== undefined) return callOperation({ app, deps }, tool, given, request);
    await requireKey(deps, callerOf(request));
    return searchDocs(given['query']);
  }

  return async (name, given, request) => {
    try {
      return await run(findTool(tools, name), given, request);
    } catch (error) {
      if (error instanceof OutcomeUnknown || (error instanceof BestowError && error.status === 401)) throw error;
      if (callerOf(request).found === undefined) await requireKey(deps, callerOf(request));
      const known = asBestowError(error, deps.log, request.requestId);
      const answer = errorAnswer(known, request.requestId, deps.publicUrl());
      return failureOf(JSON.parse(answer.body).error, answer.headers['Retry-After']);
    }
  };
}
