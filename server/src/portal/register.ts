import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import type { Environment } from '../base/environment.ts';
import type { Deps } from '../deps.ts';
import { type Member, requireMember, requireOwnOrigin, requireSession } from './access.ts';
import type { Call, PortalRoute, Register } from './route.ts';
import type { Session } from './sign-in/sign-in.ts';
import { createValidator } from './validate.ts';

/** Adds routes to the portal's part of the app, and keeps the list of them for the document and for tests. */
export function createRegister(portal: FastifyInstance, deps: Deps): { register: Register; routes: PortalRoute[] } {
  const routes: PortalRoute[] = [];
  const register: Register = (route, answer) => {
    routes.push(route);
    const validate = createValidator(route);
    portal.route({
      method: route.method,
      url: route.path.replace(/\{(\w+)\}/g, ':$1'),
      config: { access: 'public', body: route.body === undefined ? 'ignored' : 'required' },
      schema: route.response === undefined ? {} : { response: { 200: route.response } },
      // Before the body is read.
      onRequest: async (request, reply) => {
        requireOwnOrigin(deps, request);
        request.portal = await admit(deps, request, reply, route);
      },
      handler: async (request, reply) => {
        const { params, query, body } = validate(request);
        const { member } = request.portal;
        const scope = member && {
          organizationId: member.organizationId,
          environment: params['environment'] as Environment,
        };
        const call = { params, query, body, ...request.portal, scope, request, reply };
        const answered = await answer(call as unknown as Call<typeof route>);
        if (reply.sent || route.file !== undefined) return reply;
        return route.response === undefined ? reply.code(204).send() : answered;
      },
    });
  };
  return { register, routes };
}

declare module 'fastify' {
  interface FastifyRequest {
    portal: { session: Session | undefined; member: Member | undefined };
  }
}

async function admit(
  deps: Deps,
  request: FastifyRequest,
  reply: FastifyReply,
  { access, isPossibleWhileSuspended = false }: PortalRoute,
): Promise<FastifyRequest['portal']> {
  switch (access) {
    case 'anyone':
      return { session: undefined, member: undefined };
    case 'person':
      return { session: await requireSession(deps, request, reply), member: undefined };
    default:
      return {
        session: undefined,
        member: await requireMember(deps, request, reply, access, isPossibleWhileSuspended),
      };
  }
}
