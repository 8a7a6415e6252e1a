import type { FastifyInstance } from 'fastify';
import { createRouter, type Operation } from '../api/operation.ts';
import { OperatorError } from '../base/operator-error.ts';
import type { Deps } from '../deps.ts';
import { BestowError } from '../errors.ts';
import { auditRoutes } from './audit-routes.ts';
import { balanceRoutes } from './balance-routes.ts';
import { giftRoutes } from './gift-routes.ts';
import { keyRoutes } from './key-routes.ts';
import { memberRoutes } from './member-routes.ts';
import { messageRoutes } from './message-routes.ts';
import { orderRoutes } from './order-routes.ts';
import { overviewRoutes } from './overview-routes.ts';
import { createRegister } from './register.ts';
import { requestRoutes } from './request-routes.ts';
import { sandboxRoutes } from './sandbox-routes.ts';
import { sessionRoutes } from './session-routes.ts';
import { signInRoutes } from './sign-in/routes.ts';
import { statementRoutes } from './statement-routes.ts';
import { testingRoutes } from './testing-routes.ts';

/** All operations of the portal's app, below `/portal/api`. */
export async function portalRoutes(app: FastifyInstance, deps: Deps): Promise<void> {
  let added: readonly Operation[] = [];
  await app.register(
    (portal, _options, done) => {
      portal.decorateRequest('portal');
      // The app's own handler answers.
      portal.setErrorHandler((error) => {
        throw inPortalTerms(error);
      });

      signInRoutes(portal, deps);
      const { addRoute, operations } = createRouter(portal);
      const register = createRegister(addRoute, deps);
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
      added = operations;
      done();
    },
    { prefix: '/portal/api' },
  );
  app.decorate('portalRoutes', added);
}

declare module 'fastify' {
  interface FastifyInstance {
    /** For the portal's document, and for tests of all operations. */
    portalRoutes: readonly Operation[];
  }
}

/** What an act does not find is answered like an unknown page; what it refuses, with its own sentence. */
function inPortalTerms(error: unknown): unknown {
  if (error instanceof BestowError && error.code === 'resource_missing') return new BestowError('not_found');
  if (error instanceof OperatorError) return new BestowError('refused', { message: error.message });
  return error;
}
