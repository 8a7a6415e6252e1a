import type { FastifyReply, FastifyRequest } from 'fastify';
import type { AddRoute, AnswerOf, Call, Operation, ParamsOf, QueryOf } from '../api/operation.ts';
import type { Environment } from '../base/environment.ts';
import type { Scope } from '../base/principal.ts';
import type { Deps } from '../deps.ts';
import { BestowError } from '../errors.ts';
import { type Member, requireMember, requireOwnOrigin, requireSession } from './access.ts';
import { readQuery } from './read-query.ts';
import type { Session } from './sign-in/sign-in.ts';

interface PortalCall<Of extends Operation> extends Call<Of> {
  query: QueryOf<Of>;
  /** Set if the access is `person`. */
  session: Of['access'] extends 'person' ? Session : undefined;
  /** Set if the access is `member` or `admin`. */
  member: Of['access'] extends 'member' | 'admin' ? Member : undefined;
  /** The organization and the environment in the path. */
  scope: ParamsOf<Of> extends { environment: string } ? Scope : undefined;
}

export type Register = <const Of extends Operation>(
  operation: Of,
  answer: (call: PortalCall<Of>) => Promise<AnswerOf<Of>> | AnswerOf<Of>,
) => void;

declare module 'fastify' {
  interface FastifyRequest {
    portal: { session: Session | undefined; member: Member | undefined };
  }
}

/** Adds the portal's operations: who may call, the environment in the path, and the query are checked here. */
export function createRegister(addRoute: AddRoute, deps: Deps): Register {
  return (operation, answer) => {
    const { query, response, file }: Operation = operation;
    addRoute(
      operation as Operation,
      async (call) => {
        const { params, request, reply } = call;
        const { member } = request.portal;
        const { environment } = params as { environment?: string };
        if (environment !== undefined && environment !== 'live' && environment !== 'sandbox')
          throw new BestowError('not_found');
        const scope = member && { organizationId: member.organizationId, environment: environment as Environment };
        const read = { ...call, ...request.portal, scope, query: readQuery(query, request.query) };
        const answered = await answer(read as unknown as PortalCall<typeof operation>);
        if (reply.sent || file !== undefined) return reply;
        return response === undefined ? reply.code(204).send() : answered;
      },
      {
        // Before the body is read.
        onRequest: async (request, reply) => {
          requireOwnOrigin(deps, request);
          request.portal = await admit(deps, request, reply, operation);
        },
      },
    );
  };
}

async function admit(
  deps: Deps,
  request: FastifyRequest,
  reply: FastifyReply,
  { access, isPossibleWhileSuspended = false }: Operation,
): Promise<FastifyRequest['portal']> {
  if (access === 'member' || access === 'admin')
    return {
      session: undefined,
      member: await requireMember(deps, request, reply, access, isPossibleWhileSuspended),
    };
  return { session: await requireSession(deps, request, reply), member: undefined };
}
