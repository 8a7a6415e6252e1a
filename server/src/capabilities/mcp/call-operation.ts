import type { FastifyInstance, FastifyRequest } from 'fastify';
import type { Operation } from '../../platform/api/operation.ts';
import { inAgentCall } from '../../platform/authentication/agent-call.ts';
import { errorCode } from '../../platform/base/error-code.ts';
import { BestowError } from '../../platform/base/errors.ts';
import { OutcomeUnknown } from '../../platform/base/outcome-unknown.ts';
import { type CallOptions, operationRequest } from './operation-request.ts';

/**
 * Calls an operation of `/v1` and returns its answer.
 *
 * @throws BestowError the operation's, and for arguments that fit no request; OutcomeUnknown
 */
export type CallOperation = (operationId: string, given: object, options?: CallOptions) => Promise<object>;

/** Operations are called through their own route, so that everything that protects `/v1` also protects the tools. */
export function createCallOperation(app: FastifyInstance, operations: readonly Operation[], request: FastifyRequest) {
  const { authorization = '', host = '' } = request.headers;
  const callOperation: CallOperation = async (operationId, given, options = {}) => {
    const operation = operations.find((one) => one.operationId === operationId);
    if (operation === undefined) throw new Error(`There is no operation ${operationId}.`);
    const { headers, ...sent } = operationRequest(operation, given, options);
    const injected = { ...sent, remoteAddress: request.ip, headers: { ...headers, authorization, host } };
    // Awaited within, because the request begins only then.
    const answer = await inAgentCall(async () => await app.inject(injected)).catch((error: unknown) => {
      // The request that was closed without an answer has its own line in the log.
      if (errorCode(error) !== 'LIGHT_ECONNRESET') throw error;
      throw new OutcomeUnknown('The operation of a tool has no answer.', { cause: error, isSteered: true });
    });
    const body = answer.json();
    if (answer.statusCode < 400) return body;
    const { code, message, reason, param, order_id: orderId } = body.error;
    const retryAfter = answer.headers['retry-after'];
    const details = { message, reason, param, orderId };
    throw new BestowError(
      code,
      retryAfter === undefined ? details : { ...details, retryAfterSeconds: Number(retryAfter) },
    );
  };
  return callOperation;
}
