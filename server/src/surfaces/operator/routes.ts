import type { FastifyInstance } from 'fastify';
import type { PortalDeps } from '../../core/portal-access/session.ts';
import { createRouter, type Operation } from '../../platform/api/operation.ts';
import type { AllDeps } from '../deps.ts';
import { appRoutes, apps } from '../portal/app-routes.ts';
import { inPortalTerms } from '../portal/portal-terms.ts';
import { createOperatorAccess } from './access.ts';
import { createOperatorRegister } from './register.ts';
import { operatorSessionRoutes } from './session-routes.ts';

/** The operator's page: its operations below `/operator/api`, and its app. */
export async function operatorRoutes(app: FastifyInstance, deps: AllDeps & PortalDeps): Promise<void> {
  let added: readonly Operation[] = [];
  const access = createOperatorAccess(deps);
  await app.register(
    (page, _options, done) => {
      page.decorateRequest('operator', undefined);
      page.setErrorHandler((error) => {
        throw inPortalTerms(error);
      });
      const { addRoute, operations } = createRouter(page);
      const register = createOperatorRegister(addRoute, deps, access);
      operatorSessionRoutes(addRoute, deps, access);
      void register;
      added = operations;
      done();
    },
    { prefix: '/operator/api' },
  );
  app.decorate('operatorRoutes', added);
  appRoutes(app, deps, apps.operator, access.requirePage);
}

declare module 'fastify' {
  interface FastifyInstance {
    /** For the page's document, and for tests of all operations. */
    operatorRoutes: readonly Operation[];
  }
}
