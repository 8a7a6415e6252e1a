import type { FastifyReply, FastifyRequest } from 'fastify';
import { maskPeople } from '../../platform/api/mask-people.ts';
import type { AddRoute, AnswerOf, Call, Operation, ParamsOf, QueryOf } from '../../platform/api/operation.ts';
import type { Environment } from '../../platform/base/environment.ts';
import { BestowError } from '../../platform/base/errors.ts';
import type { Scope } from '../../platform/base/principal.ts';
import {
  type Member,
  requireFreshSignIn,
  requireMember,
  requireOwnOrigin,
  requireSession,
  seesPeople,
} from './access.ts';
import { requireReach } from './reach.ts';
import { readQuery } from './read-query.ts';
import type { PortalDeps, Session } from './session.ts';

interface PortalCall<Of extends Operation> extends Call<Of> {
  query: QueryOf<Of>;
  session: Session;
  /** Set if the access is a member’s. */
  member: Of['access'] extends 'member' ? Member : undefined;
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
export function createRegister(addRoute: AddRoute, deps: PortalDeps): Register {
  return (operation, answer) => {
    const { query, response, file, path, environment: changed }: Operation = operation;
    const [, named] = /^\/organizations\/\{organization_id\}\/(live|sandbox)(?:\/|$)/.exec(path) ?? [];
    addRoute(
      operation as Operation,
      async (call) => {
        const { params, request, reply } = call;
        const { member } = request.portal;
        const { environment } = params as { environment?: string };
        // PostgreSQL stores no NUL, so nothing has such an id.
        if (Object.values(params as Record<string, string>).some((param) => param.includes('\0')))
          throw new BestowError('not_found');
        if (environment !== undefined && environment !== 'live' && environment !== 'sandbox')
          throw new BestowError('not_found');
        const meant = environment ?? changed ?? (named as Environment | undefined);
        if (meant !== undefined && !deps.config.serveEnvironments.includes(meant)) throw new BestowError('not_found');
        const scope = member && { organizationId: member.organizationId, environment: environment as Environment };
        const read = { ...call, ...request.portal, scope, query: readQuery(query, request.query) };
        const answered = await answer(read as unknown as PortalCall<typeof operation>);
        if (reply.sent || file !== undefined) return reply;
        if (response === undefined) return reply.code(204).send();
        return member === undefined || seesPeople(member) ? answered : maskPeople(response, answered);
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
  deps: PortalDeps,
  request: FastifyRequest,
  reply: FastifyReply,
  operation: Operation,
): Promise<FastifyRequest['portal']> {
  const session = await requireSession(deps, request, reply);
  const member = operation.access === 'member' ? await requireMember(deps, request, session, operation) : undefined;
  if (member !== undefined) await requireReach(deps, member, operation, request.params as Record<string, string>);
  if (operation.needsFreshSignIn) requireFreshSignIn(deps, session);
  return { session, member };
}
