import type { FastifyInstance, FastifyRequest } from 'fastify';
import { issuerActs } from '../../capabilities/issuers/command.ts';
import type { PortalDeps } from '../../faces/portal-access/session.ts';
import { createRouter, type Operation } from '../../platform/api/operation.ts';
import { approvalActs } from '../commands/balance.ts';
import { billingContactAct, memberActs } from '../commands/member.ts';
import { giftsHoldActs, organizationActs } from '../commands/organization.ts';
import { eraseNameAct } from '../commands/recipient.ts';
import type { AllDeps } from '../deps.ts';
import { appRoutes, apps } from '../portal/app-routes.ts';
import { inPortalTerms } from '../portal/portal-terms.ts';
import { createOperatorAccess } from './access.ts';
import { actRoutes } from './act-routes.ts';
import { balanceRoutes } from './balance-routes.ts';
import { capRoutes } from './cap-routes.ts';
import { catalogRoutes } from './catalog-routes.ts';
import { giftRoutes } from './gift-routes.ts';
import { healthRoutes } from './health-routes.ts';
import { issuerRoutes } from './issuer-routes.ts';
import { logRoutes } from './log-routes.ts';
import { moneyRoutes } from './money-routes.ts';
import { organizationRoutes } from './organization-routes.ts';
import { recipientRoutes } from './recipient-routes.ts';
import { createOperatorRegister } from './register.ts';
import { searchRoutes } from './search-routes.ts';
import { operatorSessionRoutes } from './session-routes.ts';
import { sendSetUpPage } from './set-up-page.ts';
import { workRoutes } from './work-routes.ts';

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
      organizationRoutes(register, deps);
      actRoutes(register, deps, organizationActs);
      actRoutes(register, deps, giftsHoldActs);
      capRoutes(register, deps);
      actRoutes(register, deps, { ...memberActs, billingContactAct });
      balanceRoutes(register, deps);
      actRoutes(register, deps, approvalActs);
      issuerRoutes(register, deps);
      actRoutes(register, deps, issuerActs);
      searchRoutes(register, deps);
      giftRoutes(register, deps);
      recipientRoutes(register, deps);
      actRoutes(register, deps, { eraseNameAct });
      catalogRoutes(register, deps);
      workRoutes(register, deps);
      moneyRoutes(register, deps);
      healthRoutes(register, deps);
      logRoutes(register, deps);
      added = operations;
      done();
    },
    { prefix: '/operator/api' },
  );
  app.decorate('operatorRoutes', added);
  appRoutes(app, deps, apps.operator, async (request, reply) => {
    if (isEntrance(request) && (await access.isBeforeSetUp(request))) return sendSetUpPage(reply, deps.publicUrl());
    await access.requirePage(request);
  });
}

const isEntrance = ({ routePattern }: FastifyRequest) =>
  routePattern === apps.operator.path || routePattern === `${apps.operator.path}/`;

declare module 'fastify' {
  interface FastifyInstance {
    /** For the page's document, and for tests of all operations. */
    operatorRoutes: readonly Operation[];
  }
}
