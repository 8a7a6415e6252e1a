import type { FastifyInstance } from 'fastify';
import { OutcomeUnknown } from '../base/outcome-unknown.ts';
import type { Deps } from '../deps.ts';
import { asBestowError } from '../http/error-reply.ts';
import { drain } from '../http/read-body.ts';
import { auditRoutes } from './audit-routes.ts';
import { balanceRoutes } from './balance-routes.ts';
import { giftRoutes } from './gift-routes.ts';
import { keyRoutes } from './key-routes.ts';
import { memberRoutes } from './member-routes.ts';
import { messageRoutes } from './message-routes.ts';
import { orderRoutes } from './order-routes.ts';
import { overviewRoutes } from './overview-routes.ts';
import { answerOf } from './portal-error.ts';
import { createRegister } from './register.ts';
import { requestRoutes } from './request-routes.ts';
import type { PortalRoute } from './route.ts';
import { sandboxRoutes } from './sandbox-routes.ts';
import { sessionRoutes } from './session-routes.ts';
import { signInRoutes } from './sign-in/routes.ts';
import { statementRoutes } from './statement-routes.ts';
import { testingRoutes } from './testing-routes.ts';

/** All that the portal's app speaks, below `/portal/api`. */
export async function portalRoutes(app: FastifyInstance, deps: Deps): Promise<void> {
  let added: readonly PortalRoute[] = [];
  await app.register(
    (portal, _options, done) => {
      portal.decorateRequest('portal');
      portal.setErrorHandler((error, request, reply) => {
        // For the door, which closes the connection: an error would mean that nothing was done.
        if (error instanceof OutcomeUnknown) throw error;
        if (reply.raw.shouldKeepAlive) reply.removeHeader('Connection');
        const answer = answerOf(error) ?? answerOf(asBestowError(error, deps.log, request.requestId));
        const { status = 500, code = 'internal_error', message = '', param, retryAfterSeconds } = answer ?? {};
        request.errorCode = code;
        if (retryAfterSeconds !== undefined) reply.header('retry-after', retryAfterSeconds);
        if (status === 413) drain(request.raw);
        return reply
          .code(status)
          .send({ error: { code, message, ...(param === undefined ? {} : { param }), request_id: request.requestId } });
      });

      signInRoutes(portal, deps);
      const { register, routes } = createRegister(portal, deps);
      sessionRoutes(register, deps);
      overviewRoutes(register, deps);
      balanceRoutes(register, deps);
      statementRoutes(register, deps);
      keyRoutes(register, deps);
      giftRoutes(register, deps);
      messageRoutes(register, deps);
      sandboxRoutes(register, deps);
      orderRoutes(register, deps);
      requestRoutes(register, deps);
      testingRoutes(register, deps);
      memberRoutes(register, deps);
      auditRoutes(register, deps);
      added = routes;
      done();
    },
    { prefix: '/portal/api' },
  );
  app.decorate('portalRoutes', added);
}

declare module 'fastify' {
  interface FastifyInstance {
    /** The operations of the portal: for its document, and for the test that walks them all. */
    portalRoutes: readonly PortalRoute[];
  }
}
