import { recordOperatorEvent } from '../../capabilities/operators/operator-log.ts';
import type { OperatorSession } from '../../capabilities/operators/operator-session.ts';
import { requireFreshSignIn, requireOwnOrigin } from '../../faces/portal-access/access.ts';
import { readQuery } from '../../faces/portal-access/read-query.ts';
import type { AddRoute, AnswerOf, Call, Operation, ParamsOf, QueryOf } from '../../platform/api/operation.ts';
import type { Actor } from '../../platform/base/actor.ts';
import type { Environment } from '../../platform/base/environment.ts';
import { BestowError } from '../../platform/base/errors.ts';
import { decodeId } from '../../platform/base/ids.ts';
import type { Scope } from '../../platform/base/principal.ts';
import type { AllDeps } from '../deps.ts';
import type { OperatorAccess } from './access.ts';

interface OperatorCall<Of extends Operation> extends Call<Of> {
  query: QueryOf<Of>;
  /** The operator, with the reason of the request's body. */
  actor: Extract<Actor, { kind: 'operator' }>;
  /** UUID of the organization in the path. */
  organizationId: ParamsOf<Of> extends { organization_id: string } ? string : undefined;
  /** The organization and the environment in the path. */
  scope: ParamsOf<Of> extends { organization_id: string; environment: string } ? Scope : undefined;
}

export type OperatorRegister = <const Of extends Omit<Operation, 'access'>>(
  operation: Of,
  answer: (
    call: OperatorCall<Of & { access: 'operator' }>,
  ) => Promise<AnswerOf<Of & Operation>> | AnswerOf<Of & Operation>,
  about?: (call: OperatorCall<Of & { access: 'operator' }>) => Record<string, string>,
) => void;

declare module 'fastify' {
  interface FastifyRequest {
    operator: OperatorSession | undefined;
  }
}

/**
 * Adds operations of the operator's page. Every one needs an operator's session; every change also a sign-in of the last ten
 * minutes and a reason. Changes, and looks at a recipient's data, are in the operator's log before they happen.
 */
export function createOperatorRegister(addRoute: AddRoute, deps: AllDeps, access: OperatorAccess): OperatorRegister {
  return (given, answer, about = () => ({})) => {
    const operation = { ...given, access: 'operator' } as Operation;
    const { query, response, file, method, operationId, showsPerson = false } = operation;
    const changes = method !== 'GET' && !showsPerson;
    addRoute(
      operation,
      async (call) => {
        const { request, reply, body } = call;
        const session = request.operator as OperatorSession;
        const params = call.params as Record<string, string>;
        const { organizationId, scope } = readParams(params);
        const { reason } = (body ?? {}) as { reason?: string };
        const actor = { kind: 'operator', name: session.email, address: request.ip, ...(reason && { reason }) };
        const read = { ...call, query: readQuery(query, request.query), actor, organizationId, scope } as never;
        if (changes || showsPerson)
          await recordOperatorEvent(deps, {
            operator: session.email,
            address: request.ip,
            action: operationId,
            details: { ...params, ...about(read) },
            reason: reason ?? null,
          });
        const answered = await answer(read);
        if (reply.sent || file !== undefined) return reply;
        return response === undefined ? reply.code(204).send() : answered;
      },
      {
        // Before the body is read.
        onRequest: async (request) => {
          requireOwnOrigin(deps, request);
          await access.requirePage(request);
          request.operator = await access.requireOperator(request);
          if (changes) requireFreshSignIn(deps, request.operator);
        },
      },
    );
  };
}

/** @throws BestowError `not_found` */
function readParams(params: Record<string, string>): { organizationId: string | undefined; scope: Scope | undefined } {
  const { organization_id: id, environment } = params;
  // PostgreSQL stores no NUL, so nothing has such an id.
  if (Object.values(params).some((param) => param.includes('\0'))) throw new BestowError('not_found');
  if (environment !== undefined && environment !== 'live' && environment !== 'sandbox')
    throw new BestowError('not_found');
  const organizationId = id === undefined ? undefined : decodeId('org', id);
  if (id !== undefined && organizationId === undefined) throw new BestowError('not_found');
  return {
    organizationId,
    scope: organizationId && environment ? { organizationId, environment: environment as Environment } : undefined,
  };
}
