import type { FastifyInstance, FastifyRequest } from 'fastify';
import type { Deps } from '../../core/deps.ts';
import { OrderInput, type OrderInputBody } from '../../core/orders/schema.ts';
import type { Operation } from '../../platform/api/operation.ts';
import { refTo } from '../../platform/api/schema.ts';
import { bodyValidatorOf } from '../../platform/api/validate.ts';
import { callerOf } from '../../platform/authentication/caller.ts';
import { requireKey } from '../../platform/authentication/require-key.ts';
import { BestowError } from '../../platform/base/errors.ts';
import { OutcomeUnknown } from '../../platform/base/outcome-unknown.ts';
import { asBestowError } from '../../platform/http/error-reply.ts';
import type { Library } from '../docs/library.ts';
import type { Acting } from './acts/act.ts';
import { acts } from './acts/acts.ts';
import { createCallOperation } from './call-operation.ts';
import { checkArguments } from './check-arguments.ts';
import type { ToolName } from './declarations.ts';
import { noteRefusal } from './note-call.ts';
import type { Arguments } from './operation-request.ts';
import { presentAnswer } from './present-answer.ts';
import { readDeliveries } from './read-delivery.ts';
import { readMetadata } from './read-metadata.ts';
import type { Tool } from './tool.ts';
import { failureOf, resultOf, type ToolResult } from './tool-result.ts';

interface CallDeps {
  app: FastifyInstance;
  deps: Deps;
  operations: readonly Operation[];
  library(): Promise<Library>;
}

const validateOrder = bodyValidatorOf(refTo(OrderInput));

/** Runs a tool for a request to `/mcp`. @throws OutcomeUnknown; BestowError for a key that is not accepted */
export type CallTool = (tool: Tool, given: Arguments, request: FastifyRequest) => Promise<ToolResult>;

export function createCallTool({ app, deps, operations, library }: CallDeps): CallTool {
  function readOrder(given: Arguments): OrderInputBody {
    const checked = validateOrder(readDeliveries(given));
    if ('error' in checked) throw checked.error;
    return checked.value as OrderInputBody;
  }

  async function run(tool: Tool, sent: Arguments, request: FastifyRequest): Promise<ToolResult> {
    checkArguments(tool, sent);
    const given = readMetadata(sent);
    const call = createCallOperation(app, operations, request);
    const acting: Acting = { deps, request, given, call, readOrder, library };
    const { operation } = tool;
    const act = acts[tool.name as ToolName] ?? (() => call(operation?.operationId ?? '', given));
    return resultOf(presentAnswer(deps.publicUrl(), callerOf(request), await act(acting)));
  }

  /** An error about the key comes before others, as in `/v1`. */
  async function firstError(error: unknown, request: FastifyRequest): Promise<unknown> {
    const isDecided = error instanceof OutcomeUnknown || callerOf(request).found !== undefined;
    if (isDecided || (error instanceof BestowError && error.status === 401)) return error;
    return requireKey(deps, callerOf(request)).then(
      () => error,
      (refusal: unknown) => refusal,
    );
  }

  return async (tool, given, request) => {
    try {
      const result = await run(tool, given, request);
      // The request log has requests whose key is known. The act is done, also if the key was revoked since.
      if (callerOf(request).found === undefined) await requireKey(deps, callerOf(request)).catch(() => undefined);
      return result;
    } catch (error) {
      const first = await firstError(error, request);
      if (first instanceof OutcomeUnknown || (first instanceof BestowError && first.status === 401)) throw first;
      const known = asBestowError(first, deps.log, request.requestId);
      noteRefusal(request, known);
      return failureOf(known, request.requestId, deps.publicUrl());
    }
  };
}
